"""Everything that goes wrong over HTTP, answered as JSON: `{"error": "<text>"}`.

Never a page, never a traceback. What went wrong inside is in the worker's log.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TEXTS = {
    400: "the request is malformed",
    404: "there is no such route",
    405: "this route does not take this method",
    413: "the request body is too large",
    500: "internal error; the worker's log has the details",
}


class Json(JSONResponse):
    """JSON that says its character set."""

    media_type = "application/json; charset=utf-8"

    def render(self, content: object) -> bytes:
        return orjson.dumps(content)


def problem(status: int, text: str | None = None, headers: Mapping[str, str] | None = None) -> Json:
    words = text or TEXTS.get(status) or HTTPStatus(status).phrase.lower()
    return Json({"error": words}, status_code=status, headers=headers)


async def on_http_exception(_: Request, error: Exception) -> Json:
    """For Starlette: what a route or the router refused."""
    assert isinstance(error, HTTPException)
    is_worded = error.detail != HTTPStatus(error.status_code).phrase
    return problem(error.status_code, error.detail if is_worded else None, error.headers)


async def on_crash(_: Request, __: Exception) -> Json:
    """For Starlette, which passes the exception on to the server's log."""
    return problem(500)


class AlwaysJson:
    """Rewords what an application that is not ours refuses without JSON, as the MCP SDK does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused: list[Message] = []

        async def reword(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_wordless(message):
                refused.append(message)
            elif not refused:
                await send(message)
            elif not message.get("more_body", False):
                await _reworded(refused[0])(scope, receive, send)

        await self._app(scope, receive, reword)


def _is_wordless(start: Message) -> bool:
    kind = _header(start, b"content-type")
    return start["status"] >= 400 and not kind.startswith("application/json")


def _reworded(start: Message) -> Json:
    allow = _header(start, b"allow")
    return problem(start["status"], headers={"Allow": allow} if allow else None)


def _header(start: Message, name: bytes) -> str:
    pairs: list[tuple[bytes, bytes]] = start.get("headers", [])
    return next((value.decode("latin-1") for key, value in pairs if key.lower() == name), "")
