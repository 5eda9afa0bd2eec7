"""Bare lines, without `jsonrpc`: the same answers in-process and through a worker."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING

import pytest

import recollect
from listening import listening, parrot_application
from parrot import SCHEMA
from wires import INITIALIZED, call, initialize, lines, parrot, request

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = ["initialize", "ping", "tools/list", "tools/call"]


def in_process(data: bytes) -> bytes:
    stdout, stderr = (process := parrot("bare")).communicate(data, timeout=20)
    assert process.returncode == 0, stderr.decode()
    return stdout


def through_a_worker(data: bytes) -> bytes:
    application = parrot_application(is_bare=True)
    with listening(application) as port, tempfile.NamedTemporaryFile("w") as address:
        address.write(str(port))
        address.flush()
        process = parrot("bridge", address.name)
        stdout, stderr = process.communicate(data, timeout=20)
    assert process.returncode == 0, stderr.decode()
    return stdout


@pytest.fixture(params=[in_process, through_a_worker])
def talk(request: pytest.FixtureRequest) -> Callable[[bytes], bytes]:
    chosen: Callable[[bytes], bytes] = request.param
    return chosen


def calls(name: object, arguments: object = None) -> bytes:
    params = {"name": name} | ({} if arguments is None else {"arguments": arguments})
    return json.dumps({"method": "tools/call", "params": params}).encode()


def error(code: str, message: str) -> dict[str, object]:
    return {"error": {"code": code, "message": message}}


def success(result: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "result": result}


SAID = {
    "content": [{"type": "text", "text": "polly says: hé"}],
    "data": {"said": "hé", "project": "here"},
    "structuredContent": {"said": "hé", "project": "here"},
}
GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {"listChanged": False}},
    "serverInfo": {"name": "recollect", "version": recollect.__version__},
    "instructions": "Say something.",
}
JSON_RPC = {"jsonrpc": "2.0", "id": None}

# line → answer, None for none
LINES: list[tuple[bytes, object, str]] = [
    (calls("tell", {"text": "hé"}), success(SAID), "data stands beside the content"),
    (b'{"method":"ping"}', success({}), "ping answers an empty object"),
    (b'{"method":"ping","id":0}', success({}) | {"id": 0}, "an id is repeated, also 0"),
    (b'{"method":"ping","id":"a"}', success({}) | {"id": "a"}, "also a text"),
    (b'{"method":"ping","id":1.5}', success({}), "half an id is none"),
    (b'{"method":"initialize"}', success(GREETING), "a greeting without params"),
    (
        b'{"method":"initialize","params":{"protocolVersion":"2024-11-05"}}',
        success(GREETING | {"protocolVersion": "2024-11-05"}),
        "the version that was asked for",
    ),
    (b'{"method":"notifications/initialized"}', None, "notifications get no answer"),
    (b"   ", None, "a blank line is nothing"),
    (
        calls("refuse"),
        error("InvalidArgument", "text must not be said"),
        "a refusal is the contract's error at the top",
    ),
    (
        calls("crash"),
        error("Fault", "internal error; the server's log has the details"),
        "a crash tells nothing of itself",
    ),
    (calls("nobody"), error("UnknownTool", "unknown tool: nobody"), "an unknown tool"),
    (b'{"method":"no/such"}', error("UnknownMethod", "unknown method: no/such"), "an unknown one"),
    (b"{}", error("UnknownMethod", "the line names no method"), "an object that says nothing"),
    (b'{"method":7}', error("UnknownMethod", "the line names no method"), "a method of a number"),
    (
        b'{"method":"tools/call"}',
        error("MissingArgument", "name is required"),
        "a call without params",
    ),
    (calls(7), error("InvalidArgument", "name must be a string"), "a tool of a number"),
    (
        calls("tell", [1]),
        error("InvalidArgument", "arguments must be an object"),
        "arguments that are a list",
    ),
    (
        b'{"method":"tools/list","params":[1]}',
        error("InvalidArgument", "params must be an object"),
        "params that are a list",
    ),
    (
        b'{"method":"tools/call","params":{"name":"tell","arguments":{"text":"cut: \\ud83d"}}}',
        success(
            {
                "content": [{"type": "text", "text": "polly says: cut: ?"}],
                "data": {"said": "cut: ?", "project": "here"},
                "structuredContent": {"said": "cut: ?", "project": "here"},
            }
        ),
        "an emoji cut in two is mended",
    ),
    (
        b"[]",
        JSON_RPC | {"error": {"code": -32600, "message": "Invalid request: no JSON-RPC message"}},
        "an array is no line of anybody's",
    ),
    (
        b"5",
        JSON_RPC | {"error": {"code": -32600, "message": "Invalid request: no JSON-RPC message"}},
        "nor is a number",
    ),
    (
        b'{"method":',
        JSON_RPC | {"error": {"code": -32700, "message": "Parse error: the line is not JSON"}},
        "half a line",
    ),
]


def test_bare_lines_are_answered_in_their_order(talk: Callable[[bytes], bytes]) -> None:
    answers = talk(b"\n".join(line for line, _, _ in LINES))

    expected = [answer for _, answer, _ in LINES if answer is not None]
    assert [json.loads(line) for line in answers.splitlines()] == expected


def test_in_process_and_through_a_worker_they_are_the_same_bytes() -> None:
    data = b"\n".join([*(line for line, _, _ in LINES), b'{"method":"tools/list"}'])

    assert in_process(data) == through_a_worker(data)


def test_tools_are_listed_without_a_handshake(talk: Callable[[bytes], bytes]) -> None:
    told = json.loads(talk(b'{"method":"tools/list"}'))

    assert list(told) == ["jsonrpc", "result"]
    assert told["result"]["tools"][0] == {
        "name": "say",
        "description": "To say.",
        "inputSchema": SCHEMA,
        "annotations": {"openWorldHint": False, "readOnlyHint": True},
    }


def test_a_huge_bare_line_is_one_line(talk: Callable[[bytes], bytes]) -> None:
    text = "x" * 10_000_000

    told = json.loads(talk(calls("tell", {"text": text}) + b"\n"))

    assert told["result"]["data"]["said"] == text


def test_many_bare_lines_keep_their_order_among_others(talk: Callable[[bytes], bytes]) -> None:
    bare = [calls("tell", {"text": str(n)}) for n in range(50)]
    numbered = [json.dumps(request(n, "ping")).encode() for n in range(50)]
    mixed = [each for pair in zip(bare, numbered, strict=True) for each in pair]
    hello = lines([initialize("2025-06-18"), INITIALIZED])

    answers = [json.loads(line) for line in talk(hello + b"\n".join(mixed)).splitlines()]

    said = [each["result"]["data"]["said"] for each in answers if "id" not in each]
    assert said == [str(n) for n in range(50)]
    assert len(answers) == 101


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25"])
def test_who_speaks_json_rpc_gets_data_and_problems_as_results(
    talk: Callable[[bytes], bytes], version: str
) -> None:
    asked = [initialize(version), INITIALIZED, call(1, "tell", text="x"), call(2, "nobody")]

    told = {each["id"]: each for each in map(json.loads, talk(lines(asked)).splitlines())}

    result, refused = told[1]["result"], told[2]["result"]
    assert result["data"] == {"said": "x", "project": "here"}
    assert result["content"] == [{"type": "text", "text": "polly says: x"}]
    assert refused["isError"] is True
    assert json.loads(refused["content"][0]["text"]) == error("UnknownTool", "unknown tool: nobody")
    if version == "2025-11-25":  # structured content came later than the other version
        assert result["structuredContent"] == result["data"]
        assert refused["structuredContent"] == error("UnknownTool", "unknown tool: nobody")


def test_images_stand_after_the_words(talk: Callable[[bytes], bytes]) -> None:
    told = json.loads(talk(calls("picture")))

    assert told["result"]["content"] == [
        {"type": "text", "text": "two pictures"},
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        {"type": "image", "data": "R0lGOA==", "mimeType": "image/gif"},
    ]


def test_whoever_goes_straight_to_the_tools_is_answered(talk: Callable[[bytes], bytes]) -> None:
    told = [json.loads(each) for each in talk(lines([call(0, "tell", text="x")])).splitlines()]

    assert [(each["id"], each["result"]["data"]["said"]) for each in told] == [(0, "x")]


def test_a_dialect_that_takes_no_bare_lines_refuses_them() -> None:
    stdout, _ = parrot().communicate(b'{"method":"ping"}\n', timeout=20)

    assert json.loads(stdout)["error"]["code"] == -32600
