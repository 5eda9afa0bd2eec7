"""What most lines of a client say, answered without the SDK, which takes 34 MB and half a second.

An agent's bridge says hello, lists tools and calls them, all in the protocol's handshake era. That
is answered here, to the byte as the SDK would; whatever is out of the ordinary is left to the SDK,
and so is every request over HTTP proper. A worker that only bridges talk to never loads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect.mcp.tools import HANDSHAKE_VERSIONS, as_result, wire
from recollect.model.errors import UnknownTool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from anyio.abc import TaskGroup, TaskStatus
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from recollect.dialect.spec import Json
    from recollect.mcp.said import Said
    from recollect.mcp.tools import Tools

ENVELOPE = "io.modelcontextprotocol/"
"""What requests of the later era say of themselves begins with it."""
VERSION_HEADER = "mcp-protocol-version"
INVALID_PARAMS = -32602


@dataclass(frozen=True, slots=True)
class Answer:
    """`body` is None where none is due; `settled` the version that a handshake came to."""

    body: bytes | None
    settled: str | None = None


class PlainLines:
    """Answers the ordinary lines of a client."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def answer(self, line: bytes, said: Said) -> Answer | None:
        """None when the line is not an ordinary one."""
        message = _message(line)
        if message is None or said.get(VERSION_HEADER, HANDSHAKE_VERSIONS[-1]) not in (
            HANDSHAKE_VERSIONS
        ):
            return None
        method, params = message["method"], message.get("params", {})
        meta = params.pop("_meta", {})
        if not isinstance(meta, dict) or any(name.startswith(ENVELOPE) for name in meta):
            return None
        if "id" not in message:
            return Answer(None) if method.startswith("notifications/") else None
        match method:
            case "initialize":
                return self._greeted(message["id"], params)
            case "ping" if not params:
                return _success(message["id"], {})
            case "tools/list" if not params:
                return _success(message["id"], {"tools": self._tools.listed(said)})
            case "tools/call":
                return await self._called(message["id"], params, said)
        return None

    def _greeted(self, request_id: str | int, params: Mapping[str, Any]) -> Answer | None:
        if not _is_hello(params):
            return None
        greeting = self._tools.greeting(params["protocolVersion"])
        return Answer(_line(request_id, "result", greeting), str(greeting["protocolVersion"]))

    async def _called(
        self, request_id: str | int, params: Mapping[str, Any], said: Said
    ) -> Answer | None:
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        if not params.keys() <= {"name", "arguments"}:
            return None
        try:
            reply = await self._tools.call(said, name, arguments)
        except UnknownTool as error:
            problem: dict[str, Json] = {"code": INVALID_PARAMS, "message": error.message}
            return Answer(_line(request_id, "error", problem))
        return _success(request_id, as_result(reply))


class WholeDoor(Protocol):
    """The SDK's: for lines and for HTTP, whatever they bring."""

    @property
    def lines(self) -> ASGIApp: ...
    def run(self) -> AbstractAsyncContextManager[None]: ...
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class PlainDoor:
    """A door that answers ordinary lines by itself; `make` builds the SDK's for all the rest.

    `run` must be entered while it serves.
    """

    def __init__(self, tools: Tools, make: Callable[[], WholeDoor]) -> None:
        self._plain = PlainLines(tools)
        self._make = make
        self._door: WholeDoor | None = None
        self._opening = anyio.Lock()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = await self._opened()
        await door(scope, receive, send)

    async def lines(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Takes what a stdio bridge carries."""
        if scope["method"] != "POST":
            raise HTTPException(405, headers={"Allow": "POST"})
        line = await whole_body(receive)
        answer = await self._plain.answer(line, Headers(scope=scope))
        if answer is None:
            door = await self._opened()
            await door.lines(scope, _replaying(line), send)
        else:
            await _response(answer)(scope, receive, send)

    async def _opened(self) -> WholeDoor:
        async with self._opening:
            if self._door is None:
                assert self._tasks is not None, "a door is opened while it runs"
                door = await anyio.to_thread.run_sync(self._make)
                await self._tasks.start(_keep_open, door)
                self._door = door
            return self._door


async def whole_body(receive: Receive) -> bytes:
    """The body of a request, however many parts it comes in."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HTTPException(400)
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _keep_open(
    door: WholeDoor, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    async with door.run():
        task_status.started()
        await anyio.sleep_forever()


def _message(line: bytes) -> dict[str, Any] | None:
    """A request or notification that is nothing but one; None for anything else."""
    if rb"\ud" in line or rb"\uD" in line:  # half of a surrogate pair, perhaps
        return None
    try:
        message: Any = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return None
    is_request = "id" not in message or (
        isinstance(message["id"], str | int) and not isinstance(message["id"], bool)
    )
    has_method = isinstance(message.get("method"), str)
    has_params = isinstance(message.get("params", {}), dict)
    is_all = message.keys() <= {"jsonrpc", "id", "method", "params"}
    return message if is_request and has_method and has_params and is_all else None


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _is_hello(params: Mapping[str, Any]) -> bool:
    version, client = params.get("protocolVersion"), params.get("clientInfo")
    return (
        params.keys() == {"protocolVersion", "capabilities", "clientInfo"}
        and isinstance(version, str)
        and isinstance(params["capabilities"], dict)
        and isinstance(client, dict)
        and all(isinstance(client.get(name), str) for name in ("name", "version"))
    )


def _success(request_id: str | int, told: Mapping[str, Json]) -> Answer:
    return Answer(_line(request_id, "result", told))


def _line(request_id: str | int, outcome: str, told: Mapping[str, Json]) -> bytes:
    return wire({"jsonrpc": "2.0", "id": request_id, outcome: dict(told)})


def _response(answer: Answer) -> Response:
    if answer.body is None:
        return Response(status_code=202)
    headers = {} if answer.settled is None else {VERSION_HEADER: answer.settled}
    return Response(answer.body, media_type="application/json", headers=headers)


def _replaying(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
