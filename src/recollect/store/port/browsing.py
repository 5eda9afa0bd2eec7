"""Browsing: memories and sessions page by page, by everything that is known of them, and counted.

Retired memories are looked at where they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Kind, Memory
from recollect.model.session import Session

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


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session as a list shows it."""

    session: Session
    memories: int
    first_prompt: str | None
    summary_title: str | None


@dataclass(frozen=True, slots=True)
class Sort:
    """Live memories that are alike; `bytes` is what their words take."""

    project: str
    kind: Kind
    type: str
    origin: str
    memories: int
    bytes: int
    latest: int


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

    def counts(
        self, kinds: Collection[Kind], project: str | None, *, since: int, until: int, width: int
    ) -> dict[int, dict[Kind, int]]:
        """How many live ones of each kind there are in each stretch of this width, the first of
        which, 0, begins at `since`; stretches with nothing in them are left out."""

    def span(self, project: str | None) -> tuple[int, int] | None:
        """When the first and the last memory came; None when there is none."""

    def sessions(
        self,
        project: str | None,
        *,
        since: int | None,
        until: int | None,
        after: Place | None,
        limit: int,
    ) -> list[SessionLine]:
        """Newest start first; a place's id is a session's number."""

    def sessions_of_projects(self) -> dict[str, int]:
        """How many sessions each project has."""

    def sorts(self) -> list[Sort]:
        """All that there are; looks at every memory."""
