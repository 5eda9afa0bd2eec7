"""Vectors in SQLite: a row of bytes for each memory, model and view."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.model.errors import VectorMisfit
from recollect.model.memory import Kind, Origin
from recollect.search.meaning import KINDS, LONGEST, Parts
from recollect.store.port.vectors import Change, Made, Mark, Model, Tail, Unread
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections, Row

BYTES_EACH = 2
"""Of a half float."""


class SqliteVectors:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def model_id(self, name: str, dimension: int) -> int:
        row = self._connections.row("find_model", model=name)
        if row is None:
            row = self._connections.row("add_model", model=name, dimension=dimension)
            assert row is not None
        elif row["dimension"] != dimension:
            raise VectorMisfit(
                f"the model {name} has made vectors of {row['dimension']} numbers, not {dimension}",
                model=name,
                dimension=dimension,
            )
        return int(row["id"])

    def models(self) -> list[Model]:
        return [Model(*row) for row in self._connections.rows("models")]

    def tail(self, model: str) -> Tail:
        row = self._connections.row("vector_tail", model=model)
        assert row is not None
        model_id, dimension, vector_seq, change_seq, oldest = row
        return Tail(
            None if model_id is None else (model_id, dimension),
            vector_seq,
            change_seq,
            change_seq + 1 if oldest is None else oldest,
        )

    def put(self, model_id: int, view: str, made: Sequence[Made]) -> int:
        row = self._connections.row("model_dimension", model_id=model_id)
        if row is None:
            return 0  # forgotten while it was at work
        expected = BYTES_EACH * row["dimension"]
        for each in made:
            if len(each.vector) not in (0, expected):
                raise VectorMisfit(
                    f"a vector of {len(each.vector)} bytes, where the model's have {expected}",
                    memory_id=each.memory_id,
                )
        return sum(
            self._connections.run(
                "put_vector",
                model_id=model_id,
                view=view,
                memory_id=each.memory_id,
                version=each.version,
                vector=each.vector,
            )
            for each in made
        )

    def since(
        self, model_id: int, view: str, seq: int, limit: int
    ) -> tuple[list[int], list[int], list[bytes]]:
        rows = self._connections.rows(
            "vectors_since", model_id=model_id, view=view, seq=seq, limit=limit
        )
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]

    def changes(self, model_id: int, view: str, seq: int, limit: int) -> list[Change]:
        rows = self._connections.rows(
            "vector_changes", model_id=model_id, view=view, seq=seq, limit=limit
        )
        return [Change(row[0], row[1], bool(row[2])) for row in rows]

    def missing(self, model_id: int, view: str, after_id: int, limit: int) -> list[Unread]:
        rows = self._connections.rows(
            "unread_after",
            model_id=model_id,
            view=view,
            kinds=_kinds(view),
            most=LONGEST,
            after=after_id,
            limit=limit,
        )
        return [_unread(row) for row in rows]

    def unread(self, model_id: int, view: str, ids: Sequence[int]) -> list[Unread]:
        rows = self._connections.rows(
            "unread_among",
            model_id=model_id,
            view=view,
            kinds=_kinds(view),
            most=LONGEST,
            ids=json.dumps(list(ids)),
        )
        return [_unread(row) for row in rows]

    def mark(self, model_id: int, view: str) -> Mark | None:
        row = self._connections.row("embedding_mark", model_id=model_id, view=view)
        return None if row is None else Mark(row["change_seq"], row["backlog_id"])

    def move_mark(self, model_id: int, view: str, mark: Mark | None, to: Mark) -> bool:
        place = {
            "model_id": model_id,
            "view": view,
            "to_seq": to.change_seq,
            "to_id": to.backlog_id,
        }
        if mark is None:
            return self._connections.run("add_embedding_mark", **place) > 0
        moved = self._connections.run(
            "move_embedding_mark", **place, from_seq=mark.change_seq, from_id=mark.backlog_id
        )
        return moved > 0

    def count(self, model_id: int, view: str) -> int:
        return self._number("count_vectors", model_id=model_id, view=view)

    def unreadable(self, model_id: int, view: str, limit: int) -> list[int]:
        rows = self._connections.rows("unreadable", model_id=model_id, view=view, limit=limit)
        return [row["memory_id"] for row in rows]

    def wanted(self, view: str) -> int:
        return self._number("count_meaningful", kinds=_kinds(view))

    def drop(self, model_id: int, view: str, memory_ids: Sequence[int]) -> None:
        ids = json.dumps(list(memory_ids))
        self._connections.run("drop_vectors", model_id=model_id, view=view, ids=ids)
        # Told as a change: whoever follows lets go of them, and whoever embeds makes new ones.
        self._connections.run("note_changes", ids=ids)

    def forget(self, model_id: int, limit: int) -> int:
        gone = self._connections.run("forget_vectors", model_id=model_id, limit=limit)
        if gone < limit:
            self._connections.run("delete_model", model_id=model_id)
        return gone

    def _number(self, name: str, **parameters: object) -> int:
        row = self._connections.row(name, **parameters)
        assert row is not None
        return int(row[0])


def _kinds(view: str) -> str:
    return json.dumps(sorted(kind.value for kind in KINDS[view]))


def _unread(row: Row) -> Unread:
    parts = Parts(
        kind=Kind(row["kind"]),
        origin=Origin(row["origin"]),
        speaker=row["speaker"],
        title=row["title"],
        text=row["text"],
        file_path=row["file_path"],
        subject=row["subject"],
        category=row["category"],
        tags=shapes.labels(row["tags"]),
        portrait=row["portrait"] or "",
    )
    return Unread(row["id"], row["updated_at"], parts)
