"""What memories claim about people and things, beside the memories themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.fact import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """The claim of a memory as it stands in the store."""

    memory_id: int
    public_id: str
    claim: Claim
    is_live: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a claim without reading its memory."""

    memory_id: int
    subject: str
    subject_key: str
    category: str


@dataclass(frozen=True, slots=True)
class Tail:
    """How far changes of memories go, as `Vectors.tail` has it; whoever follows compares."""

    newest: int
    oldest: int


@dataclass(frozen=True, slots=True)
class Counted:
    """Live claims, counted. Subjects as they are shown, most first."""

    by_category: Mapping[str, int]
    by_subject: Mapping[str, int]
    oldest: int | None
    newest: int | None


class Facts(Protocol):
    def add(self, memory_id: int, claim: Claim, *, public_id: str, content_key: str | None) -> None:
        """Beside a memory that was just added. Without `content_key` it may repeat another.

        A subject that has live claims keeps the form in which it was first written.
        """

    def twin(self, claim: Claim, content_key: str) -> int | None:
        """The live memory that claims the very same."""

    def find(self, public_id: str) -> Claimed | None: ...

    def confirm(self, memory_id: int, *, confidence: float) -> None:
        """It was claimed once more: the higher confidence stays."""

    def reword(self, memory_id: int, *, content_key: str | None, reason: str | None) -> None:
        """Beside a memory that says something else now."""

    def explain(self, memory_id: int, reason: str | None) -> None:
        """Why it changed last."""

    def newest(self, *, subject_key: str | None, limit: int) -> list[int]:
        """The memories of live claims, those that were stored last first."""

    def counted(self, *, subject_key: str | None) -> Counted: ...

    def tail(self) -> Tail: ...

    def page(self, after: int, limit: int) -> list[Entry]:
        """Live claims by memory."""

    def since(self, seq: int, limit: int) -> list[tuple[int, int, Entry | None]]:
        """Changes after this one: their seq, the memory, and its claim while it has a live one."""

    def of(self, memory_ids: Sequence[int]) -> dict[int, Claimed]:
        """By memory; those that claim nothing are left out."""
