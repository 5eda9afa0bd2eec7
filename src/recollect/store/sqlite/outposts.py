"""How far vectors were brought elsewhere, in SQLite, and the vectors that are to be brought."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from recollect.model.memory import Kind
from recollect.store.port.outposts import Brought, Embedded
from recollect.store.sqlite.connection import Connections, Row


class SqliteOutposts:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def mark(self, place: str) -> Brought | None:
        row = self._connections.row("outpost_mark", place=place)
        return None if row is None else Brought(*row)

    def move_mark(self, place: str, mark: Brought | None, to: Brought) -> bool:
        wanted = {
            "place": place,
            "identity": to.identity,
            "model": to.model,
            "change_seq": to.change_seq,
            "vector_seq": to.vector_seq,
        }
        if mark is None:
            return self._connections.run("add_outpost_mark", **wanted) > 0
        moved = self._connections.run(
            "move_outpost_mark",
            **wanted,
            from_identity=mark.identity,
            from_model=mark.model,
            from_change=mark.change_seq,
            from_vector=mark.vector_seq,
        )
        return moved > 0

    def since(self, model_id: int, view: str, seq: int, limit: int) -> list[Embedded]:
        rows = self._connections.rows(
            "embedded_since", model_id=model_id, view=view, seq=seq, limit=limit
        )
        return [_embedded(row) for row in rows]

    def newest(
        self, model_id: int, view: str, kinds: Collection[Kind], project: str | None, limit: int
    ) -> list[Embedded]:
        rows = self._connections.rows(
            "newest_embedded",
            model_id=model_id,
            view=view,
            kinds=json.dumps(sorted(kind.value for kind in kinds)),
            project=project,
            limit=limit,
        )
        return [_embedded(row) for row in rows]

    def embedded(self, model_id: int, view: str, ids: Sequence[int]) -> set[int]:
        rows = self._connections.rows(
            "embedded_among", model_id=model_id, view=view, ids=json.dumps(list(ids))
        )
        return {row["memory_id"] for row in rows}

    def counts(self, model_id: int, view: str) -> dict[Kind, int]:
        rows = self._connections.rows("count_embedded", model_id=model_id, view=view)
        return {Kind(row["kind"]): row["many"] for row in rows}

    def count_through(self, model_id: int, view: str, seq: int) -> int:
        row = self._connections.row("count_through", model_id=model_id, view=view, seq=seq)
        assert row is not None
        return int(row[0])


def _embedded(row: Row) -> Embedded:
    seq, memory_id, kind, project, created_at, vector = row
    return Embedded(seq, memory_id, Kind(kind), project, created_at, vector)
