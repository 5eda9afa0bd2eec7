"""The ledger in SQLite: answers as JSON, the newest of them."""

from __future__ import annotations

import json

from recollect.search.mention import mentions
from recollect.store.port.ledger import Entry
from recollect.store.port.memories import Filter
from recollect.store.sqlite.connection import Connections, Row


class SqliteLedger:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def state(self) -> tuple[int, int]:
        row = self._connections.row("store_state")
        assert row is not None
        return row["changes"], row["vectors"]

    def keep(self, entry: Entry, *, most: int) -> None:
        self._connections.run(
            "keep_answer",
            id=entry.id,
            asked_at=entry.asked_at,
            question=_json(entry.question),
            answer=_json({**entry.answer, "ids": entry.ids}),
        )
        self._connections.run("prune_answers", most=most)

    def find(self, id_: str) -> Entry | None:
        row = self._connections.row("answer_by_id", id=id_)
        return None if row is None else _entry(row)

    def newest(self, limit: int) -> list[Entry]:
        return [_entry(row) for row in self._connections.rows("newest_answers", limit=limit)]

    def forget_asked(self, wanted: Filter) -> None:
        if wanted.words is not None:
            asked = self._connections.rows("questions")
            found = [row["id"] for row in asked if mentions(wanted.words, row["question"])]
            self._connections.run("delete_answers", ids=json.dumps(found))
        elif wanted.type is None and wanted.id is None:
            self._connections.run(
                "forget_answers_asked",
                project=wanted.project,
                session_id=wanted.session_id,
                before=wanted.before,
                older_than=wanted.older_than,
            )


def _entry(row: Row) -> Entry:
    answer = json.loads(row["answer"])
    ids = tuple(answer.pop("ids"))
    return Entry(
        id=row["id"],
        asked_at=row["asked_at"],
        question=json.loads(row["question"]),
        answer=answer,
        ids=ids,
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
