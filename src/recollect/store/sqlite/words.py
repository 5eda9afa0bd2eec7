"""The full-text index in SQLite: FTS5, derived from the memories."""

from __future__ import annotations

from recollect.search.grammar import Tree
from recollect.search.words import spaced
from recollect.store.port.words import Preview
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections
from recollect.store.sqlite.match import fts5

LARGEST_OFFSET = 2**63 - 1
PAGE = 1_000


class SqliteWords:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def search(
        self,
        tree: Tree,
        *,
        project: str | None,
        type_: str | None,
        limit: int,
        offset: int,
        preview: int,
    ) -> list[Preview]:
        match = fts5(tree)
        if match is None:
            return []
        rows = self._connections.rows(
            "search_words",
            match=match,
            project=project,
            type=type_,
            limit=limit,
            offset=min(offset, LARGEST_OFFSET),
            preview=preview,
        )
        return [shapes.preview(row) for row in rows]

    def rebuild(self) -> None:
        self._connections.run("clear_words")
        after = 0
        while page := self._connections.rows("texts", after=after, limit=PAGE):
            self._connections.run_many(
                "add_words", [{"id": row["id"], "text": spaced(row["text"])} for row in page]
            )
            after = page[-1]["id"]

    def fold(self) -> None:
        self._connections.run("fold_words")
