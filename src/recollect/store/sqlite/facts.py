"""Claims in SQLite, one row beside the memory that makes it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.model.fact import Claim, subject_key
from recollect.store.port.facts import Claimed
from recollect.store.sqlite.connection import Connections, Row


class SqliteFacts:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, memory_id: int, claim: Claim, *, public_id: str, content_key: str | None) -> None:
        self._connections.run(
            "add_fact",
            memory_id=memory_id,
            public_id=public_id,
            subject=claim.subject,
            subject_key=subject_key(claim.subject),
            category=claim.category,
            confidence=claim.confidence,
            content_key=content_key,
        )

    def twin(self, claim: Claim, content_key: str) -> int | None:
        row = self._connections.row(
            "same_fact",
            content_key=content_key,
            subject_key=subject_key(claim.subject),
            category=claim.category,
        )
        return None if row is None else int(row["memory_id"])

    def find(self, public_id: str) -> Claimed | None:
        row = self._connections.row("fact_by_public_id", public_id=public_id)
        return None if row is None else _claimed(row)

    def of(self, memory_ids: Sequence[int]) -> dict[int, Claimed]:
        rows = self._connections.rows("facts_of", ids=json.dumps(list(memory_ids)))
        return {row["memory_id"]: _claimed(row) for row in rows}


def _claimed(row: Row) -> Claimed:
    return Claimed(
        memory_id=row["memory_id"],
        public_id=row["public_id"],
        claim=Claim(subject=row["subject"], category=row["category"], confidence=row["confidence"]),
        is_live=bool(row["is_live"]),
        reason=row["reason"],
    )
