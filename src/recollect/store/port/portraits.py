"""Portraits and recaps: what memories look like to people, beside the memories themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.portrait import Portrait, Recap
from recollect.search.grammar import Tree

BY_RULES = "rules"
BY_HAND = "hand"
"""A person said it otherwise; no reader says it over."""


@dataclass(frozen=True, slots=True)
class Painted:
    portrait: Portrait
    made_by: str


@dataclass(frozen=True, slots=True)
class Recapped:
    recap: Recap
    made_by: str


class Portraits(Protocol):
    def paint(
        self, memory_id: int, portrait: Portrait, *, made_by: str, at: int | None = None
    ) -> None:
        """Put it in place of an earlier one, if there is one; then `at` says when. Its words are
        searched, so the memory counts as changed."""

    def of(self, memory_ids: Sequence[int]) -> dict[int, Painted]:
        """By memory; those that have none are left out."""

    def recap(self, memory_id: int, recap: Recap, *, made_by: str, at: int | None = None) -> None:
        """As `paint`."""

    def recaps_of(self, memory_ids: Sequence[int]) -> dict[int, Recapped]: ...

    def forget(self, words: Tree) -> list[int]:
        """Remove for good those that mention these words, titles included; of which memories."""
