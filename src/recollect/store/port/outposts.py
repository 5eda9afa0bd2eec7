"""Outposts: vectors on their way to a place outside the store, and how far they have got.

What is brought there, and when, is `service.outpost`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Kind


@dataclass(frozen=True, slots=True)
class Brought:
    """How far one place has got: it is as the store was at these numbers, or newer."""

    identity: str
    model: str
    change_seq: int
    vector_seq: int


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector with what is known of its memory. No bytes when the model cannot read the text."""

    seq: int
    memory_id: int
    kind: Kind
    project: str
    created_at: int
    vector: bytes


class Outposts(Protocol):
    def mark(self, place: str) -> Brought | None: ...

    def move_mark(self, place: str, mark: Brought | None, to: Brought) -> bool:
        """Only if it still stands where it was read."""

    def since(self, model_id: int, view: str, seq: int, limit: int) -> list[Embedded]:
        """What was embedded after this, in order."""

    def newest(
        self, model_id: int, view: str, kinds: Collection[Kind], project: str | None, limit: int
    ) -> list[Embedded]:
        """The newest memories that have a vector, of one project or of all, newest first."""

    def embedded(self, model_id: int, view: str, ids: Sequence[int]) -> set[int]:
        """Those of the memories that have a vector."""

    def counts(self, model_id: int, view: str) -> dict[Kind, int]:
        """Vectors by kind of memory."""

    def count_through(self, model_id: int, view: str, seq: int) -> int:
        """Vectors up to this one."""
