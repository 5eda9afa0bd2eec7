"""The ledger: which question was answered how, with what was true then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from recollect.store.port.memories import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`question` and `answer` are JSON objects; `ids` are the memories that the answer tells of."""

    id: str
    asked_at: int
    question: Mapping[str, object]
    answer: Mapping[str, object]
    ids: tuple[int, ...]


class Ledger(Protocol):
    def state(self) -> tuple[int, int]:
        """How far the store has come: its last change, and its last vector."""

    def keep(self, entry: Entry, *, most: int) -> None:
        """Keep the answer, in place of an earlier one to the same question; the newest stay."""

    def find(self, id_: str) -> Entry | None: ...

    def newest(self, limit: int) -> list[Entry]:
        """Newest first."""

    def forget_asked(self, wanted: Filter) -> None:
        """Remove the questions that a purge means: by project, by time, or by the words in them.

        Answers that tell of a memory go with the memory.
        """
