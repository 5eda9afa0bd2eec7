"""Browsing: memories page by page, by everything that is known of them, retired ones as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Kind, Memory

EARLIEST, LATEST = -(2**63), 2**63 - 1
"""No memory is older than the first, or younger than the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which memories are meant: all conditions together. None, or nothing in a set, means any."""

    kinds: frozenset[Kind]
    project: str | None = None
    types: frozenset[str] = frozenset()
    file: str | None = None
    """A whole path, or its last components."""
    origins: frozenset[str] = frozenset()
    since: int | None = None
    until: int | None = None
    """Both ends are within."""
    is_pinned: bool | None = None
    is_retired: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A memory's place in the order of time; a page goes on behind it."""

    created_at: int
    id: int


class Browsing(Protocol):
    def page(self, wanted: Wanted, *, after: Place | None, limit: int) -> list[Memory]:
        """Newest first."""

    def ids(self, wanted: Wanted) -> list[int]:
        """All of them."""

    def count(self, wanted: Wanted) -> int: ...

    def with_words(
        self, words: Sequence[str], wanted: Wanted, *, limit: int, offset: int
    ) -> list[Memory]:
        """Those that hold any of the words, best match first; it finds retired ones, too."""
