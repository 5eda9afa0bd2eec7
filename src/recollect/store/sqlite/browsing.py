"""Browsing in SQLite: kind by kind, because an index has each in order of time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from recollect.model.memory import Kind, Memory
from recollect.search import grammar
from recollect.store.port.browsing import (
    EARLIEST,
    LATEST,
    Place,
    SessionLine,
    Sort,
    Wanted,
)
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections, Row
from recollect.store.sqlite.match import fts5

Conditions = Mapping[str, object]


class SqliteBrowsing:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def page(self, wanted: Wanted, *, after: Place | None, limit: int) -> list[Memory]:
        conditions = _conditions(wanted, after)
        few = self._few(wanted)
        if few is not None:
            rows = self._among(few, wanted, conditions, limit)
        else:
            rows = self._by_kind(wanted, conditions, limit)
        return [shapes.memory(row) for row in rows]

    def ids(self, wanted: Wanted) -> list[int]:
        few, conditions = self._few(wanted), _conditions(wanted, None)
        if few is not None:
            rows = self._among(few, wanted, conditions, limit=-1)
        else:
            rows = self._connections.rows("browsed_ids", **conditions, kinds=_kinds(wanted.kinds))
        return [row["id"] for row in rows]

    def count(self, wanted: Wanted) -> int:
        if wanted.is_pinned:
            return len(self.ids(wanted))
        if wanted.types or wanted.file or wanted.origins or wanted.is_pinned is not None:
            return self._count("count_browsed", wanted)
        retired = 0 if wanted.is_retired is None else self._count("count_retired", wanted)
        if wanted.is_retired:
            return retired
        name = "count_kinds" if wanted.project is None else "count_kinds_in_project"
        return self._count(name, wanted) - retired

    def _by_kind(self, wanted: Wanted, conditions: Conditions, limit: int) -> list[Row]:
        """Of each kind as many as could be on the page; which they are, only the order tells."""
        name = "browsed" if wanted.project is None else "browsed_in_project"
        found = [
            row
            for kind in sorted(wanted.kinds)
            for row in self._connections.rows(name, **conditions, kind=kind.value, limit=limit)
        ]
        found.sort(key=lambda row: (row["created_at"], row["id"]), reverse=True)
        return found[:limit]

    def _few(self, wanted: Wanted) -> list[int] | None:
        """Ids among which all that is wanted must be, where an index knows that they are few."""
        if wanted.is_pinned:
            rows = self._connections.rows("pinned_ids")
        elif wanted.is_retired:
            rows = self._connections.rows("retired_ids")
        else:
            return None
        return [row["id"] for row in rows]

    def _among(
        self, ids: list[int], wanted: Wanted, conditions: Conditions, limit: int
    ) -> list[Row]:
        return self._connections.rows(
            "browsed_among",
            **conditions,
            kinds=_kinds(wanted.kinds),
            ids=json.dumps(ids),
            limit=limit,
        )

    def _count(self, name: str, wanted: Wanted) -> int:
        row = self._connections.row(name, **_conditions(wanted, None), kinds=_kinds(wanted.kinds))
        assert row is not None
        return int(row["n"])

    def with_words(
        self, words: Sequence[str], wanted: Wanted, *, limit: int, offset: int
    ) -> list[Memory]:
        tree = grammar.any_of(grammar.Word(word) for word in words)
        match = None if tree is None else fts5(tree)
        if match is None:
            return []
        rows = self._connections.rows(
            "browsed_with_words",
            **_conditions(wanted, None),
            kinds=_kinds(wanted.kinds),
            match=match,
            limit=limit,
            offset=offset,
        )
        return [shapes.memory(row) for row in rows]

    def counts(
        self, kinds: Collection[Kind], project: str | None, *, since: int, until: int, width: int
    ) -> dict[int, dict[Kind, int]]:
        where = {
            "kinds": _kinds(kinds),
            "project": project,
            "since": since,
            "until": until,
            "width": width,
        }
        name = "count_by_time" if project is None else "count_by_time_in_project"
        retired = {
            (stretch, kind): count
            for stretch, kind, count in self._connections.rows("count_retired_by_time", **where)
        }
        counts = defaultdict[int, dict[Kind, int]](dict)
        for stretch, kind, count in self._connections.rows(name, **where):
            live = count - retired.get((stretch, kind), 0)
            if live:
                counts[stretch][Kind(kind)] = live
        return dict(counts)

    def span(self, project: str | None) -> tuple[int, int] | None:
        row = self._connections.row("span_of_memories", project=project, kinds=_kinds(Kind))
        assert row is not None
        return None if row["first"] is None else (row["first"], row["last"])

    def sessions(
        self,
        project: str | None,
        *,
        since: int | None,
        until: int | None,
        after: Place | None,
        limit: int,
    ) -> list[SessionLine]:
        rows = self._connections.rows(
            "browsed_sessions",
            project=project,
            since=EARLIEST if since is None else since,
            until=LATEST if until is None else until,
            at=LATEST if after is None else after.created_at,
            number=LATEST if after is None else after.id,
            limit=limit,
        )
        return [
            SessionLine(
                shapes.session(row), row["memories"], row["first_prompt"], row["summary_title"]
            )
            for row in rows
        ]

    def sessions_of_projects(self) -> dict[str, int]:
        return {row["project"]: row["n"] for row in self._connections.rows("count_sessions")}

    def sorts(self) -> list[Sort]:
        return [
            Sort(project, Kind(kind), type_, origin, memories, size, latest)
            for project, kind, type_, origin, memories, size, latest in self._connections.rows(
                "sorts_of_memories"
            )
        ]


def _kinds(kinds: Iterable[Kind]) -> str:
    return json.dumps(sorted(kinds))


def _conditions(wanted: Wanted, after: Place | None) -> Conditions:
    until = LATEST if wanted.until is None else wanted.until
    return {
        "project": wanted.project,
        "types": json.dumps(sorted(wanted.types)) if wanted.types else None,
        "file": wanted.file,
        "origins": json.dumps(sorted(wanted.origins)) if wanted.origins else None,
        "since": EARLIEST if wanted.since is None else wanted.since,
        "until": until if after is None else min(until, after.created_at),
        "is_pinned": wanted.is_pinned,
        "is_retired": wanted.is_retired,
        "at": LATEST if after is None else after.created_at,
        "id": LATEST if after is None else after.id,
    }
