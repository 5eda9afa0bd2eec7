"""What an MCP client sees of a dialect, the same over every wire and in both protocol eras."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp.client.client import Client

import recollect
from parrot import PARROT, ask_in
from recollect.mcp.server import tool_server
from recollect.mcp.tools import Tools
from wires import (
    VERSIONS,
    call,
    conversation,
    over_bridge,
    over_http,
    over_stdio,
    request,
)

if TYPE_CHECKING:
    from collections.abc import Callable

WIRES = {"stdio": over_stdio, "bridge": over_bridge, "http": over_http}
INTERNAL = "internal error; the server's log has the details"


@pytest.fixture(params=WIRES)
def talk(request: pytest.FixtureRequest) -> Callable[..., list[dict[str, Any]]]:
    return WIRES[request.param]


def _by_id(answers: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Answers by request, without what the stateless era puts around each of them."""
    for answer in answers:
        result = answer.get("result", {})
        for key in ("_meta", "resultType", "ttlMs", "cacheScope"):
            result.pop(key, None)
    return {answer["id"]: answer for answer in answers}


def _text(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_wire_and_version_gets_the_same_answers(
    talk: Callable[..., list[dict[str, Any]]], version: str
) -> None:
    structured = {"structuredContent": {"said": "hé", "project": "here"}}

    answers = _by_id(
        talk(
            conversation(
                version,
                call(1, "say", text="hé"),
                call(2, "list_words", text="a b"),
                call(3, "refuse"),
                call(4, "crash"),
                call(5, "nobody"),
                request(6, "no/such/method"),
            )
        )
    )
    answers.pop(0, None)

    for answer in answers.values():
        answer.get("error", {}).pop("data", None)
    assert answers == {
        n: {"jsonrpc": "2.0", "id": n, **outcome}
        for n, outcome in {
            1: {"result": {**_text('{"said":"hé","project":"here"}'), **structured}},
            2: {"result": _text('["a","b"]')},
            3: {"result": _text("the parrot says: text must not be said", is_error=True)},
            4: {"result": _text(f"the parrot says: {INTERNAL}", is_error=True)},
            5: {"error": {"code": -32602, "message": "unknown tool: nobody"}},
            6: {"error": {"code": -32601, "message": "Method not found"}},
        }.items()
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_tools_are_listed_as_published(
    talk: Callable[..., list[dict[str, Any]]], version: str
) -> None:
    listed = _by_id(talk(conversation(version, request(1, "tools/list"))))[1]["result"]["tools"]

    assert [tool["name"] for tool in listed] == [tool.name for tool in PARROT.tools]
    assert listed[0] == {
        "name": "say",
        "description": "To say.",
        "inputSchema": PARROT.tools[0].input_schema,
        "annotations": {"openWorldHint": False, "readOnlyHint": True},
    }
    assert listed[-1]["annotations"] == {"openWorldHint": False, "readOnlyHint": False}


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_a_handshake_settles_on_the_version_the_client_speaks(
    talk: Callable[..., list[dict[str, Any]]], version: str
) -> None:
    answers = _by_id(talk(conversation(version, request(1, "ping"))))

    assert answers == {
        0: {
            "jsonrpc": "2.0",
            "id": 0,
            "result": {
                "protocolVersion": version,
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {"name": "recollect", "version": recollect.__version__},
                "instructions": "Say something.",
            },
        },
        1: {"jsonrpc": "2.0", "id": 1, "result": {}},
    }


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_own_client_is_at_home(mode: str) -> None:
    server = tool_server(Tools(PARROT, lambda _: ask_in("here")))

    async with Client(server, mode=mode) as client:
        result = await client.call_tool("say", {"text": "hello"})

    assert result.structured_content == {"said": "hello", "project": "here"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_number_that_is_none_is_refused_over_every_wire(
    talk: Callable[..., list[dict[str, Any]]], version: str, number: float
) -> None:
    answers = _by_id(talk(conversation(version, call(1, "say", text=number))))

    refused = "the parrot says: text must be a string, not NaN or infinity"
    assert answers[1]["result"] == _text(refused, is_error=True)
