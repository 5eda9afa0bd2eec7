"""Recent: the actions that matter most right now, by composite score.

The score falls with age and rises with type and project. Within one type and one side of the
project border only age differs, so the newest few of each are enough to find the best of all:
the cost does not grow with the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from recollect.model.memory import Memory, Type
from recollect.search import rank
from recollect.store.port.memories import Trace
from recollect.store.port.store import Store


class Side(Enum):
    """Which side of the project border."""

    WITHIN = "within"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Scored:
    memory: Memory
    score: float


def recent(store: Store, *, now: int, project: str | None, limit: int) -> list[Scored]:
    """The best of all projects; those of the project asked for weigh more."""
    candidates = list(_newest(store, project, Side.ELSEWHERE, limit))
    if project is not None:
        candidates += _newest(store, project, Side.WITHIN, limit)
    scores = {
        candidate.id: rank.composite(
            age_ms=now - candidate.created_at,
            type_=candidate.type,
            matches=None if project is None else candidate.project == project,
        )
        for candidate in candidates
    }
    return _best(store, candidates, scores, limit)


def recent_on(store: Store, *, now: int, project: str, side: Side, limit: int) -> list[Scored]:
    """The best of one side of the border alone; the project itself does not weigh.

    What is told to a new session: a compaction was a moment of the session, not something done.
    """
    newest = _newest(store, project, side, limit)
    candidates = [trace for trace in newest if trace.type != Type.SESSION_COMPACT]
    scores = {
        candidate.id: rank.composite(
            age_ms=now - candidate.created_at, type_=candidate.type, matches=None
        )
        for candidate in candidates
    }
    return _best(store, candidates, scores, limit)


def _best(
    store: Store, candidates: list[Trace], scores: dict[int, float], limit: int
) -> list[Scored]:
    order = sorted(candidates, key=lambda trace: (-scores[trace.id], -trace.created_at, -trace.id))
    ids = [trace.id for trace in _one_for_each_path(order)][:limit]
    return [Scored(memory, scores[memory.id]) for memory in store.memories.get(ids)]


def _newest(store: Store, project: str | None, side: Side, limit: int) -> Iterator[Trace]:
    for type_ in store.memories.action_types():
        yield from _newest_of_type(store, type_, project, side, limit)


def _newest_of_type(
    store: Store, type_: str, project: str | None, side: Side, limit: int
) -> list[Trace]:
    """The newest of a type, as many different paths as can be wanted."""
    found: list[Trace] = []
    offset, page = 0, 2 * limit
    while True:
        rows = store.memories.newest_actions(
            type_, project=project, is_elsewhere=side is Side.ELSEWHERE, limit=page, offset=offset
        )
        found = list(_one_for_each_path(found + rows))
        if len(rows) < page or len(found) >= limit:
            return found[:limit]
        offset, page = offset + page, 4 * page


def _one_for_each_path(traces: list[Trace]) -> Iterator[Trace]:
    """The first of each file path; what has no path is always its own."""
    seen: set[str] = set()
    for trace in traces:
        if trace.file_path is None:
            yield trace
        elif trace.file_path not in seen:
            seen.add(trace.file_path)
            yield trace
