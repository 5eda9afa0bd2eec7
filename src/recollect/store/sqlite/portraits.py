"""Portraits and recaps in SQLite, a row each beside its memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from recollect.model.portrait import Portrait, Recap
from recollect.search.grammar import Tree
from recollect.search.mention import mentions
from recollect.store.port.portraits import Painted, Recapped
from recollect.store.sqlite.connection import Connections, Row

PAGE = 500
LISTS = frozenset({"facts", "concepts", "files_read", "files_modified", "files_edited"})


class SqlitePortraits:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def paint(
        self, memory_id: int, portrait: Portrait, *, made_by: str, at: int | None = None
    ) -> None:
        self._connections.run("paint", memory_id=memory_id, made_by=made_by, **_row(portrait))
        self._changed(memory_id, at)

    def of(self, memory_ids: Sequence[int]) -> dict[int, Painted]:
        rows = self._connections.rows("portraits_of", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: Painted(_portrait(row), row["made_by"]) for row in rows}

    def forget(self, words: Tree) -> list[int]:
        found: list[int] = []
        after = 0
        while page := self._connections.rows("portrait_texts", after=after, limit=PAGE):
            found += [row["memory_id"] for row in page if mentions(words, row["text"])]
            after = page[-1]["memory_id"]
        if found:
            ids = json.dumps(found)
            for name in ("drop_titles", "drop_portraits", "drop_recaps", "note_changes"):
                self._connections.run(name, ids=ids)
            for memory_id in found:
                self._connections.run("delete_vectors", id=memory_id)
        return found

    def recap(self, memory_id: int, recap: Recap, *, made_by: str, at: int | None = None) -> None:
        self._connections.run("recap", memory_id=memory_id, made_by=made_by, **_row(recap))
        self._changed(memory_id, at)

    def recaps_of(self, memory_ids: Sequence[int]) -> dict[int, Recapped]:
        rows = self._connections.rows("recaps_of", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: Recapped(_recap(row), row["made_by"]) for row in rows}

    def _changed(self, memory_id: int, at: int | None) -> None:
        if at is not None:
            # A vector of the former words is no longer true, nor is one that is being made now.
            self._connections.run("delete_vectors", id=memory_id)
            self._connections.run("touch_memory", id=memory_id, at=at)
        self._connections.run("note_changes", ids=json.dumps([memory_id]))


def _row(noun: Portrait | Recap) -> dict[str, object]:
    return {
        name: json.dumps(value, ensure_ascii=False) if name in LISTS else value
        for name, value in asdict(noun).items()
    }


def _portrait(row: Row) -> Portrait:
    return Portrait(
        type=row["type"],
        title=row["title"],
        subtitle=row["subtitle"],
        facts=_texts(row["facts"]),
        narrative=row["narrative"],
        concepts=_texts(row["concepts"]),
        files_read=_texts(row["files_read"]),
        files_modified=_texts(row["files_modified"]),
    )


def _recap(row: Row) -> Recap:
    return Recap(
        request=row["request"],
        investigated=row["investigated"],
        learned=row["learned"],
        completed=row["completed"],
        next_steps=row["next_steps"],
        notes=row["notes"],
        files_read=_texts(row["files_read"]),
        files_edited=_texts(row["files_edited"]),
    )


def _texts(column: str) -> tuple[str, ...]:
    return tuple(json.loads(column))
