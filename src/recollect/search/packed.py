"""A segment of the ranking index as it is kept: bytes, which `segment` makes and understands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

LARGEST = 65_536
"""Memories in a segment: a place within it has two bytes."""

DUE = 512
"""So many changes make a segment."""


class Postings(NamedTuple):
    """Where a term is within a segment."""

    term: str
    places: bytes
    """Ascending, two bytes each."""
    counts: bytes | None
    """How often, a byte for each place; None when it is once at each."""


@dataclass(frozen=True, slots=True)
class Segment:
    size: int
    """How many memories, dead ones included."""
    lowest: int
    """The lowest id."""
    highest: int
    ids: bytes
    """Ascending, eight bytes each."""
    columns: bytes
    """All of one column, then all of the next."""
    names: str
    """JSON: the names that codes in the columns stand for."""


@dataclass(frozen=True, slots=True)
class Part:
    """A segment with its words, and with the places that are dead: changed since, or removed."""

    segment: Segment
    dead: bytes
    """Two bytes each."""
    postings: Iterable[Postings]
