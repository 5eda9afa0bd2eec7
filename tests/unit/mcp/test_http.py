"""MCP over HTTP: broken bodies, the project header, the SDK's own client."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from mcp.client.client import Client

from listening import listening, parrot_application
from wires import STATELESS, VERSIONS, call, conversation, enveloped, http_headers

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with listening(parrot_application()) as port:
        yield port


JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
DEEP = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BROKEN: list[tuple[bytes, int, str]] = [
    (b"{nope", -32700, "not JSON"),
    (b"", -32700, "nothing at all"),
    (b'{"jsonrpc":"2.0","id":1,"method":"pi', -32700, "truncated"),
    (b"\xff\xfe", -32700, "not UTF-8"),
    (b"\0", -32700, "a NUL"),
    (DEEP, -32700, "deeper than any message"),
    (b"5", -32600, "a number"),
    (b"[]", -32600, "a batch"),
    (b'{"jsonrpc":"2.0","id":9,"method":7}', -32600, "a method that is no name"),
]


@pytest.mark.parametrize("path", ["/mcp/parrot", "/mcp"])
@pytest.mark.parametrize(
    ("body", "code", "because"), BROKEN, ids=[because for _, _, because in BROKEN]
)
def test_a_broken_body_is_a_json_rpc_error(
    port: int, path: str, body: bytes, code: int, because: str
) -> None:
    status, answer = _post(port, path, body, JSON | {"MCP-Protocol-Version": STATELESS})

    assert (status, answer["id"], answer["error"]["code"]) == (400, None, code)


@pytest.mark.parametrize(
    ("body", "code", "because"), BROKEN, ids=[because for _, _, because in BROKEN]
)
def test_a_broken_line_is_answered_as_on_stdio(
    port: int, body: bytes, code: int, because: str
) -> None:
    status, answer = _post(port, "/mcp/parrot/line", body, JSON)

    assert (status, answer["error"]["code"]) == (200, code)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_emoji_cut_in_two_is_no_reason_to_stay_silent(port: int, version: str) -> None:
    first, *rest = conversation(version, call(1, "say", text="cut: \ud83d"))
    last = rest[-1] if rest else first

    _, answer = _post(port, "/mcp/parrot/line", json.dumps(last).encode(), JSON)

    assert answer["result"]["structuredContent"]["said"] == "cut: ?"


def test_an_emoji_cut_in_two_is_mended_in_the_stateless_era(port: int) -> None:
    message = enveloped(call(1, "say", text="cut: \ud83d"))
    headers = http_headers(message, message)

    _, answer = _post(port, "/mcp", json.dumps(message).encode(), headers)

    assert answer["result"]["structuredContent"]["said"] == "cut: ?"


PROJECTS = ["plain", "with space", "日本", "a%2Fb", "100%", "päth/like"]


@pytest.mark.parametrize("project", PROJECTS)
def test_the_project_header_names_who_is_asked_for(port: int, project: str) -> None:
    message = enveloped(call(1, "say", text="x"))
    headers = {**http_headers(message, message), "X-Recollect-Project": quote(project, safe="")}

    _, answer = _post(port, "/mcp/parrot", json.dumps(message).encode(), headers)

    assert answer["result"]["structuredContent"]["project"] == project


def test_without_the_header_it_is_the_workers_own_project(port: int) -> None:
    message = enveloped(call(1, "say", text="x"))
    headers = http_headers(message, message)
    del headers["X-Recollect-Project"]

    _, answer = _post(port, "/mcp/parrot", json.dumps(message).encode(), headers)

    assert answer["result"]["structuredContent"]["project"] == "worker"


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto", STATELESS])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/parrot"])
async def test_the_sdks_own_client_is_at_home(port: int, mode: str, path: str) -> None:
    async with Client(f"http://127.0.0.1:{port}{path}", mode=mode) as client:
        tools = await client.list_tools()
        result = await client.call_tool("say", {"text": "hello"})

    assert len(tools.tools) == 5
    assert result.structured_content == {"said": "hello", "project": "worker"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _post(port: int, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return response.status, answer
