"""Lex over stdio (bare lines and JSON-RPC), in-process and through a worker, and over HTTP."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from contract.lex.conftest import FRAME, PNG, checkout
from contract.world import NOW, HttpDoor, World
from promises import last, promise
from recollect.worker.address import find_address
from wires import INITIALIZED, call, initialize, lines, request

IMAGE = {"data": base64.b64encode(PNG).decode(), "mime_type": "image/png"}
NAMES = [
    *("remember", "validate_remember", "recall", "list_frames"),
    *("policy_check", "timeline", "code_atlas", "introspect"),
]


@dataclass
class Client:
    """`recollect serve --dialect lex` in a folder, with variables of its own."""

    world: World
    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    dialect: str = "lex"

    def say(self, data: bytes) -> bytes:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "recollect.cli.main", "serve"),
                *("--dialect", self.dialect, "--db", self.world.settings.store),
            ],
            input=data,
            capture_output=True,
            env={**self.world.environ, **self.environ},
            cwd=self.folder,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def answers(self, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.say(lines(messages)).splitlines()]

    def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """The answer to a bare line."""
        (answer,) = self.answers(bare(tool, **arguments))
        return answer


def bare(tool: str, /, **arguments: object) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A store with one frame of the project `alpha`, with an image."""
    world = World(tmp_path_factory.mktemp("wires"), NOW, {"RECOLLECT_EMBEDDER": "none"})
    checkout(world.home / "alpha")
    checkout(world.home / "beta", policy={"modules": {"only": {"match": ["**"]}}}, branch="work")
    told = Client(world, world.home / "alpha").call("lex.remember", **FRAME, images=[IMAGE])
    assert told["result"]["data"]["success"] is True, told
    return world


@pytest.fixture(scope="module")
def said_in_process(world: World) -> tuple[list[bytes], list[dict[str, Any]]]:
    """The answers of a server that has no worker to ask."""
    assert find_address(world.settings.worker_file) is None
    return told_by(Client(world, world.home / "alpha").say(lines(READING) + BROKEN))


@pytest.fixture(scope="module")
def worker(world: World, said_in_process: object) -> Iterator[HttpDoor]:
    """A worker of that store, in a folder that is nobody's workspace."""
    (world.home / "elsewhere").mkdir()
    door = HttpDoor(world, str(world.home / "elsewhere"), "lex")
    yield door
    door.close()


@pytest.fixture(scope="module", params=["in-process", "worker"])
def way(request: pytest.FixtureRequest, world: World) -> str:
    """In-process comes first for all tests, because the worker stays until the end."""
    if request.param == "worker":
        request.getfixturevalue("worker")
    is_running = find_address(world.settings.worker_file) is not None
    assert is_running == (request.param == "worker")
    return str(request.param)


@pytest.fixture
def client(way: str, world: World) -> Client:
    assert way
    return Client(world, world.home / "alpha")


HELLO = [initialize("2025-06-18"), INITIALIZED]
READING = [
    {"method": "tools/list"},
    {"method": "initialize"},
    {"method": "ping"},
    {"method": "notifications/initialized"},
    bare("lex.recall", reference_point="auth", include_images=True),
    bare("lex_recall", jira="TICKET-123"),
    bare("recall", branch="feature/auth", limit=1),
    bare("lex.list_frames"),
    bare("lex.timeline", ticketOrBranch="TICKET-123", format="json"),
    bare("lex.policy_check"),
    bare("lex.policy_check", path="ui", strict=True),
    bare("lex.code_atlas", seedModules=["services/ledger"]),
    bare("lex.introspect"),
    bare("lex.introspect", format="compact"),
    bare("lex.validate_remember", **FRAME),
    bare("lex.validate_remember"),
    bare("lex.remember", **(FRAME | {"module_scope": ["servcies/auth-core"]})),
    bare("lex.remember", reference_point="päd\ud83d"),
    bare("lex.recall"),
    bare("lex.nobody"),
    {"method": "no/such"},
    {"method": "tools/call", "params": []},
    {"method": "ping", "id": 0},
    {},
    *HELLO,
    request(1, "tools/list"),
    call(2, "lex.recall", reference_point="auth", include_images=True),
    call(3, "lex.recall"),
    call(4, "lex.nobody"),
    request(5, "no/such"),
    request(6, "ping"),
]
BROKEN = b'[]\n5\n"text"\n\n   \nnull\n{"method":\n[' + b"[" * 1000 + b"\n"


