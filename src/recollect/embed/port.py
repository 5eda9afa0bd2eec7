"""What turns texts into vectors, so that what means the same lies close together.

Where a house has none, `None` stands in its place: it is searched by words only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np  # 90 ms, paid by those who embed and not by those who only pass one on
    from numpy.typing import NDArray


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Vectors of embedders with one name may be compared with each other, and no others."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row of length 1 for each text, in their order; `EmbedderUnavailable` when it cannot.

        May be called from several threads.
        """


@dataclass(frozen=True, slots=True)
class Chosen:
    """`problems` says, a sentence each, why it is not what was asked for."""

    embedder: Embedder | None
    reason: str
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = "none" if self.embedder is None else self.embedder.name
        return f"{name} ({self.reason})"
