"""Facts as Memento's JSON. Times are UTC, by the second."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from recollect.dialect.spec import Json
from recollect.service.facts import Fact, Stats


def item(fact: Fact) -> dict[str, Json]:
    memory, claim = fact.memory, fact.claimed.claim
    shown: dict[str, Json] = {
        "id": fact.claimed.public_id,
        "content": memory.text,
        "subject": claim.subject,
        "category": claim.category,
        "tags": list(memory.tags),
        "confidence": claim.confidence,
        "created_at": time(memory.created_at),
        "updated_at": time(memory.updated_at),
    }
    if not fact.claimed.is_live:
        shown |= {"outdated": True, "reason": fact.claimed.reason}
    return shown


def items(facts: Iterable[Fact]) -> list[Json]:
    return [item(fact) for fact in facts]


def stats(counted: Stats) -> dict[str, Json]:
    return {
        "total_memories": counted.total,
        "by_category": dict(counted.by_category),
        "by_subject": dict(counted.by_subject),
        "oldest_memory": None if counted.oldest is None else time(counted.oldest),
        "newest_memory": None if counted.newest is None else time(counted.newest),
    }


def time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return moment.replace(tzinfo=None).isoformat() + "Z"
