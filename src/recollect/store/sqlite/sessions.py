"""Sessions, events and transcript positions in SQLite."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from recollect.model.session import Session
from recollect.search.grammar import Tree
from recollect.search.mention import mentions
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections

PAGE = 500
LARGEST_NUMBER = 2**63 - 1


class SqliteSessions:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def find(self, session_id: str) -> Session | None:
        row = self._connections.row("find_session", id=session_id)
        return None if row is None else shapes.session(row)

    def begin(self, session: Session) -> None:
        self._connections.run(
            "begin_session",
            id=session.id,
            project=session.project,
            platform=session.platform,
            started_at=session.started_at,
        )
        self._connections.run("number_session", id=session.id)

    def numbers(self, session_ids: Collection[str]) -> dict[str, int]:
        rows = self._connections.rows("session_numbers", ids=json.dumps(sorted(session_ids)))
        return {row["session_id"]: row["number"] for row in rows}

    def numbered(self, number: int) -> Session | None:
        if not 0 < number <= LARGEST_NUMBER:
            return None
        row = self._connections.row("session_by_number", number=number)
        return None if row is None else shapes.session(row)

    def open(self) -> int:
        row = self._connections.row("open_sessions")
        assert row is not None
        return int(row[0])

    def turn(self, session_id: str, *, prompt_id: int | None, is_private: bool) -> None:
        self._connections.run(
            "begin_turn", id=session_id, prompt_id=prompt_id, is_private=int(is_private)
        )

    def close(self, session_id: str, ended_at: int) -> None:
        self._connections.run("close_session", id=session_id, ended_at=ended_at)

    def ids(self) -> list[str]:
        return [row["id"] for row in self._connections.rows("session_ids")]

    def newest_of(self, project: str) -> Session | None:
        row = self._connections.row("newest_session_of_project", project=project)
        return None if row is None else shapes.session(row)

    def newest(self) -> Session | None:
        row = self._connections.row("newest_session")
        return None if row is None else shapes.session(row)


class SqliteEvents:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(
        self, *, key: str, session_id: str, project: str, kind: str, at: int, document: str
    ) -> int | None:
        row = self._connections.row(
            "add_event",
            key=key,
            session_id=session_id,
            project=project,
            kind=kind,
            at=at,
            document=document,
        )
        return None if row is None else row["id"]

    def documents(self, event_ids: Sequence[int]) -> dict[int, str]:
        rows = self._connections.rows("documents_of", ids=json.dumps(list(event_ids)))
        return {row["id"]: row["document"] for row in rows}

    def has(self, key: str) -> bool:
        return self._connections.row("has_event", key=key) is not None

    def blank(self, event_id: int) -> None:
        self._connections.run("blank_events", ids=json.dumps([event_id]))

    def mentioning(self, words: Tree) -> list[int]:
        found: list[int] = []
        after = 0
        while page := self._connections.rows("documents", after=after, limit=PAGE):
            found += [row["id"] for row in page if mentions(words, row["document"])]
            after = page[-1]["id"]
        return found


class SqliteCursors:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def position(self, session_id: str, path: str) -> int:
        row = self._connections.row("transcript_position", session_id=session_id, path=path)
        return 0 if row is None else row["position"]

    def move(self, session_id: str, path: str, position: int) -> None:
        self._connections.run(
            "move_transcript_position", session_id=session_id, path=path, position=position
        )
