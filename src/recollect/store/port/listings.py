"""Listings: memories by what they are and when they were made, without a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Kind, Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which memories are meant: all conditions together, empty is any; retired ones never are."""

    kinds: frozenset[Kind]
    project: str | None = None
    portrait_types: frozenset[str] = frozenset()
    """What their portraits say they are."""
    types: frozenset[str] = frozenset()
    """The types of those without a portrait; looked at only beside `portrait_types`."""
    concepts: frozenset[str] = frozenset()
    """Any of these, in lower case."""
    files: frozenset[str] = frozenset()
    """About any of these: the whole path, or its last components."""
    since: int | None = None
    until: int | None = None
    ids: tuple[int, ...] | None = None
    """Only these."""


class Listings(Protocol):
    def page(
        self, wanted: Listing, *, is_ascending: bool = False, limit: int, offset: int = 0
    ) -> list[Memory]:
        """By time and id; newest first unless told otherwise."""

    def ids(self, wanted: Listing) -> list[int]:
        """All of them, newest first."""

    def count(self, wanted: Listing) -> int: ...

    def beside(
        self, anchor: Memory, wanted: Listing, *, before: int, after: int
    ) -> tuple[list[Memory], list[Memory]]:
        """The nearest by time and id on both sides, each list in order of time; of what is wanted
        its kinds and project count."""

    def projects(self) -> list[str]:
        """Of sessions and memories, by name."""
