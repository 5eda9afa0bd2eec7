"""The entrance of the page: who shows the worker's token once gets a cookie that does as well.

The cookie is made from the token and does not hold it: browsers send cookies to every port of this
machine. Whoever changes the token makes all of them worthless.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING

import anyio
from starlette.routing import BaseRoute, Route

from recollect.web.problems import Json, problem
from recollect.web.viewer.page import PAGE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

DAYS = 30
MOST_BYTES = 4096
"""Of a body that holds a token."""
PAUSE = 0.25
"""Seconds before a wrong token is told so, that nobody tries many."""


def cookie_of(token: str) -> str:
    """Its name: two workers on one machine, whose ports share all cookies, have one each."""
    return f"recollect-viewer-{_digest(token, 'name')[:12]}"


def pass_of(token: str) -> str:
    """What the cookie holds."""
    return _digest(token, "pass")


def _digest(token: str, purpose: str) -> str:
    said = f"recollect viewer {purpose}"
    return hmac.new(token.encode(), said.encode(), hashlib.sha256).hexdigest()


def is_let_in(token: str, cookies: Mapping[str, str]) -> bool:
    """Whether the request brings the cookie that this token made."""
    shown = cookies.get(cookie_of(token), "").encode("utf-8", "replace")
    return hmac.compare_digest(shown, pass_of(token).encode())


def entrance_routes(token: str | None) -> list[BaseRoute]:
    async def enter(asked: Request) -> Json:
        shown = await _shown(asked)
        if shown is None:
            return problem(400, 'the body must be {"token": "<the worker\'s token>"}')
        if token is None:
            return Json({"status": "ok"})
        if not hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode()):
            await anyio.sleep(PAUSE)
            return problem(401, "this is not the worker's token")
        answer = Json({"status": "ok"})
        answer.set_cookie(
            cookie_of(token), pass_of(token), DAYS * 86_400, httponly=True, samesite="strict"
        )
        return answer

    def leave(_: Request) -> Json:
        answer = Json({"status": "ok"})
        if token is not None:
            answer.delete_cookie(cookie_of(token), httponly=True, samesite="strict")
        return answer

    return [
        Route(f"{PAGE}/enter", enter, methods=["POST"]),
        Route(f"{PAGE}/leave", leave, methods=["POST"]),
    ]


async def _shown(asked: Request) -> str | None:
    """The token of the body, without the blanks that come along when it is copied."""
    raw = bytearray()
    async for chunk in asked.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            return None
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    token = body.get("token") if isinstance(body, dict) else None
    return token.strip() if isinstance(token, str) else None
