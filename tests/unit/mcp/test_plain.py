"""Plain lines: answered as the SDK answers them, and left to it when they are not plain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from parrot import BARE, PARROT, ask_in
from recollect.mcp.http import HttpDoor
from recollect.mcp.plain import PlainDoor
from recollect.mcp.server import tool_server
from recollect.mcp.tools import HANDSHAKE_VERSIONS, Tools
from wires import INITIALIZED, call, enveloped, initialize, request

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message

    from recollect.dialect.spec import Dialect
    from recollect.mcp.plain import WholeDoor

Answered = tuple[int, object, bytes]
META = {"progressToken": 1, "claudecode/toolUseId": "toolu_1"}

PLAIN: list[tuple[object, str]] = [
    (initialize("2025-06-18"), "hello"),
    (initialize("2024-11-05"), "in the words of an older client"),
    (initialize("2031-01-01"), "in words that nobody knows yet: the newest of the era"),
    (INITIALIZED, "a notification has no answer"),
    (request("a", "ping"), "a ping"),
    ({"jsonrpc": "2.0", "id": 0, "method": "ping"}, "without params"),
    (request(2, "tools/list"), "the tools"),
    (request(2, "tools/list", _meta=META), "whatever the client notes for itself"),
    (call(3, "tell", text='hé, "quoted"\n數'), "a call, its object also as structured content"),
    (call(4, "refuse"), "a refusal is a result"),
    (call(5, "crash"), "and so is a crash"),
    (call(6, "nobody"), "an unknown tool is an error of the protocol"),
    (call(7, "say", text=7), "a wrong type is a refusal"),
    (request(8, "tools/call", name="say"), "a call without arguments"),
    (call(9, "say", text="x", big=2**70), "a number that is longer than others"),
]
NOT_PLAIN: list[tuple[object, str]] = [
    (enveloped(request(1, "tools/list")), "the stateless era"),
    (enveloped(call(1, "tell", text="x")), "a call of it"),
    (request(1, "tools/list", cursor="x"), "a page"),
    (request(1, "resources/list"), "another method"),
    (request(1, "notifications/cancelled", requestId=7), "a notification with an id"),
    (request(1, "server/discover"), "one of the stateless era"),
    (request(1, "initialize", protocolVersion="2025-06-18"), "half a hello"),
    (request(1, "tools/call", name=7), "a tool of a number"),
    (request(1, "tools/call", name="tell", arguments=[1]), "arguments that are a list"),
    (request(1, "tools/call", name="tell", task={}), "a task"),
    ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, "half an id"),
    ({"jsonrpc": "2.0", "id": True, "method": "ping"}, "a truth for an id"),
    ({"jsonrpc": "2.0", "id": None, "method": "ping"}, "no id where one is named"),
    ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, "another protocol"),
    ({"id": 1, "method": "ping"}, "a bare line"),
    ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, "params that are a list"),
    ({"jsonrpc": "2.0", "id": 1, "method": "ping", "also": 1}, "a field too many"),
    ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], "several at once"),
    ({"jsonrpc": "2.0", "id": 1, "result": {}}, "an answer"),
    (call(1, "tell", text="cut: \ud83d"), "half a surrogate pair"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":NaN}}}', "no number"),
    (b'{"jsonrpc"', "half a line"),
    (b"[" * 100_000, "depth without end"),
]


class Counted:
    """Counts how often the SDK's door was asked for."""

    def __init__(self, dialect: Dialect) -> None:
        self.tools = Tools(dialect, lambda _: ask_in("here", dialect))
        self.made = 0

    def whole(self) -> WholeDoor:
        self.made += 1
        return HttpDoor(tool_server(self.tools))


def bytes_of(line: object) -> bytes:
    return line if isinstance(line, bytes) else json.dumps(line).encode()


async def asked(app: ASGIApp, line: bytes, version: str | None) -> Answered:
    """Status, the version that was settled on, and the body."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": line, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"host", b"127.0.0.1")]
    if version is not None:
        headers.append((b"mcp-protocol-version", version.encode()))
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b""}
    await app({**scope, "headers": headers}, receive, send)
    settled = dict(sent[0]["headers"]).get(b"mcp-protocol-version")
    body = b"".join(part.get("body", b"") for part in sent[1:])
    return sent[0]["status"], settled, body


def through(
    line: bytes, *, is_plain: bool, dialect: Dialect = PARROT, version: str | None = None
) -> tuple[Answered, int]:
    """The answer, and how many doors of the SDK it took."""
    counted = Counted(dialect)
    door = PlainDoor(counted.tools, counted.whole) if is_plain else counted.whole()

    async def run() -> Answered:
        async with door.run():
            return await asked(door.lines, line, version)

    return anyio.run(run), counted.made


@pytest.mark.parametrize("line", [row[0] for row in PLAIN], ids=[row[1] for row in PLAIN])
@pytest.mark.parametrize("dialect", [PARROT, BARE], ids=["parrot", "bare"])
def test_a_plain_line_is_answered_as_the_sdk_answers_it(line: object, dialect: Dialect) -> None:
    ours, made = through(bytes_of(line), is_plain=True, dialect=dialect)
    theirs, _ = through(bytes_of(line), is_plain=False, dialect=dialect)

    assert ours == theirs
    assert made == 0, "without it"


@pytest.mark.parametrize("line", [row[0] for row in NOT_PLAIN], ids=[row[1] for row in NOT_PLAIN])
def test_any_other_line_is_left_to_the_sdk(line: object) -> None:
    ours, made = through(bytes_of(line), is_plain=True)
    theirs, _ = through(bytes_of(line), is_plain=False)

    assert ours == theirs
    assert made == 1


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, "2026-07-28", "1999-01-01"])
def test_after_the_handshake_each_version_gets_what_the_sdk_tells_it(version: str) -> None:
    """The oldest know of no structured content and of fewer annotations."""
    for message in (call(1, "say", text="x"), request(2, "tools/list"), request(3, "ping")):
        ours, _ = through(bytes_of(message), is_plain=True, version=version)
        theirs, _ = through(bytes_of(message), is_plain=False, version=version)

        assert ours == theirs


def test_the_versions_of_the_handshake_era_are_the_sdks() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
