"""The routes that show the published settings and change them.

What they are called and which values they take is the business of whoever has put them on the desk.
"""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.model.errors import InvalidArgument


def shown(desk: Desk, _: Request) -> Response:
    return Response(body={**desk.settings()})


def change(desk: Desk, request: Request) -> Response:
    """All that are known or none; they hold from the worker's next start on."""
    known = desk.settings()
    changes = {name: _text(name, value) for name, value in request.body.items() if name in known}
    if changes:
        desk.configure(changes)
    ignored: list[Json] = [*sorted(name for name in request.body if name not in known)]
    return Response(body={"success": True, "settings": {**desk.settings()}, "ignored": ignored})


def _text(name: str, value: object) -> str:
    """Published as texts; a number or a truth is as clear."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    raise InvalidArgument(name, "must be a string")


ROUTES: Mapping[str, RouteHandler] = {
    "GET /api/settings": shown,
    "POST /api/settings": change,
}
