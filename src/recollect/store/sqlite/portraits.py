"""Portraits and recaps in SQLite, a row each beside its memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from recollect.model.portrait import Portrait, Recap
from recollect.store.port.portraits import Painted, Recapped
from recollect.store.sqlite.connection import Connections, Row

LISTS = frozenset({"facts", "concepts", "files_read", "files_modified", "files_edited"})


class SqlitePortraits:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def paint(self, memory_id: int, portrait: Portrait, *, made_by: str) -> None:
        self._connections.run("paint", memory_id=memory_id, made_by=made_by, **_row(portrait))
        self._connections.run("note_changes", ids=json.dumps([memory_id]))

    def of(self, memory_ids: Sequence[int]) -> dict[int, Painted]:
        rows = self._connections.rows("portraits_of", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: Painted(_portrait(row), row["made_by"]) for row in rows}

    def recap(self, memory_id: int, recap: Recap, *, made_by: str) -> None:
        self._connections.run("recap", memory_id=memory_id, made_by=made_by, **_row(recap))

    def recaps_of(self, memory_ids: Sequence[int]) -> dict[int, Recapped]:
        rows = self._connections.rows("recaps_of", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: Recapped(_recap(row), row["made_by"]) for row in rows}


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
