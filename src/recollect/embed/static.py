"""A vector for each word piece, and their weighted mean for a text: no model runs at all.

The vectors are the model's own table of words. A piece counts the less the commoner it is (SIF;
Arora, Liang and Ma 2017), and what all pieces have in common is taken away first. The vocabulary
is in the order of frequency, so that its places say how common a piece is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recollect.embed.model_file import NAME
from recollect.embed.weights import WIDTH, Floats, Weights
from recollect.embed.wordpiece import WordPiece

FIRST = 999
"""Before this place stand markers and places that were left empty."""
COMMON = 1e-4
"""The share of a text from which a piece counts as common."""


class Static:
    name = f"{NAME}/static"
    dimension = WIDTH

    def __init__(self, weights: Weights) -> None:
        self._wordpiece = WordPiece(weights.vocabulary)
        self._words = weights.words
        self._common = weights.words.real()[FIRST:].mean(0)
        ranks = np.maximum(np.arange(len(weights.vocabulary)) - FIRST + 1, 1)
        shares = 1 / (ranks * np.log(len(ranks)))  # Zipf's law
        self._weight = (COMMON / (COMMON + shares)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Floats:
        rows = np.empty((len(texts), WIDTH), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._vector(self._wordpiece.pieces(text)[1:-1])
        return rows

    def _vector(self, pieces: Sequence[int]) -> Floats:
        if not pieces:
            return _unit(self._common)  # a text without a word is about nothing in particular
        vectors = self._words.values[pieces] * self._words.scale[pieces] - self._common
        return _unit(self._weight[pieces] @ vectors)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector), np.float32)
