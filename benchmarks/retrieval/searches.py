"""The ways to search that are compared, by name: each indexes a corpus, then answers questions.

`fts5` is what anybody gets from SQLite; the product's own ways are in `product`, which speaks to
its public doors only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from benchmarks.retrieval.corpus import Item
from benchmarks.retrieval.fts5 import fts5
from benchmarks.retrieval.product import WAYS


class Search(Protocol):
    """Ids are those of the corpus, best first, at most k; scope None means all projects."""

    def index(self, items: Sequence[Item]) -> float:
        """Seconds that it takes; a store that is there already has taken them before."""

    def ask(self, question: str, scope: str | None, k: int) -> Sequence[str]: ...


SEARCHES: dict[str, Callable[[], AbstractContextManager[Search]]] = {
    **WAYS,
    "fts5": fts5,
}
"""Opened for one corpus and closed after it, so that a home or a process can go with it."""
