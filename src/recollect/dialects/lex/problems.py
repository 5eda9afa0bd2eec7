"""How Lex words problems over HTTP: an error code in letters, a message, and the status again.

A tool's problems are worded in `wording`.
"""

from __future__ import annotations

import re

from recollect.dialect.bucket import Room
from recollect.dialect.spec import Json, Response, as_json
from recollect.dialects.lex.refusals import Refused
from recollect.dialects.lex.wording import message, told
from recollect.model.errors import (
    InvalidArgument,
    InvalidRequest,
    NotFound,
    RateLimited,
    RecollectError,
    Unauthorized,
)
from recollect.model.frame_errors import DuplicateFrame, FrameExists, InvalidImage
from recollect.model.policy_errors import PolicyInvalid, PolicyNotFound, UnknownModules

HARDENED = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
"""On every answer about frames: their texts and images are a stranger's, and no page of ours."""


def http_problem(error: RecollectError) -> Response:
    status, name = _kind(error)
    body: dict[str, Json] = {"error": name, "message": message(error), "code": status}
    return Response(status=status, body=body | _more(error), headers=_headers(error))


def root(field: str) -> str:
    """The argument that a place is in: `status_snapshot.next_action` is in `status_snapshot`."""
    return re.split(r"[.\[]", field, maxsplit=1)[0]


def limits(room: Room | None) -> dict[str, str]:
    """What is left of the rate limit, where there is one."""
    if room is None:
        return {}
    return {
        "RateLimit-Policy": f"{room.limit};w={room.window}",
        "RateLimit-Limit": str(room.limit),
        "RateLimit-Remaining": str(room.left),
        "RateLimit-Reset": str(room.reset),
    }


def _kind(error: RecollectError) -> tuple[int, str]:
    match error:
        case Unauthorized():
            return 401, "UNAUTHORIZED"
        case RateLimited():
            return 429, "RATE_LIMIT_EXCEEDED"
        case DuplicateFrame() | FrameExists():
            return 409, "CONFLICT"
        case PolicyNotFound() | PolicyInvalid():
            return 500, "INTERNAL_ERROR"  # whoever configured it can mend it, not who asks
        case InvalidRequest():
            return 400, "VALIDATION_FAILED"
        case NotFound():
            return 404, "NOT_FOUND"
        case _:
            return 500, "INTERNAL_ERROR"


def _more(error: RecollectError) -> dict[str, Json]:
    match error:
        case DuplicateFrame():
            return {"existing_frame_id": as_json(error.context.get("existing"))}
        case FrameExists():
            return {"existing_frame_id": as_json(error.context.get("id"))}
        case UnknownModules():
            return {
                "field": "module_scope",
                "metadata": told(error)[1],
            }
        case Refused():
            return {"field": root(error.field)}
        case InvalidArgument():
            return {"field": root(str(error.context["name"]))}
        case InvalidImage():
            return {"field": root(str(error.context.get("field", "images")))}
        case _:
            return {}


def _headers(error: RecollectError) -> dict[str, str]:
    room = error.context.get("room")
    headers = {**HARDENED, **limits(room if isinstance(room, Room) else None)}
    if isinstance(error, RateLimited):
        headers["Retry-After"] = str(error.context.get("retry_after", 1))
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = "Bearer"
    return headers
