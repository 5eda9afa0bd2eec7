"""The route that brings vectors to the server once more."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Request, Response, RouteHandler
from recollect.model.errors import InvalidRequest, RecollectError
from recollect.model.scope import project_named

FEWEST, USUAL, MOST = 1, 1_000, 10_000
"""Memories of each sort in one backfill."""


def backfill(desk: Desk, request: Request) -> Response:
    project, limit = request.body.get("project"), request.body.get("limit")
    if project is not None and not isinstance(project, str):
        raise InvalidRequest("project must be a string")
    if limit is not None and type(limit) is not int:
        raise InvalidRequest("limit must be an integer")
    named = project_named(project) if project else None
    many = USUAL if limit is None else max(FEWEST, min(limit, MOST))
    try:
        brought = desk.backfill(named, many)
    except RecollectError as error:
        return Response(status=500, body={"error": "backfill_failed", "detail": error.message})
    return Response(
        body={
            "success": True,
            "project": project or None,
            "observations": brought.observations,
            "summaries": brought.summaries,
            "prompts": brought.prompts,
            "skipped": brought.is_skipped,
        }
    )


ROUTES: Mapping[str, RouteHandler] = {"POST /api/ops/backfill/chroma": backfill}
