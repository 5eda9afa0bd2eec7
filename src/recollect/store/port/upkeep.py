"""How a store is doing: counts, integrity, size, compaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Counts:
    memories: int
    by_type: tuple[tuple[str, int], ...]
    """Most frequent first."""
    pinned: int
    prompts: int
    sessions: int
    events: int
    words: int
    """Rows of the full-text index: as many as memories in a healthy store."""


class Upkeep(Protocol):
    def counts(self) -> Counts: ...

    def problems(self) -> list[str]:
        """What an integrity check finds; empty when all is well."""

    def strays(self) -> tuple[int, int]:
        """Rows of the word index without a memory, and memories without words."""

    def compact(self) -> bool:
        """Give free pages back and fold the write-ahead log into the store.

        False when somebody who is reading kept the log, and what was removed in it, from going.
        """

    def size(self) -> tuple[int, int]:
        """Bytes of the store and of its write-ahead log."""

    def can_encrypt(self) -> bool:
        """Whether it could keep a store encrypted."""

    def engine(self) -> str:
        """Name and version of what keeps the rows."""