def told_by(data: bytes) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Answers to bare lines stand in their order, and are compared byte for byte; those to numbered
    requests may come in any order, and are compared as JSON."""
    parsed = [(line, json.loads(line)) for line in data.splitlines()]
    numbered = [answer for _, answer in parsed if answer.get("id") is not None]
    bare_ones = [line for line, answer in parsed if answer.get("id") is None]
    return bare_ones, sorted(numbered, key=json.dumps)


@promise("lex:wires:same")
def test_in_process_and_through_a_worker_the_answers_are_the_same(
    client: Client, said_in_process: tuple[list[bytes], list[dict[str, Any]]]
) -> None:
    bare_ones, numbered = told_by(client.say(lines(READING) + BROKEN))

    assert (len(bare_ones), len(numbered)) == (22 + 6, 8)
    assert bare_ones == said_in_process[0]
    assert numbered == said_in_process[1]


@promise("lex:wires:bare")
def test_the_contracts_example_of_a_bare_line(client: Client) -> None:
    told = json.loads(client.say(b'{"method":"tools/list"}\n'))

    assert list(told) == ["jsonrpc", "result"]
    assert [tool["name"] for tool in told["result"]["tools"]] == [f"lex.{name}" for name in NAMES]


@promise("lex:wires:bare")
def test_a_bare_call_has_content_and_data(client: Client) -> None:
    told = client.call("lex.recall", reference_point="auth", include_images=True)

    assert list(told) == ["jsonrpc", "result"]
    text, image = told["result"]["content"]
    assert text["text"].startswith("🎯 Found 1 Frame(s):")
    assert image == {"type": "image", "data": IMAGE["data"], "mimeType": "image/png"}
    assert told["result"]["data"] == told["result"]["structuredContent"]
    assert told["result"]["data"]["frames"][0]["reference_point"] == FRAME["reference_point"]


@promise("lex:wires:bare", "lex:codes:sixteen")
def test_a_bare_failure_is_the_contracts_error_at_the_top(client: Client) -> None:
    told = client.answers(bare("lex.nobody"), {"method": "resources/list"}, bare("lex.timeline"))

    assert [list(each) for each in told] == [["error"]] * 3
    assert [each["error"]["code"] for each in told] == [
        "INTERNAL_UNKNOWN_TOOL",
        "INTERNAL_UNKNOWN_METHOD",
        "VALIDATION_REQUIRED_FIELD",
    ]
    assert told[0]["error"]["metadata"] == {
        "requestedTool": "lex.nobody",
        "availableTools": [f"lex.{name}" for name in NAMES],
    }
    assert told[1]["error"]["metadata"]["requestedMethod"] == "resources/list"


@promise("lex:wires:bare")
def test_a_line_of_ten_megabytes_is_answered_and_the_next_one_too(client: Client) -> None:
    told = client.answers(bare("lex.recall", reference_point="x" * 10_000_000), {"method": "ping"})

    assert told[0]["error"]["code"] == "VALIDATION_INVALID_FORMAT"
    assert told[1] == {"jsonrpc": "2.0", "result": {}}


@promise("lex:wires:json-rpc")
def test_who_speaks_json_rpc_gets_results(client: Client) -> None:
    told = {
        each["id"]: each
        for each in client.answers(
            *HELLO,
            call(1, "lex.recall", jira="TICKET-123"),
            call(2, "lex.nobody"),
            call(3, "lex.recall", limit="5", jira="A-1"),
            request(4, "no/such"),
            request(5, "ping"),
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
            {"jsonrpc": "2.0", "method": "tools/list"},
        )
    }

    assert set(told) == {0, 1, 2, 3, 4, 5}
    found = told[1]["result"]
    assert found["data"] == found["structuredContent"]
    assert found["isError"] is False
    for number, code in ((2, "INTERNAL_UNKNOWN_TOOL"), (3, "VALIDATION_INVALID_FORMAT")):
        refused = told[number]["result"]
        assert refused["isError"] is True
        assert refused["structuredContent"]["error"]["code"] == code
        assert json.loads(refused["content"][0]["text"]) == refused["structuredContent"]
        assert "data" not in refused
    assert told[4]["error"]["code"] == -32601
    assert told[5]["result"] == {}


@promise("lex:wires:same")
def test_folder_policy_and_branch_are_those_of_the_client(client: Client) -> None:
    beta = Client(client.world, client.world.home / "beta" / "ui")
    told = beta.call("lex.introspect")["result"]["data"]

    assert told["policy"] == {"modules": ["only"], "moduleCount": 1}
    assert told["state"] == {"frameCount": 0, "latestFrame": None, "currentBranch": "work"}


@promise("lex:wires:same")
def test_what_was_configured_for_the_client_goes_along(client: Client) -> None:
    path = client.world.home / "beta" / "policy" / "policy_spec" / "lexmap.policy.json"
    client.environ = {
        "LEX_POLICY_PATH": str(path),
        "LEX_DEFAULT_BRANCH": "größe/☃",
        "LEX_STRICT_MODE": "1",
    }

    told = client.call("lex.introspect")["result"]["data"]
    refused = client.call("lex.remember", **(FRAME | {"module_scope": ["onyl"]}))["error"]

    assert told["policy"]["modules"] == ["only"]
    assert told["state"]["currentBranch"] == "größe/☃"
    assert refused["metadata"]["suggestions"] == []


@promise("lex:wires:names")
def test_the_client_chooses_how_names_are_listed(client: Client) -> None:
    client.environ = {"RECOLLECT_LEX_TOOL_NAMES": "underscore"}

    told = client.answers(
        {"method": "tools/list"}, *HELLO, request(1, "tools/list"), bare("lex.introspect")
    )

    listed = [each["result"]["tools"] for each in told if "tools" in each.get("result", {})]
    assert [[tool["name"] for tool in tools] for tools in listed] == [
        [f"lex_{name}" for name in NAMES]
    ] * 2
    assert any("version" in each["result"].get("data", {}) for each in told)


@promise("lex:wires:names")
def test_beside_another_dialect_bare_lines_and_unknown_tools_are_json_rpcs(client: Client) -> None:
    client.dialect = "codexmem,lex"

    told = client.answers(*HELLO, call(1, "lex.nobody"), {"method": "ping"})

    assert {each["error"]["code"] for each in told if "error" in each} == {-32602, -32600}


@promise("lex:wires:http")
def test_over_streamable_http_it_is_the_workers_folder(worker: HttpDoor) -> None:
    listed = worker.ask("tools/list", {})["result"]["tools"]
    told = worker.ask("tools/call", {"name": "lex.introspect", "arguments": {}})["result"]
    refused = worker.ask("tools/call", {"name": "lex.nobody", "arguments": {}})["result"]

    assert [tool["name"] for tool in listed] == [f"lex.{name}" for name in NAMES]
    assert told["data"] == told["structuredContent"]
    assert told["data"]["policy"] is None
    assert refused["structuredContent"]["error"]["code"] == "INTERNAL_UNKNOWN_TOOL"


@promise("lex:wires:http")
def test_over_http_a_frame_is_kept_and_found(worker: HttpDoor) -> None:
    frame = FRAME | {"jira": "HTTP-1", "images": [IMAGE]}

    told = worker.ask("tools/call", {"name": "lex.remember", "arguments": frame})["result"]
    asked = {"jira": "HTTP-1", "include_images": True}
    found = worker.ask("tools/call", {"name": "lex.recall", "arguments": asked})["result"]

    assert [each["id"] for each in found["data"]["frames"]] == [told["data"]["frame_id"]]
    assert [each["type"] for each in found["content"]] == ["text", "image"]


@promise("lex:wires:store")
def test_a_workspace_with_a_place_for_a_store_has_its_own(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "alpha")
    (folder / ".smartergpt" / "lex").mkdir(parents=True)
    world = World(tmp_path, NOW, {"RECOLLECT_EMBEDDER": "none"})

    def say(cwd: Path, *messages: dict[str, Any], **environ: str) -> list[dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, "-m", "recollect.cli.main", "serve", "--dialect", "lex"],
            input=lines(messages),
            capture_output=True,
            env={**world.environ, **environ},
            cwd=cwd,
            check=True,
            timeout=60,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    say(folder / "ui", bare("lex.remember", **FRAME))
    assert (folder / ".smartergpt" / "lex" / "memory.db").is_file()
    assert not (tmp_path / ".recollect" / "recollect.db").exists()

    store = str(folder / ".smartergpt" / "lex" / "memory.db")
    (tmp_path / "gamma").mkdir()
    (told,) = say(tmp_path / "gamma", bare("lex.introspect"), LEX_MEMORY_DB=store)
    assert told["result"]["data"]["state"]["frameCount"] == 1, "all frames of such a store count"


FOLDERS = [
    ("alpha", 4, "a folder of a checkout"),
    ("alpha/ui", 4, "one below it"),
    ("elsewhere", None, "one without a policy"),
]


def said(worker: HttpDoor, tool: str, folder: str, **arguments: object) -> dict[str, Any]:
    """A call over streamable HTTP from somebody who names a folder."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
        "X-Recollect-Folder": quote(folder),
    }
    connection = HTTPConnection(*worker.address, timeout=30)
    connection.request("POST", "/mcp/lex", json.dumps(call(1, tool, **arguments)), headers)
    result: dict[str, Any] = json.loads(connection.getresponse().read())["result"]
    connection.close()
    structured: dict[str, Any] = result["structuredContent"]
    return structured


