"""Claims in SQLite, one row beside the memory that makes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from recollect.model.fact import CATEGORIES, Claim, subject_key
from recollect.model.memory import CLAIMING
from recollect.store.port.facts import Claimed, Counted, Entry, Tail
from recollect.store.sqlite.connection import Connections, Row

_CATEGORIES = json.dumps(CATEGORIES)
_KINDS = json.dumps(sorted(kind.value for kind in CLAIMING))


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
            categories=_CATEGORIES,
        )

    def confirm(self, memory_id: int, *, confidence: float) -> None:
        self._connections.run("confirm_fact", id=memory_id, confidence=confidence)

    def reword(self, memory_id: int, *, content_key: str | None, reason: str | None) -> None:
        self._connections.run("reword_fact", id=memory_id, content_key=content_key, reason=reason)

    def explain(self, memory_id: int, reason: str | None) -> None:
        self._connections.run("explain_fact", id=memory_id, reason=reason)

    def newest(self, *, subject_key: str | None, limit: int) -> list[int]:
        if subject_key is None:
            rows = self._connections.rows("newest_facts", limit=limit)
        else:
            rows = self._connections.rows(
                "newest_facts_about",
                subject_key=subject_key,
                categories=_CATEGORIES,
                limit=limit,
            )
        return [row["memory_id"] for row in rows]

    def counted(self, *, subject_key: str | None) -> Counted:
        rows = self._connections.rows("count_facts", subject_key=subject_key)
        categories, subjects, first = Counter[str](), Counter[str](), dict[str, int]()
        for key, category, count, oldest in rows:
            categories[category] += count
            subjects[key] += count
            first[key] = min(oldest, first.get(key, oldest))
        shown = self.of(list(first.values()))
        span = self._span(subject_key)
        return Counted(
            by_category=categories,
            by_subject={
                shown[first[key]].claim.subject: count for key, count in subjects.most_common()
            },
            oldest=span["oldest"],
            newest=span["newest"],
        )

    def _span(self, subject_key: str | None) -> Row:
        if subject_key is None:
            row = self._connections.row("span_of_facts", kinds=_KINDS)
        else:
            row = self._connections.row("span_of_facts_about", subject_key=subject_key)
        assert row is not None
        return row

    def tail(self) -> Tail:
        row = self._connections.row("facts_tail")
        assert row is not None
        newest, oldest = row
        return Tail(newest, newest + 1 if oldest is None else oldest)

    def page(self, after: int, limit: int) -> list[Entry]:
        return [
            Entry(*row) for row in self._connections.rows("facts_after", after=after, limit=limit)
        ]

    def since(self, seq: int, limit: int) -> list[tuple[int, int, Entry | None]]:
        return [
            (row[0], row[1], None if row[2] is None else Entry(row[1], row[2], row[3], row[4]))
            for row in self._connections.rows("facts_since", seq=seq, limit=limit)
        ]

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
