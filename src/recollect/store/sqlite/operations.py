"""Traces of searches and counters in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping

from recollect.search.mention import mentions
from recollect.store.port.memories import Filter
from recollect.store.port.operations import Bucket, Trace, TraceFilter
from recollect.store.sqlite.connection import Connections

NO_LIMIT = -1


class SqliteOperations:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def trace(self, trace: Trace, *, most: int) -> None:
        self._connections.run(
            "add_trace",
            at=trace.at,
            query=trace.query,
            project=trace.project,
            mode=trace.mode,
            took_ms=trace.took_ms,
            detail=json.dumps(trace.detail, ensure_ascii=False),
        )
        self._connections.run("trim_traces", most=most)

    def traces(self, wanted: TraceFilter, *, limit: int | None) -> list[Trace]:
        rows = self._connections.rows(
            "traces", **_meant(wanted), limit=NO_LIMIT if limit is None else limit
        )
        return [
            Trace(
                at=row["at"],
                query=row["query"],
                project=row["project"],
                mode=row["mode"],
                took_ms=row["took_ms"],
                detail=json.loads(row["detail"]),
            )
            for row in rows
        ]

    def count_traces(self, wanted: TraceFilter) -> int:
        row = self._connections.row("count_traces", **_meant(wanted))
        assert row is not None
        return int(row[0])

    def forget_searches(self, wanted: Filter) -> None:
        if wanted.words is not None:
            asked = self._connections.rows("traced_queries")
            found = [row["id"] for row in asked if mentions(wanted.words, row["query"])]
            self._connections.run("delete_traces", ids=json.dumps(found))
        elif wanted.type is None and wanted.id is None and wanted.session_id is None:
            self._connections.run(
                "forget_traces",
                project=wanted.project,
                before=wanted.before,
                older_than=wanted.older_than,
            )

    def count(self, names: Mapping[str, int]) -> None:
        many = [{"name": name, "more": more} for name, more in names.items()]
        self._connections.run_many("add_to_counter", many)

    def counters(self, prefix: str) -> dict[str, int]:
        rows = self._connections.rows("counters", prefix=prefix)
        return {row["name"]: row["value"] for row in rows}

    def reset(self, prefix: str) -> None:
        self._connections.run("reset_counters", prefix=prefix)

    def search_buckets(self, since: int, until: int, width: int) -> list[Bucket]:
        return self._buckets("search_buckets", since, until, width)

    def job_buckets(self, since: int, until: int, width: int) -> list[Bucket]:
        return self._buckets("job_buckets", since, until, width)

    def failure_buckets(self, since: int, until: int, width: int) -> list[Bucket]:
        return self._buckets("failure_buckets", since, until, width)

    def _buckets(self, name: str, since: int, until: int, width: int) -> list[Bucket]:
        rows = self._connections.rows(name, since=since, until=until, width=width)
        return [Bucket(row["number"], row["n"], row["mean"]) for row in rows]


def _meant(wanted: TraceFilter) -> dict[str, object]:
    return {
        "text": wanted.text,
        "project": wanted.project,
        "mode": wanted.mode,
        "since": wanted.since,
        "until": wanted.until,
    }
