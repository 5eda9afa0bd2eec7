"""Listings in SQLite. What asks for labels is answered in two steps: which memories have them,
then which of those are meant; the second is the same for all."""

from __future__ import annotations

import json
from collections.abc import Collection

from recollect.model.memory import Memory
from recollect.store.port.listings import Listing
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections


class SqliteListings:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def page(
        self, wanted: Listing, *, is_ascending: bool = False, limit: int, offset: int = 0
    ) -> list[Memory]:
        meant = self._meant(wanted)
        if meant["ids"] is None:
            name = "listed_upwards" if is_ascending else "listed"
        else:
            name = "listed_among_upwards" if is_ascending else "listed_among"
        rows = self._connections.rows(name, **meant, limit=limit, offset=offset)
        return [shapes.memory(row) for row in rows]

    def ids(self, wanted: Listing) -> list[int]:
        return [row["id"] for row in self._connections.rows("listed_ids", **self._meant(wanted))]

    def count(self, wanted: Listing) -> int:
        row = self._connections.row("count_listed", **self._meant(wanted))
        assert row is not None
        return int(row[0])

    def beside(
        self, anchor: Memory, wanted: Listing, *, before: int, after: int
    ) -> tuple[list[Memory], list[Memory]]:
        here = {
            "kinds": _json(wanted.kinds),
            "project": wanted.project,
            "created_at": anchor.created_at,
            "id": anchor.id,
        }
        earlier = self._connections.rows("listed_before", **here, limit=before)
        later = self._connections.rows("listed_after", **here, limit=after)
        return [shapes.memory(row) for row in reversed(earlier)], [
            shapes.memory(row) for row in later
        ]

    def projects(self) -> list[str]:
        return [row["project"] for row in self._connections.rows("projects")]

    def _meant(self, wanted: Listing) -> dict[str, object]:
        ids = wanted.ids
        if wanted.portrait_types or wanted.concepts or wanted.files:
            labelled = self._labelled(wanted)
            ids = tuple(labelled if ids is None else labelled & set(ids))
        return {
            "kinds": _json(wanted.kinds),
            "project": wanted.project,
            "since": wanted.since,
            "until": wanted.until,
            "ids": None if ids is None else json.dumps(sorted(set(ids))),
        }

    def _labelled(self, wanted: Listing) -> set[int]:
        rows = self._connections.rows(
            "labelled",
            kinds=_json(wanted.kinds),
            project=wanted.project,
            portrait_types=_asked(wanted.portrait_types),
            types=_json(wanted.types),
            concepts=_asked(wanted.concepts),
            files=_asked(wanted.files),
        )
        return {row["id"] for row in rows}


def _json(values: Collection[str]) -> str:
    return json.dumps(sorted(values))


def _asked(values: Collection[str]) -> str | None:
    return _json(values) if values else None
