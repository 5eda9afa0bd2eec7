"""Vectors of memories, by the model that made them and the view of the memory that was read.

Which memories have a meaning, and what a text is cut to, is `search.meaning`; who makes vectors is
`service.embedding`. A vector is the bytes of its half floats, and no bytes at all when the model
cannot read the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.search.meaning import Parts


@dataclass(frozen=True, slots=True)
class Model:
    id: int
    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A memory that has no vector yet; `version` tells whether it is still the same text."""

    id: int
    version: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class Made:
    memory_id: int
    version: int
    vector: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """A memory that was added, reworded, retired or removed, and whether it has a vector now."""

    seq: int
    memory_id: int
    has_vector: bool


@dataclass(frozen=True, slots=True)
class Tail:
    """How far the store has got; whoever follows it compares."""

    model: tuple[int, int] | None
    """Its id and dimension; None while it has made no vector."""
    vector_seq: int
    """Of the newest vector of any model."""
    change_seq: int
    oldest_change: int
    """The first one that is still told; one more than the newest when none is."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far embedding has got: every change up to `change_seq` was looked at, and of what was
    there before every memory up to `backlog_id`; None when that is done."""

    change_seq: int
    backlog_id: int | None


class Vectors(Protocol):
    def model_id(self, name: str, dimension: int) -> int:
        """The model's id, made when it is new; `VectorMisfit` when it has another dimension."""

    def models(self) -> list[Model]:
        """In the order in which they came."""

    def tail(self, model: str) -> Tail:
        """Cheap enough to be asked before every search."""

    def put(self, model_id: int, view: str, made: Sequence[Made]) -> int:
        """Keep those whose memory still says what was read, and is not retired; how many were.

        A memory that has a vector keeps it. `VectorMisfit` when one is of another dimension.
        """

    def since(
        self, model_id: int, view: str, seq: int, limit: int
    ) -> tuple[list[int], list[int], list[bytes]]:
        """What was put after this, in order: seqs, memories, vectors."""

    def changes(self, model_id: int, view: str, seq: int, limit: int) -> list[Change]:
        """What changed after this, in order."""

    def missing(self, model_id: int, view: str, after_id: int, limit: int) -> list[Unread]:
        """Memories after this one that have a meaning and no vector, in order."""

    def unread(self, model_id: int, view: str, ids: Sequence[int]) -> list[Unread]:
        """Those among the ids that have a meaning and no vector."""

    def mark(self, model_id: int, view: str) -> Mark | None: ...

    def move_mark(self, model_id: int, view: str, mark: Mark | None, to: Mark) -> bool:
        """Only if it still stands where it was read: another process may embed as well."""

    def count(self, model_id: int, view: str) -> int:
        """Vectors, those of unreadable texts among them."""

    def unreadable(self, model_id: int, view: str, limit: int) -> list[int]:
        """Memories whose text the model cannot read."""

    def wanted(self, view: str) -> int:
        """Memories that have a meaning. Looks at all of them."""

    def drop(self, model_id: int, view: str, memory_ids: Sequence[int]) -> None:
        """Forget these vectors; the memories are missing then."""

    def forget(self, model_id: int, limit: int) -> int:
        """Forget so many vectors of a model, and with the last ones the model; how many were.

        Step by step, so that nobody waits long for his turn to write.
        """
