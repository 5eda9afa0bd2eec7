"""The worker's HTTP application: its own routes, the dialects', the MCP doors, the guard around it.

What the worker does behind it is told by `health`; who starts it is `cli.up`.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route, compile_path

from recollect import __version__
from recollect.web.guard import Guard, Rules, Ways
from recollect.web.mount import Doors, mcp_routes
from recollect.web.openapi import document
from recollect.web.problems import Json, on_crash, on_http_exception
from recollect.web.routes import dialect_routes, pattern
from recollect.web.viewer.entrance import entrance_routes
from recollect.web.viewer.page import page_routes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from recollect.dialect import spec
    from recollect.dialect.reply import LetIn, Serve
    from recollect.worker.loop import Vitals


@dataclass(frozen=True, slots=True)
class Worker:
    """What the application shows of the process it runs in."""

    vitals: Callable[[], Vitals]
    on_start: Callable[[], None]
    """Called once the application is about to listen; must not block."""


@dataclass(frozen=True, slots=True)
class Published:
    """The routes of all dialects, and what answers them; called in a thread."""

    routes: tuple[spec.Route, ...]
    serve: Serve
    let_in: LetIn | None = None
    """Asks the gate of a route that has one."""
    schemas: Mapping[str, spec.Json] = field(default_factory=dict)
    """What the routes call by name when they are described."""


def application(
    worker: Worker,
    doors: Doors,
    rules: Rules,
    *,
    default: str,
    published: Published | None = None,
    events: ASGIApp | None = None,
) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with doors.run():
            worker.on_start()
            yield

    app = Starlette(
        routes=[
            *_own_routes(worker),
            *page_routes(),
            *entrance_routes(rules.token),
            _description(published, has_token=bool(rules.token)),
            *([Route("/api/events", events, methods=["GET"])] if events else ()),
            *_dialects(published),
            *mcp_routes(doors, default),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: on_http_exception, Exception: on_crash},
    )
    app.router.redirect_slashes = False  # a redirect has no JSON to it
    return Guard(app, rules, _ways(published))


def _dialects(published: Published | None) -> list[BaseRoute]:
    if published is None:
        return []
    return dialect_routes(published.routes, published.serve, published.let_in)


def _ways(published: Published | None) -> Ways:
    """What the guard has to know of the dialects' routes."""
    routes = published.routes if published else ()
    shared = {pattern(route) for route in routes if route.gate is None}
    return Ways(
        locked=_patterns({pattern(route) for route in routes} - shared),
        large=_patterns(pattern(route) for route in routes if route.is_large),
    )


def _patterns(paths: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(compile_path(path)[0] for path in dict.fromkeys(paths))


def _description(published: Published | None, *, has_token: bool) -> BaseRoute:
    routes = published.routes if published else ()
    schemas = published.schemas if published else {}

    def describe(_: Request) -> Json:
        return Json(document(routes, schemas, has_token=has_token))

    return Route("/api/openapi.json", describe)


def _own_routes(worker: Worker) -> list[BaseRoute]:
    started = time.monotonic()

    def health(_: Request) -> Json:
        vitals = worker.vitals()
        return Json(
            {
                "status": "ok",
                "version": __version__,
                "initialized": vitals.is_initialized,
                "mcpReady": vitals.is_open,
                "pid": os.getpid(),
                "uptime": int((time.monotonic() - started) * 1000),
                "waiting": vitals.waiting,
                "last_error": vitals.last_error,
            }
        )

    def readiness(_: Request) -> Json:
        if worker.vitals().is_initialized:
            return Json({"status": "ready"})
        return Json({"status": "initializing"}, status_code=503)

    def version(_: Request) -> Json:
        return Json({"version": __version__})

    def alive(_: Request) -> Json:
        return Json({"status": "ok"})

    return [
        Route("/health", alive),
        Route("/api/health", health),
        Route("/api/readiness", readiness),
        Route("/api/version", version),
    ]
