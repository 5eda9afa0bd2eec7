"""The ranking index as rows: segments, and what changed since. Derived from the memories.

What is in a segment is made and understood by `search.segment`; who keeps the index up to date is
`service.segments`, who asks it `service.lexicon`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from recollect.search.packed import Postings, Segment
from recollect.search.passage import Passage


@dataclass(frozen=True, slots=True)
class State:
    version: int
    """Of the terms in the segments; 0 when there is no index yet."""
    generation: int
    """Another one whenever the segments are others."""
    through: int
    """Changes up to this one are in segments."""
    newest: int
    """The newest change."""

    @property
    def waiting(self) -> int:
        """Changes that are in no segment yet."""
        return self.newest - self.through


@dataclass(frozen=True, slots=True)
class Head:
    """A segment, without what is in it."""

    id: int
    size: int
    lowest: int
    highest: int
    dead: int
    """How many of its memories were changed since, or removed."""
    scrubbed: int
    """How many of those have left no words behind."""


@dataclass(frozen=True, slots=True)
class Kept:
    id: int
    segment: Segment
    dead: bytes


class Found(NamedTuple):
    """A term's places in one segment."""

    segment: int
    term: str
    places: bytes
    counts: bytes | None


@dataclass(frozen=True, slots=True)
class Source:
    """A memory as ranking sees it."""

    id: int
    type: str
    project: str
    session: str | None
    created_at: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class Change:
    seq: int
    memory_id: int


class Lexicon(Protocol):
    def state(self) -> State: ...

    def changed(self, after: int, limit: int) -> list[Change]:
        """In order; a memory that changed several times is there as often."""

    def has_changed(self, ids: Sequence[int], after: int) -> bool:
        """Whether one of them changed after that change."""

    def sources(self, ids: Sequence[int]) -> list[Source]:
        """Those of the memories that are searchable, ascending by id."""

    def searchable(self) -> list[int]:
        """The ids of all searchable memories, ascending."""

    def heads(self) -> list[Head]: ...

    def segments(self, ids: Sequence[int]) -> list[Kept]: ...

    def find(self, segments: Sequence[int], terms: Sequence[str]) -> list[Found]: ...

    def postings(self, segment: int) -> Iterator[Postings]:
        """All of a segment."""

    def add(self, segment: Segment, postings: Sequence[Postings]) -> int: ...

    def remove(self, segments: Sequence[int]) -> None: ...

    def mark(self, segment: int, dead: bytes) -> None:
        """These places of the segment count no more."""

    def scrub(self, segment: int, cleaned: Segment, changed: Sequence[Postings]) -> None:
        """Put what is left in the place of what held dead words and names."""

    def advance(self, *, version: int, through: int, keep: int) -> None:
        """Changes up to this one are in segments; all but the newest `keep` of them may go."""

    def touch(self) -> None:
        """The segments are others now."""

    def begin_anew(self, *, version: int) -> None:
        """No segments, and every searchable memory counts as changed."""
