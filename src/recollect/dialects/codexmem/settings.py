"""The routes that show the published settings and change them.

What they are called and which values they take is the business of whoever has put them on the desk.
"""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Request, Response, RouteHandler
from recollect.model.errors import InvalidArgument


def shown(desk: Desk, _: Request) -> Response:
    return Response(body={**desk.settings()})


def change(desk: Desk, request: Request) -> Response:
    """All of them or none; they hold from the worker's next start on."""
    desk.configure({name: _text(name, value) for name, value in request.body.items()})
    return Response(body={"success": True, "settings": {**desk.settings()}})


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
