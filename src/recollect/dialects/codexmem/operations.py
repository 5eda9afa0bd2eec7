"""The routes that tell how the worker has been doing, and their exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.dialect.validate import LARGEST
from recollect.dialects.codexmem import figures, filters, sheets
from recollect.dialects.codexmem.filters import Asked
from recollect.dialects.codexmem.kinds import KINDS, OBSERVATIONS, PROMPTS, SESSIONS
from recollect.dialects.codexmem.sheets import Cell
from recollect.model.clock import DAY
from recollect.model.errors import InvalidArgument
from recollect.service import operations
from recollect.store.port.listings import Listing

COUNTERS = ("success", "parse_fail", "schema_fail", "repair_fail", "fallback_used")
SOURCES = {"observations": OBSERVATIONS, "summaries": SESSIONS, "prompts": PROMPTS}
SECOND = 1000
AGENTS = ("observation", "summary")
"""Counters are kept as `<agent>.<counter>`."""


def index_status(desk: Desk, _: Request) -> Response:
    index = desk.index()
    with desk.store.reading():
        totals: dict[str, Json] = {
            published: desk.store.listings.count(Listing(kinds=KINDS[name]))
            for published, name in SOURCES.items()
        }
    here: dict[str, Json] = {
        "enabled": index.backend != "chroma",
        "observationEmbeddings": index.embedded["observation"],
    }
    afar: dict[str, Json] = {
        "enabled": index.backend != "sqlite",
        "configured": index.is_configured,
    }
    if index.is_reachable is not None:
        afar["reachable"] = index.is_reachable
    return Response(
        body={"backend": index.backend, "sqlite": here, "chroma": afar, "sourceTotals": totals}
    )


def agent_metrics(desk: Desk, _: Request) -> Response:
    return Response(body={"metrics": agent_counters(desk)})


def agent_counters(desk: Desk) -> dict[str, Json]:
    return {agent: _counted(desk, agent) for agent in AGENTS}


def reset_agent_metrics(desk: Desk, _: Request) -> Response:
    with desk.store.transaction():
        for agent in AGENTS:
            desk.store.operations.reset(f"{agent}.")
    return Response(body={"success": True})


def retry_failed(desk: Desk, request: Request) -> Response:
    session_number = request.body.get("sessionDbId")
    if session_number is not None and type(session_number) is not int:
        raise InvalidArgument("sessionDbId", "must be an integer")
    held = None if session_number is None else max(-LARGEST, min(session_number, LARGEST))
    return Response(body={"success": True, "retried": desk.retry(held)})


def search_traces(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    wanted, limit = filters.traces(asked), asked.within("limit", 20, 1, 200)
    traces = desk.store.operations.traces(wanted, limit=limit)
    return Response(
        body={
            "traces": [figures.trace(trace) for trace in traces],
            "total": desk.store.operations.count_traces(wanted),
            "filters": filters.echo_of_traces(wanted),
        }
    )


def session_timings(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    wanted, limit = filters.timings(asked), asked.within("limit", 50, 1, 500)
    return Response(
        body={
            "timings": [figures.timing(job) for job in desk.store.jobs.ended(wanted, limit=limit)],
            "aggregate": figures.means(desk.store.jobs.means(wanted)),
            "filters": filters.echo_of_timings(wanted),
        }
    )


def failure_summary(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    wanted, limit = filters.failures(asked), asked.within("limit", 30, 1, 300)
    classes = desk.store.jobs.failure_classes(wanted)
    failures = desk.store.jobs.failures(wanted, limit=limit)
    return Response(
        body={
            "summary": {
                "total": sum(count for _, count in classes),
                "classes": [{"errorClass": name, "count": count} for name, count in classes],
            },
            "recent": [figures.failure(failure) for failure in failures],
            "filters": filters.echo_of_failures(wanted),
        }
    )


def export_traces(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    form, wanted = _form(asked), filters.traces(asked)
    traces = desk.store.operations.traces(wanted, limit=None)
    if form == sheets.CSV:
        return _sheet(figures.TRACE_COLUMNS, map(figures.trace_row, traces))
    return _lines(map(figures.trace, traces))


def export_timings(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    form, wanted = _form(asked), filters.timings(asked)
    jobs = operations.ended(desk.store, wanted)
    if form == sheets.CSV:
        return _sheet(figures.TIMING_COLUMNS, map(figures.timing_row, jobs))
    return _lines(map(figures.timing, jobs))


def export_failures(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    form, wanted = _form(asked), filters.failures(asked)
    failures = desk.store.jobs.failures(wanted, limit=None)
    if form == sheets.CSV:
        return _sheet(figures.FAILURE_COLUMNS, map(figures.failure_row, failures))
    return _lines(map(figures.failure, failures))


def trends(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    window = asked.within("windowSec", 3600, 60, 86_400)
    width = asked.within("bucketSec", 60, 10, 3600)
    end = _end(asked, now=desk.clock(), first=window * SECOND)
    stretches = operations.trends(desk.store, now=end, window=window, width=width)
    return Response(
        body={
            "windowSec": window,
            "bucketSec": width,
            "buckets": [figures.stretch(stretch) for stretch in stretches],
        }
    )


def _end(asked: Asked, *, now: int, first: int) -> int:
    """The last moment of a window. One ahead of now lets buckets begin at round times; further
    than a day there is nothing, and before 1970 neither."""
    end = asked.moment("to", is_end=True)
    return now if end is None else max(first, min(end, now + DAY))


def _counted(desk: Desk, agent: str) -> dict[str, Json]:
    counted = desk.store.operations.counters(f"{agent}.")
    return {name: counted.get(f"{agent}.{name}", 0) for name in COUNTERS}


def _form(asked: Asked) -> str:
    return asked.choice("format", filters.FORMATS) or sheets.CSV


def _sheet(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    parts = sheets.parts(sheets.csv(columns, rows))
    return Response(media_type=sheets.MEDIA_TYPES[sheets.CSV], parts=parts)


def _lines(entries: Iterable[Json]) -> Response:
    parts = sheets.parts(sheets.ndjson(entries))
    return Response(media_type=sheets.MEDIA_TYPES[sheets.NDJSON], parts=parts)


ROUTES: Mapping[str, RouteHandler] = {
    "GET /api/ops/index-status": index_status,
    "GET /api/ops/agent-metrics": agent_metrics,
    "POST /api/ops/agent-metrics/reset": reset_agent_metrics,
    "POST /api/ops/retry-failed": retry_failed,
    "GET /api/ops/search-traces": search_traces,
    "GET /api/ops/search-traces/export": export_traces,
    "GET /api/ops/session-timings": session_timings,
    "GET /api/ops/session-timings/export": export_timings,
    "GET /api/ops/failure-summary": failure_summary,
    "GET /api/ops/failure-summary/export": export_failures,
    "GET /api/ops/trends": trends,
}
