"""The ways to search that are compared, by name: each indexes a corpus, then answers questions.

`plain` is what anybody gets from SQLite; the product's own ways join `SEARCHES` from a module of
their own, which speaks to its public doors only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from benchmarks.retrieval.corpus import Item
from benchmarks.retrieval.fts5 import fts5


class Search(Protocol):
    """Ids are those of the corpus, best first, at most k; scope None means all projects."""

    def index(self, items: Sequence[Item]) -> None: ...

    def ask(self, question: str, scope: str | None, k: int) -> Sequence[str]: ...


SEARCHES: dict[str, Callable[[], AbstractContextManager[Search]]] = {
    "fts5": fts5,
}
"""Opened for one corpus and closed after it, so that a home or a process can go with it."""
