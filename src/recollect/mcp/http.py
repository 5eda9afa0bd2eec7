"""MCP over HTTP: a server as an ASGI application, and the door for the lines of a bridge.

The SDK's streamable HTTP transport serves both eras. It is stateless here: no session is lost
when the worker restarts. Who may come in at all is `web.guard`'s decision, body limits too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.inbound import NAME_BEARING_METHODS, encode_header_value
from mcp_types import PROTOCOL_VERSION_META_KEY, JSONRPCRequest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.mcp import line
from recollect.mcp.plain import whole_body

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel.server import Server
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from recollect.mcp.bare import BareLines

BODY_LIMIT = 16 * 1024 * 1024
_VERSION = b"mcp-protocol-version"
_Headers = list[tuple[bytes, bytes]]


class HttpDoor:
    """The streamable HTTP endpoint of one server. `run` must be entered while it serves.

    `is_stateless=False` keeps sessions, for servers that ask something of their clients; `bare`
    answers a bridge's bare lines, where these are taken.
    """

    def __init__(
        self, server: Server[Any], *, is_stateless: bool = True, bare: BareLines | None = None
    ) -> None:
        self._is_stateless = is_stateless
        self._manager = StreamableHTTPSessionManager(
            app=server,
            json_response=is_stateless,
            stateless=is_stateless,
            max_request_body_size=BODY_LIMIT,
        )
        self.lines: ASGIApp = LineDoor(self, bare)

    def run(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_stateless and scope["method"] != "POST":
            # A stream that nothing will ever be sent on would only keep the worker from stopping.
            raise HTTPException(405, headers={"Allow": "POST"})
        await self._manager.handle_request(scope, receive, send)


class LineDoor:
    """A stdio client's line in, at most one line out: the worker's end of `bridge`.

    Status 200 carries an answer, 202 says that none is due; anything else is not about the line.
    The headers that streamable HTTP wants are read from the line itself. The version that a
    handshake settled on goes back as a header, and the bridge sends it with later lines.
    """

    def __init__(self, door: HttpDoor, bare: BareLines | None = None) -> None:
        self._door = door
        self._bare = bare

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            raise HTTPException(405, headers={"Allow": "POST"})
        text = await whole_body(receive)
        response = await self._answered(scope, text)
        await response(scope, receive, send)

    async def _answered(self, scope: Scope, text: bytes) -> Response:
        message, text = line.read(text)
        if isinstance(message, line.Refusal):
            return await self._refused(scope, text, message)
        is_handshake = isinstance(message, JSONRPCRequest) and message.method == "initialize"
        headers = _headers_of(message, scope, is_handshake=is_handshake)
        status, body = await self._asked({**scope, "headers": headers}, text)
        if status >= 500 or (body and not body.startswith(b'{"jsonrpc"')):
            raise HTTPException(502)
        if not isinstance(message, JSONRPCRequest):
            return Response(status_code=202)
        return _json(body, protocol=_settled(body) if is_handshake else None)

    async def _refused(self, scope: Scope, text: bytes, refusal: line.Refusal) -> Response:
        bare = line.bare(text) if self._bare else None
        if self._bare is None or bare is None:
            return _json(line.wire(refusal.answer))
        answer = await self._bare.answer(bare, Headers(scope=scope))
        return Response(status_code=202) if answer is None else _json(answer)

    async def _asked(self, scope: Scope, text: bytes) -> tuple[int, bytes]:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": text, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._door(scope, receive, send)
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:])


def _headers_of(message: object, scope: Scope, *, is_handshake: bool) -> _Headers:
    settled = [pair for pair in scope["headers"] if pair[0] == _VERSION and not is_handshake]
    headers = [
        (b"content-type", b"application/json"),
        (b"accept", b"application/json, text/event-stream"),
        *(pair for pair in scope["headers"] if pair[0].startswith(b"x-recollect-")),
    ]
    if not isinstance(message, JSONRPCRequest) or is_handshake:
        return headers + settled
    modern = _envelope_headers(message)
    return headers + (modern or settled)


def _envelope_headers(request: JSONRPCRequest) -> _Headers:
    """What a 2026-07-28 request says of itself in its envelope, as the headers that repeat it."""
    params = request.params or {}
    meta = params.get("_meta")
    version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
    if version is None:
        return []
    pairs = [(_VERSION, str(version)), (b"mcp-method", encode_header_value(request.method))]
    name = params.get(NAME_BEARING_METHODS.get(request.method, ""))
    if isinstance(name, str):
        pairs.append((b"mcp-name", encode_header_value(name)))
    return [(key, value.encode("latin-1", "replace")) for key, value in pairs]


def _settled(body: bytes) -> str | None:
    result = orjson.loads(body).get("result")
    return result.get("protocolVersion") if isinstance(result, dict) else None


def _json(body: bytes, protocol: str | None = None) -> Response:
    headers = {} if protocol is None else {"MCP-Protocol-Version": protocol}
    return Response(body, media_type="application/json", headers=headers)
