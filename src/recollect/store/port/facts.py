"""What memories claim about people and things, beside the memories themselves."""

from __future__ import annotations

from collections.abc import Sequence
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


class Facts(Protocol):
    def add(self, memory_id: int, claim: Claim, *, public_id: str, content_key: str | None) -> None:
        """Beside a memory that was just added. Without `content_key` it may repeat another."""

    def twin(self, claim: Claim, content_key: str) -> int | None:
        """The live memory that claims the very same."""

    def find(self, public_id: str) -> Claimed | None: ...

    def of(self, memory_ids: Sequence[int]) -> dict[int, Claimed]:
        """By memory; those that claim nothing are left out."""
