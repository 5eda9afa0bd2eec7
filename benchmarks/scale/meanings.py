"""Vectors that lie as those of texts do, made from numbers, as many as are asked for.

Texts come in groups within topics; a few directions carry most of what differs, and all vectors
lean the same way a little. Of MiniLM's vectors of 5,882 turns of conversations, a turn's nearest
neighbour has a cosine of about .6 to .7, its twentieth one of .45, and any other one about .1;
these have about as much. A question is near one of them, as far as a question is from its answer.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from recollect.search.halves import Floats, Halves

DIMENSION = 384
BATCH = 10_000
_PER_TOPIC = 500
_PER_GROUP = 50
_LEAN, _TOPIC, _GROUP, _OWN = 0.25, 0.75, 0.6, 0.8
_QUESTION = 0.7


class World:
    """The topics of a store of this size; the same for the same size."""

    def __init__(self, count: int) -> None:
        self.count = count
        dice = np.random.default_rng(20)
        weights = np.arange(1, DIMENSION + 1) ** -0.45
        self._weights = (weights / np.sqrt((weights**2).mean())).astype(np.float32)
        turned, _ = np.linalg.qr(dice.standard_normal((DIMENSION, DIMENSION)))
        self._turn = turned.astype(np.float32)
        self._lean = _LEAN * self._drawn(dice, 1)[0]
        self._groups = max(count // _PER_GROUP, 10)
        self._topics = _TOPIC * self._drawn(dice, max(count // _PER_TOPIC, 1))
        self._group = _GROUP * self._drawn(dice, self._groups)

    def rows(self) -> Iterator[Halves]:
        """All of them, by the batch."""
        for start in range(0, self.count, BATCH):
            size = min(BATCH, self.count - start)
            dice = np.random.default_rng(start + 1)
            group = dice.integers(self._groups, size=size)
            rows = self._lean + self._topics[group % len(self._topics)] + self._group[group]
            yield _unit(rows + _OWN * self._drawn(dice, size)).astype(np.float16)

    def question(self, about: Halves, number: int) -> Floats:
        """Near one of the rows."""
        dice = np.random.default_rng(10**9 + number)
        noise = self._drawn(dice, 1)[0] / np.sqrt(np.float32(DIMENSION))
        asked: Floats = _unit((about.astype(np.float32) + _QUESTION * noise)[None, :])[0]
        return asked

    def _drawn(self, dice: np.random.Generator, count: int) -> Floats:
        drawn = dice.standard_normal((count, DIMENSION), dtype=np.float32) * self._weights
        turned: Floats = drawn @ self._turn
        return turned


def _unit(rows: Floats) -> Floats:
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
