"""Searching and looking around, for the routes and the tools alike."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json
from recollect.dialects.codexmem import asked as asking
from recollect.dialects.codexmem.asked import Asked
from recollect.dialects.codexmem.kinds import KINDS, OBSERVATIONS, PROMPTS, SESSIONS
from recollect.dialects.codexmem.shapes import ROWS
from recollect.dialects.codexmem.telling import lines, table
from recollect.model.memory import Memory
from recollect.model.question import Question
from recollect.search.profile import DEFAULT
from recollect.service import traces
from recollect.service.lookup import Looked, Order, Shelf, Wanted, look_up
from recollect.store.port.listings import Listing
from recollect.store.port.operations import Trace

HYBRID, LEXICAL = "hybrid", "lexical-only"
FORMS = {"json": True, "text": False}
DEPTH = 3
MOST_DEPTH = 100
_ANCHOR = re.compile(r"#?[SP]?([0-9]{1,18})", re.IGNORECASE)
_VECTOR_HITS = (
    ("sqliteObservations", OBSERVATIONS, "sqlite"),
    ("chromaObservations", OBSERVATIONS, "chroma"),
    ("chromaSummaries", SESSIONS, "chroma"),
    ("chromaPrompts", PROMPTS, "chroma"),
)


def search(desk: Desk, asked: Asked) -> str | dict[str, Json]:
    """A text, or an object when JSON was asked for."""
    is_json = asked.choice("format", FORMS) or False
    text = asked.text("query")
    order = asked.choice("orderBy", asking.ORDERS) or Order.RELEVANCE
    wanted = Wanted(
        text=text,
        shelves=asking.shelves(asked),
        order=order,
        limit=asked.limit(),
        offset=asked.offset(),
    )
    began = time.perf_counter()
    found = look_up(desk.store, desk.finder, wanted)
    took_ms = (time.perf_counter() - began) * 1000
    _trace(desk, asked, wanted, found, took_ms)
    return _json(desk, found) if is_json else _table(desk, wanted, found)


def timeline(desk: Desk, asked: Asked) -> str:
    before = asked.within("depth_before", DEPTH, 0, MOST_DEPTH)
    after = asked.within("depth_after", DEPTH, 0, MOST_DEPTH)
    named = _named(asked)
    project = asked.project()
    anchor = _best(desk, asked, project) if named is None else _memory(desk, named)
    if anchor is None:
        return "No timeline anchor found." if named is None else f"Anchor #{named} not found."
    listing = Listing(kinds=KINDS[OBSERVATIONS], project=project or anchor.project)
    with desk.store.reading():
        earlier, later = desk.store.listings.beside(anchor, listing, before=before, after=after)
        shown = [*earlier, anchor, *later]
        painted = desk.store.portraits.of([memory.id for memory in shown])
    head = f"Timeline around anchor={anchor.id} (before={before}, after={after})"
    return "\n".join((head, "", *lines(shown, painted)))


def mode_of(found: Looked) -> str:
    return HYBRID if found.used_vectors else LEXICAL


def _json(desk: Desk, found: Looked) -> dict[str, Json]:
    degraded: dict[str, Json] = {} if found.problem is None else {"degraded": found.problem}
    rows: dict[str, Json] = {
        name: make(desk.store, [row.memory for row in _shelf(found, name).rows])
        for name, make in ROWS.items()
    }
    return {"searchMode": mode_of(found), **degraded, **rows}


def _table(desk: Desk, wanted: Wanted, found: Looked) -> str:
    rows = [row for name in KINDS for row in _shelf(found, name).rows]
    if wanted.text is not None and wanted.order is Order.RELEVANCE:
        rows.sort(key=lambda row: -(row.score or 0.0))
    else:
        rows.sort(
            key=lambda row: (row.memory.created_at, row.memory.id),
            reverse=wanted.order is not Order.OLDEST,
        )
    counts = [len(_shelf(found, name).rows) for name in (OBSERVATIONS, SESSIONS, PROMPTS)]
    memories = [row.memory for row in rows]
    painted = desk.store.portraits.of([memory.id for memory in memories])
    return table(wanted.text, mode_of(found), counts, memories, painted, problem=found.problem)


def _shelf(found: Looked, name: str) -> Shelf:
    return found.shelves.get(name) or Shelf()


def _trace(desk: Desk, asked: Asked, wanted: Wanted, found: Looked, took_ms: float) -> None:
    project = asked.project()
    results: dict[str, int] = {name: len(_shelf(found, name).rows) for name in KINDS}
    by_words: dict[str, int] = {
        name: sum(row.has_words for row in _shelf(found, name).rows)
        if wanted.text is not None
        else results[name]
        for name in KINDS
    }
    detail: dict[str, object] = {
        "limit": wanted.limit,
        "offset": wanted.offset,
        **_order(asked),
        "lexicalCounts": by_words,
        "vectorHits": {
            name: _shelf(found, shelf).near.get(place, 0) for name, shelf, place in _VECTOR_HITS
        },
        "resultCounts": results,
    }
    trace = Trace(
        at=desk.clock(),
        query=wanted.text or "",
        project=project,
        mode=mode_of(found),
        took_ms=took_ms,
        detail=detail,
    )
    traces.keep(desk.store, trace, desk.rules(project or ""))


def _order(asked: Asked) -> Mapping[str, str]:
    named = asked.text("orderBy")
    return {} if named is None else {"orderBy": named.lower()}


def _named(asked: Asked) -> int | None:
    """The memory that an anchor names: 12, "12" or "#12"; what is no id names nothing."""
    value = asked.values.get("anchor")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = asked.text("anchor")
    read = None if text is None else _ANCHOR.fullmatch(text)
    return None if read is None else int(read[1])


def _memory(desk: Desk, id_: int) -> Memory | None:
    shown = frozenset().union(*KINDS.values())
    found = desk.store.memories.get([id_])
    return next((each for each in found if each.retired_at is None and each.kind in shown), None)


def _best(desk: Desk, asked: Asked, project: str | None) -> Memory | None:
    text = asked.text("query")
    if text is None:
        return None
    question = Question(text=text, project=project, kinds=KINDS[OBSERVATIONS], limit=1)
    hits = desk.finder().find(question, DEFAULT, is_kept=False).hits
    return hits[0].memory if hits else None
