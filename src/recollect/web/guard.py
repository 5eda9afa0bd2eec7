"""Who may come in: the Host, Origin, Sec-Fetch-Site, token and size of every request.

A page that a browser shows can send requests to this machine too; the first three tell it from
a client of the user's. Pure ASGI, outside of every route, so that nothing can be mounted past it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser

from recollect.dialect.keys import Keys
from recollect.web.problems import problem
from recollect.web.viewer import entrance
from recollect.web.viewer.page import is_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MIB = 1024 * 1024
OPEN_PATHS = frozenset({"/api/health", "/health"})
"""Answered without a token."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`bound` is the host that the worker was told to listen on. No token: none is asked for."""

    bound: str
    token: str | None = None
    body_limit: int = 2 * MIB
    mcp_body_limit: int = 16 * MIB


@dataclass(frozen=True, slots=True)
class Ways:
    """Paths that are not like the others, as patterns of the whole of them."""

    locked: tuple[re.Pattern[str], ...] = ()
    """They ask for a key of their own, in their own words."""
    large: tuple[re.Pattern[str], ...] = ()
    """Their bodies may be as large as those of MCP."""

    def is_free(self, path: str) -> bool:
        """Whether the token is not asked for."""
        is_open = path in OPEN_PATHS or is_page(path)
        return is_open or any(pattern.match(path) for pattern in self.locked)

    def is_large(self, path: str) -> bool:
        is_mcp = path == "/mcp" or path.startswith("/mcp/")
        return is_mcp or any(pattern.match(path) for pattern in self.large)


@dataclass(frozen=True, slots=True)
class _Refusal:
    status: int
    text: str


class Guard:
    def __init__(self, app: ASGIApp, rules: Rules, ways: Ways | None = None) -> None:
        self._app = app
        self._rules = rules
        self._ways = ways or Ways()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _hardened(send, may_be_kept=is_page(scope["path"])))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await problem(refusal.status, refusal.text)(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        await self._app(scope, _counted(receive, limit), send)

    def _refusal(self, scope: Scope) -> _Refusal | None:
        headers = Headers(scope=scope)
        site = _Site.of(scope, self._rules.bound)
        if not site.is_host(headers.getlist("host")):
            return _Refusal(403, "this Host is not served here")
        if not site.is_origin(headers.getlist("origin")):
            return _Refusal(403, "requests from this Origin are not taken")
        if any(v not in ("none", "same-origin") for v in headers.getlist("sec-fetch-site")):
            return _Refusal(403, "requests from other sites are not taken")
        if not self._ways.is_free(scope["path"]) and not self._is_authorized(headers):
            return _Refusal(401, "a Bearer token is needed")
        if _declared_length(headers) > self._limit_of(scope["path"]):
            return _Refusal(413, "the request body is too large")
        return None

    def _is_authorized(self, headers: Headers) -> bool:
        token = self._rules.token
        if not token or Keys(token).open(headers.get("authorization", "")):
            return True
        return entrance.is_let_in(token, cookie_parser(headers.get("cookie", "")))

    def _limit_of(self, path: str) -> int:
        is_large = self._ways.is_large(path)
        return self._rules.mcp_body_limit if is_large else self._rules.body_limit


@dataclass(frozen=True, slots=True)
class _Site:
    """What this worker is called: loopback, the bound host, the address a connection came in on."""

    names: frozenset[str]
    port: int | None

    @classmethod
    def of(cls, scope: Scope, bound: str) -> _Site:
        host, port = scope.get("server") or (bound, None)
        return cls(frozenset({"localhost", bound.lower(), str(host).lower()}), port)

    def is_host(self, values: Sequence[str]) -> bool:
        return len(values) == 1 and self._is_ours(f"//{values[0]}", default_port=self.port)

    def is_origin(self, values: Sequence[str]) -> bool:
        if not values:
            return True
        scheme, separator, rest = values[0].partition("://")
        if len(values) > 1 or not separator or scheme not in ("http", "https"):
            return False
        return self._is_ours(f"//{rest}", default_port=443 if scheme == "https" else 80)

    def _is_ours(self, netloc: str, default_port: int | None) -> bool:
        try:
            parts = urlsplit(netloc)
            port = parts.port or default_port
        except ValueError:
            return False
        is_bare = netloc == f"//{parts.netloc}" and "@" not in netloc and parts.netloc.isascii()
        return is_bare and port == self.port and self._is_name(parts.hostname or "")

    def _is_name(self, name: str) -> bool:
        return name in self.names or _is_loopback(name)


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _declared_length(headers: Headers) -> int:
    declared = headers.get("content-length", "")
    return int(declared) if declared.isascii() and declared.isdigit() else 0


def _counted(receive: Receive, limit: int) -> Receive:
    """Counts what really arrives: a chunked body declares no length."""
    total = 0

    async def counting() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > limit:
            raise HTTPException(413)
        return message

    return counting


def _hardened(send: Send, *, may_be_kept: bool) -> Send:
    """`may_be_kept`: what holds no data says itself how long it may be kept."""

    async def hardening(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Content-Type-Options"] = "nosniff"
            if not may_be_kept or "Cache-Control" not in headers:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return hardening
