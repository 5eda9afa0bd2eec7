"""Memories on their way in and out: which imported line became which memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Transfers(Protocol):
    def own_id(self) -> str:
        """Who this store is; the same for ever, and no other store's."""

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        """The memories that lines with these keys became."""

    def note(self, ids_by_key: Mapping[str, int]) -> None:
        """Remember what these lines became."""

    def keys_of(self, memory_ids: Sequence[int]) -> dict[int, str]:
        """By memory, for those that were imported."""

    def page(self, *, after: int, project: str | None, limit: int) -> list[int]:
        """Ids of memories in order, retired ones included."""
