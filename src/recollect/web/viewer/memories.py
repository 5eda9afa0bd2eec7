"""Memories for the page: listed, searched, and each with all that is known of it."""

from __future__ import annotations

import json
import time

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, as_json
from recollect.model.errors import MemoryNotFound
from recollect.model.memory import Kind, Memory, Origin
from recollect.service import browse
from recollect.store.port.browsing import Wanted
from recollect.store.port.listings import Listing
from recollect.store.port.store import Store
from recollect.web.viewer import shapes
from recollect.web.viewer.asked import Asked, cursor_of, id_in

KINDS = tuple(kind.value for kind in Kind)
ORIGINS = tuple(origin.value for origin in Origin)
SHOWN = frozenset(Kind) - {Kind.THOUGHT, Kind.LIFECYCLE}
"""The kinds that are listed where none is named: what somebody may want to find again."""
LONGEST_QUESTION = 10_000
AROUND = 3
"""Neighbours on each side."""


def listed(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    text = asked.text("q", most=LONGEST_QUESTION)
    meant = listing(asked)
    began = time.perf_counter()
    if text is None:
        page = browse.listed(desk.store, meant, after=asked.place(), limit=asked.limit())
    else:
        page = browse.asked(
            desk.store, desk.finder, text, meant, offset=asked.rank(), limit=asked.limit()
        )
    took_ms = (time.perf_counter() - began) * 1000
    return Response(body=page_of(desk.store, page) | {"took_ms": round(took_ms, 1)})


def page_of(store: Store, page: browse.Page) -> dict[str, Json]:
    return {
        "items": shapes.items(store, page.rows),
        "next": cursor_of(page.next),
        "total": page.total,
        "query_id": page.query_id,
        "mode": page.mode,
        "problem": page.problem,
    }


def listing(asked: Asked) -> Wanted:
    """The filters that every list of memories has."""
    kinds = frozenset(map(Kind, asked.among("kind", KINDS)))
    types = asked.words("type")
    origins = asked.among("origin", ORIGINS)
    return Wanted(
        kinds=kinds or (frozenset(Kind) if types else SHOWN),  # who names a type means it
        project=asked.project(),
        types=types,
        file=asked.text("file"),
        origins=origins,
        since=asked.moment("since"),
        until=asked.moment("until", is_end=True),
        is_pinned=asked.flag("pinned"),
        is_retired=asked.flag("outdated") or False,
    )


def one(desk: Desk, request: Request) -> Response:
    with desk.store.reading():
        return Response(body=_whole(desk.store, memory_of(desk.store, request)))


def memory_of(store: Store, request: Request) -> Memory:
    """The memory that the path names."""
    named = request.path.get("id", "")
    found = store.memories.get([id_in(request.path)])
    if not found:
        raise MemoryNotFound(f"there is no memory {named[:40]}", id=named)
    return found[0]


def _whole(store: Store, memory: Memory) -> dict[str, Json]:
    ids = [memory.id]
    (item,) = shapes.memories(store, [memory])
    assert isinstance(item, dict)
    frames = store.frames.get(ids)
    prompts = store.memories.get([memory.prompt_id]) if memory.prompt_id is not None else []
    before, after = _neighbours(store, memory)
    return {
        **item,
        **shapes.about(memory),
        "portrait": shapes.portrait(store.portraits.of(ids).get(memory.id)),
        "recap": shapes.recap(store.portraits.recaps_of(ids).get(memory.id)),
        "claim": shapes.claim(store.facts.of(ids).get(memory.id)),
        "frame": shapes.frame(frames[0]) if frames else None,
        "history": shapes.history(store.memories.former(memory.id)),
        "event": _event(store, memory),
        "prompt": {"id": prompts[0].id, "text": prompts[0].text} if prompts else None,
        "neighbours": {
            "before": shapes.memories(store, before),
            "after": shapes.memories(store, after),
        },
    }


def _neighbours(store: Store, memory: Memory) -> tuple[list[Memory], list[Memory]]:
    """Of its session; of what has none, those of its project at about the same time."""
    if memory.session_id is not None:
        return store.memories.around(memory, before=AROUND, after=AROUND)
    of_project = Listing(kinds=SHOWN, project=memory.project)
    return store.listings.beside(memory, of_project, before=AROUND, after=AROUND)


def _event(store: Store, memory: Memory) -> Json:
    """What the hook told, cleaned; None when nothing is kept of it."""
    if memory.event_id is None:
        return None
    document = store.events.documents([memory.event_id]).get(memory.event_id)
    return as_json(json.loads(document)) if document else None
