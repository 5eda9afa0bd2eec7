"""Embedders for tests: deterministic, quick, and as wrong as a test needs them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt


class BagOfWords:
    """The words of a text, each by a vector of its own that its letters decide."""

    def __init__(
        self,
        name: str = "bag-of-words",
        dimension: int = 32,
        *,
        before: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.seen: list[str] = []
        self._before = before

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if self._before is not None:
            self._before(texts)
        self.seen += texts
        rows = np.stack([self._sum(text) for text in texts])
        unit: npt.NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(
            np.float32
        )
        return unit

    def one(self, text: str) -> npt.NDArray[np.float32]:
        row: npt.NDArray[np.float32] = self.embed([text])[0]
        return row

    def _sum(self, text: str) -> npt.NDArray[np.float64]:
        words = re.findall(r"\w+", text.lower()) or [""]
        return sum((self._word(word) for word in words), np.zeros(self.dimension))

    def _word(self, word: str) -> npt.NDArray[np.float64]:
        seed = zlib.crc32(f"{self.name} {word}".encode())
        return np.random.default_rng(seed).standard_normal(self.dimension)
