"""Imported keys in SQLite, and the pages of an export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from recollect.store.sqlite.connection import Connections


class SqliteTransfers:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def own_id(self) -> str:
        row = self._connections.row("own_id")
        assert row is not None
        return str(row["id"])

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        rows = self._connections.rows("imported", keys=json.dumps(list(keys)))
        return {row["key"]: row["memory_id"] for row in rows}

    def note(self, ids_by_key: Mapping[str, int]) -> None:
        rows = [{"key": key, "memory_id": id_} for key, id_ in ids_by_key.items()]
        self._connections.run_many("note_import", rows)

    def keys_of(self, memory_ids: Sequence[int]) -> dict[int, str]:
        rows = self._connections.rows("import_keys", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: row["key"] for row in rows}

    def page(self, *, after: int, project: str | None, limit: int) -> list[int]:
        rows = self._connections.rows("export_page", after=after, project=project, limit=limit)
        return [row["id"] for row in rows]
