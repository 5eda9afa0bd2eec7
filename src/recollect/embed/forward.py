"""all-MiniLM-L6-v2 in plain numpy, for where onnxruntime does not run: slower, the same vectors.

The weights are those of the model file; what flows between them is not rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recollect.embed.model_file import NAME
from recollect.embed.weights import EPSILON, HEADS, WIDTH, Floats, Layer, Linear, Norm, Weights
from recollect.embed.wordpiece import WordPiece


class Forward:
    name = f"{NAME}/int8"
    dimension = WIDTH

    def __init__(self, weights: Weights) -> None:
        self._wordpiece = WordPiece(weights.vocabulary)
        self._weights = weights
        self._real = {id(linear): linear.weight.real() for linear in _linears(weights)}

    def embed(self, texts: Sequence[str]) -> Floats:
        rows = np.empty((len(texts), WIDTH), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._vector(self._wordpiece.pieces(text))
        return rows

    def _vector(self, pieces: Sequence[int]) -> Floats:
        words, positions = self._weights.words, self._weights.positions
        scale = words.scale[pieces] if len(words.scale) > 1 else words.scale
        found = _normed(
            words.values[pieces] * scale + positions[: len(pieces)], self._weights.embedded
        )
        for layer in self._weights.layers:
            found = self._through(found, layer)
        total = found.sum(0)
        return np.asarray(total / np.linalg.norm(total), np.float32)

    def _through(self, inward: Floats, layer: Layer) -> Floats:
        attended = self._linear(_attention(self._linear(inward, layer.attend)), layer.mix)
        mixed = _normed(inward + attended, layer.mixed)
        narrow = self._linear(_gelu(self._linear(mixed, layer.widen)), layer.narrow)
        return _normed(mixed + narrow, layer.narrowed)

    def _linear(self, inward: Floats, linear: Linear) -> Floats:
        return np.asarray(inward @ self._real[id(linear)] + linear.bias, np.float32)


def _linears(weights: Weights) -> list[Linear]:
    return [
        linear
        for layer in weights.layers
        for linear in (layer.attend, layer.mix, layer.widen, layer.narrow)
    ]


def _attention(together: Floats) -> Floats:
    length = len(together)
    query, key, value = together.reshape(length, 3, HEADS, WIDTH // HEADS).transpose(1, 2, 0, 3)
    alike = query @ key.transpose(0, 2, 1) * np.float32((WIDTH // HEADS) ** -0.5)
    share = np.exp(alike - alike.max(-1, keepdims=True))
    share /= share.sum(-1, keepdims=True)
    heard: Floats = (share @ value).transpose(1, 0, 2).reshape(length, WIDTH)
    return heard


def _normed(inward: Floats, norm: Norm) -> Floats:
    centred = inward - inward.mean(-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(EPSILON))
    return np.asarray(centred / spread * norm.weight + norm.bias, np.float32)


def _gelu(inward: Floats) -> Floats:
    return np.asarray(
        inward * np.float32(0.5) * (1 + _erf(inward * np.float32(0.5**0.5))), np.float32
    )


def _erf(inward: Floats) -> Floats:
    """Abramowitz and Stegun 7.1.26: off by at most 1.5e-7, which float32 hardly sees."""
    size = np.abs(inward)
    t = 1 / (1 + np.float32(0.3275911) * size)
    sum_ = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        sum_ = (sum_ + np.float32(factor)) * t
    return np.asarray(np.copysign(1 - sum_ * np.exp(-size * size), inward), np.float32)