@promise("lex:wires:http")
@pytest.mark.parametrize(("folder", "count", "because"), FOLDERS, ids=last)
def test_over_http_too_a_client_may_name_its_folder(
    world: World, worker: HttpDoor, folder: str, count: int | None, because: str
) -> None:
    told = said(worker, "lex.introspect", str(world.home / folder))

    found = None if told["policy"] is None else told["policy"]["moduleCount"]
    assert found == count, because


@promise("lex:wires:http", "lex:codes:workspace")
@pytest.mark.parametrize("folder", ["relative", "/no/such/folder", "/etc/passwd", "/a\0b", "~"])
def test_a_folder_that_is_none_is_told_where_it_is_needed(worker: HttpDoor, folder: str) -> None:
    refused = said(worker, "lex.introspect", folder)
    told = said(worker, "lex.timeline", folder, ticketOrBranch="NONE-1")

    assert refused["error"]["code"] == "VALIDATION_INVALID_PATH"
    assert refused["error"]["metadata"] == {"path": folder}
    assert told["frames"] == []


@promise("lex:recall:images")
def test_an_image_of_ten_mebibytes_goes_in_and_comes_out(client: Client) -> None:
    big = PNG + bytes(10 * 1024 * 1024 - len(PNG))
    packed = base64.b64encode(big).decode()
    gamma = Client(client.world, client.world.home / "gamma")  # a project of its own
    gamma.folder.mkdir(exist_ok=True)

    kept, found, refused = gamma.answers(
        bare("lex.remember", **(FRAME | {"images": [{"data": packed}]})),
        bare("lex.recall", jira="TICKET-123", include_images=True, limit=1),
        bare("lex.remember", **(FRAME | {"images": [{"data": packed[:-4] + "AAAAAAAA"}]})),
    )

    assert kept["result"]["data"]["success"] is True
    assert found["result"]["content"][1]["data"] == packed
    assert refused["error"]["code"] == "VALIDATION_INVALID_IMAGE"
