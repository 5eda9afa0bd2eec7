"""The routes that search and list what there is."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.dialects.codexmem import asked as asking
from recollect.dialects.codexmem import searching, shapes
from recollect.dialects.codexmem.asked import Asked
from recollect.dialects.codexmem.kinds import KINDS, OBSERVATIONS, PROMPTS, SESSIONS, is_observation
from recollect.dialects.codexmem.operations import agent_counters
from recollect.model.errors import InvalidRequest, MemoryNotFound
from recollect.service.lookup import Order
from recollect.store.port.listings import Listing

LARGEST_ID = 2**63 - 1


def search(desk: Desk, request: Request) -> Response:
    found = searching.search(desk, Asked.of(request))
    return Response(body=found if isinstance(found, dict) else _content(found))


def timeline(desk: Desk, request: Request) -> Response:
    return Response(body=_content(searching.timeline(desk, Asked.of(request))))


def batch(desk: Desk, request: Request) -> Response:
    return Response(body=chosen(desk, request.body))


def chosen(desk: Desk, values: Mapping[str, object]) -> list[Json]:
    """The observations with these ids that meet the other conditions."""
    asked = Asked(values)
    ids = _ids(values.get("ids"))
    wanted = asking.observations(asked, ids)
    limit = len(ids) if asked.integer("limit") is None else asked.limit()
    is_ascending = asked.choice("orderBy", asking.DATED) is Order.OLDEST
    with desk.store.reading():
        found = desk.store.listings.page(wanted, is_ascending=is_ascending, limit=limit)
        return shapes.observations(desk.store, found)


def observation(desk: Desk, request: Request) -> Response:
    text = request.path["id"]
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit():
        raise InvalidRequest("Invalid observation id")
    id_ = int(text) if len(digits) < len(str(LARGEST_ID)) else None
    with desk.store.reading():
        found = [] if id_ is None else desk.store.memories.get([id_])
        rows = shapes.observations(desk.store, list(filter(is_observation, found)))
    if not rows:
        raise MemoryNotFound(f"Observation #{text} not found", id=text)
    return Response(body=rows[0])


def observations(desk: Desk, request: Request) -> Response:
    return _page(desk, request, OBSERVATIONS, "observations")


def summaries(desk: Desk, request: Request) -> Response:
    return _page(desk, request, SESSIONS, "summaries")


def prompts(desk: Desk, request: Request) -> Response:
    return _page(desk, request, PROMPTS, "prompts")


def projects(desk: Desk, _: Request) -> Response:
    return Response(body={"projects": [*desk.store.listings.projects()]})


def stats(desk: Desk, _: Request) -> Response:
    here = desk.here()
    with desk.store.reading():
        counts = {
            name: desk.store.listings.count(Listing(kinds=kinds)) for name, kinds in KINDS.items()
        }
        sessions, active = desk.store.upkeep.counts().sessions, desk.store.sessions.open()
    return Response(
        body={
            "worker": {
                "version": here.version,
                "uptime": here.uptime_ms // 1000,
                "activeSessions": active,
                "port": here.port,
            },
            "database": {
                "observations": counts[OBSERVATIONS],
                "sessions": sessions,
                "summaries": counts[SESSIONS],
                "prompts": counts[PROMPTS],
                "dbPath": here.store,
            },
            "agentMetrics": agent_counters(desk),
        }
    )


def processing_status(desk: Desk, _: Request) -> Response:
    depth = desk.store.jobs.depth()
    return Response(
        body={
            "isProcessing": depth.processing > 0,
            "queueDepth": depth.open,
            "pending": depth.pending,
            "processing": depth.processing,
            "failed": depth.failed,
        }
    )


def _page(desk: Desk, request: Request, name: str, key: str) -> Response:
    asked = Asked.of(request)
    limit, offset = asked.limit(), asked.offset()
    wanted = Listing(kinds=KINDS[name], project=asked.project())
    with desk.store.reading():
        total = desk.store.listings.count(wanted)
        found = desk.store.listings.page(wanted, limit=limit, offset=offset)
        rows = shapes.ROWS[name](desk.store, found)
    return Response(body={key: rows, "total": total, "hasMore": offset + len(rows) < total})


def _ids(given: object) -> list[int]:
    if not isinstance(given, list):
        raise InvalidRequest("ids must be an array of numbers")
    if any(not isinstance(id_, int) or isinstance(id_, bool) for id_ in given):
        raise InvalidRequest("All ids must be integers")
    return [id_ for id_ in dict.fromkeys(given) if 0 < id_ <= LARGEST_ID]


def _content(text: str) -> dict[str, Json]:
    """As an MCP client shows it."""
    return {"content": [{"type": "text", "text": text}]}


ROUTES: Mapping[str, RouteHandler] = {
    "GET /api/search": search,
    "GET /api/timeline": timeline,
    "POST /api/observations/batch": batch,
    "GET /api/observation/{id}": observation,
    "GET /api/observations": observations,
    "GET /api/summaries": summaries,
    "GET /api/prompts": prompts,
    "GET /api/projects": projects,
    "GET /api/stats": stats,
    "GET /api/processing-status": processing_status,
}
