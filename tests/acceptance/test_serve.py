"""`recollect serve` as an agent starts it: with a worker, without one, and in between."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

import pytest

from commands import Home
from promises import promise
from recollect.worker.address import is_alive
from wires import HANDSHAKE_VERSIONS, STATELESS, call, conversation, lines, request

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

TOOLS = {
    "search",
    "get_observations",
    "timeline",
    "recent_context",
    "session_trace",
    "file_history",
}
NMEM = ("serve", "--dialect", "nmem")
CODEXMEM = ["__IMPORTANT", "search", "timeline", "get_observations", "save_memory"]
SESSION = {"session_id": "s1", "cwd": "/code/acceptance"}
EVENT = {
    **SESSION,
    "hook_event_name": "PostToolUse",
    "tool_name": "Bash",
    "tool_use_id": "t1",
    "tool_input": {"command": "cargo test zebra"},
    "tool_response": {"stdout": "ok"},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("version", [HANDSHAKE_VERSIONS[0], HANDSHAKE_VERSIONS[-1], STATELESS])
def test_the_answers_are_the_same_with_and_without_a_worker(home: Home, version: str) -> None:
    _record(home)
    talk = conversation(
        version,
        request(1, "tools/list"),
        call(2, "search", query="zebra"),
        call(3, "search", query='"zebra'),
        call(4, "timeline", anchor=99),
        call(5, "session_trace", session_id="s1"),
        call(6, "get_observations", ids=[1]),
        call(7, "nobody"),
    )

    in_process = _answers(home, *talk)
    with home.worker():
        bridged = _answers(home, *talk)

    assert bridged == in_process
    assert {tool["name"] for tool in in_process[1]["result"]["tools"]} == TOOLS
    found = json.loads(in_process[2]["result"]["content"][0]["text"])
    assert [hit["content_preview"] for hit in found] == ["cargo test zebra"]
    assert [in_process[n]["result"]["isError"] for n in (3, 4, 5, 6)] == [True, True, False, False]
    assert in_process[7]["error"]["code"] == -32602


@promise("codexmem:tools:default")
def test_without_a_dialect_codexmem_is_served_with_memory_explain(home: Home) -> None:
    _record(home)
    talk = conversation(
        "2025-06-18",
        request(1, "tools/list"),
        call(2, "search", query="zebra"),
        call(3, "memory_explain", query="zebra"),
    )

    in_process = _answers(home, *talk, command=("serve",))
    with home.worker():
        bridged = _answers(home, *talk, command=("serve",))

    listed = [tool["name"] for tool in in_process[1]["result"]["tools"]]
    assert listed == [*CODEXMEM, "memory_explain"]
    assert [tool["name"] for tool in bridged[1]["result"]["tools"]] == listed
    for answers in (in_process, bridged):
        assert "cargo test zebra" in answers[2]["result"]["content"][0]["text"]
        assert len(answers[3]["result"]["structuredContent"]["items"]) == 1


def test_a_memory_is_findable_the_moment_after_it_was_captured(home: Home) -> None:
    with home.worker():
        _record(home)
        answers = _answers(home, *conversation("2025-11-25", call(1, "search", query="zebra")))

    assert len(json.loads(answers[1]["result"]["content"][0]["text"])) == 1


def test_a_client_does_not_notice_what_becomes_of_the_worker(home: Home) -> None:
    _record(home)
    with home.start(*NMEM) as server:
        hello, initialized, _ = conversation("2025-06-18", request(9, "ping"))
        with home.worker():
            pass  # the server was started without one, and goes on without one
        assert _ask(server, hello)["result"]["protocolVersion"] == "2025-06-18"
        _send(server, initialized)
        assert _finds(server, 1)
        assert server.communicate(timeout=10)[0] == b""

    with home.worker() as first, home.start(*NMEM) as server:
        assert _ask(server, hello)["result"]["protocolVersion"] == "2025-06-18"
        _send(server, initialized)
        assert _finds(server, 1), "through the first worker"
        _stop(first)
        with home.worker() as second:
            assert _finds(server, 2), "through the second"
            second.kill()
            second.wait(5)
            assert _finds(server, 3), "in-process"
        assert server.communicate(timeout=10)[0] == b""
        assert server.returncode == 0


def test_a_worker_that_hangs_does_not_hang_the_client(home: Home) -> None:
    _record(home)
    with home.worker() as worker, home.start(*NMEM) as server:
        home.wait_until_ready()  # one that is stopped in mid-write holds the store as well
        hello, initialized, _ = conversation("2025-06-18", request(9, "ping"))
        _ask(server, hello)
        _send(server, initialized)
        worker.send_signal(signal.SIGSTOP)
        assert _finds(server, 1)
        server.communicate(timeout=10)


def test_a_stdio_server_never_starts_a_worker(home: Home) -> None:
    _answers(home, *conversation("2025-06-18", request(1, "tools/list")))

    assert not is_alive(home.worker_file)


def test_a_store_that_cannot_be_trusted_is_an_answer_and_not_a_dead_server(home: Home) -> None:
    (home.folder / "data").mkdir()
    with open(home.store, "wb") as file:
        file.write(b"this is no database, but it is long enough to look like one" * 100)

    answers = _answers(
        home,
        *conversation("2025-06-18", request(1, "tools/list"), call(2, "search", query="x")),
    )

    assert len(answers[1]["result"]["tools"]) == len(TOOLS)
    assert answers[2]["result"]["isError"]
    assert home.store not in json.dumps(answers[2])


def test_an_unknown_dialect_is_refused_with_those_there_are(home: Home) -> None:
    refused = home.run("serve", "--dialect", "klingon")

    assert (refused.status, refused.stdout) == (1, "")
    assert "there are: " in refused.stderr
    assert "nmem" in refused.stderr


def test_mcp_is_the_same_command(home: Home) -> None:
    talk = conversation("2025-06-18", request(1, "ping"))
    assert home.run("mcp", stdin=lines(talk)).stdout == home.run("serve", stdin=lines(talk)).stdout


def _record(home: Home) -> None:
    recorded = home.run("record", stdin=json.dumps(EVENT).encode() + b"\n")
    assert (recorded.status, recorded.stdout) == (0, ""), recorded.stderr


def _answers(
    home: Home, *messages: dict[str, Any], command: tuple[str, ...] = NMEM
) -> dict[int, dict[str, Any]]:
    done = home.run(*command, stdin=lines(messages))
    assert done.status == 0, done.stderr
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def _finds(server: subprocess.Popen[bytes], request_id: int) -> bool:
    answer = _ask(server, call(request_id, "search", query="zebra"))
    assert answer["id"] == request_id
    return len(json.loads(answer["result"]["content"][0]["text"])) == 1


def _ask(server: subprocess.Popen[bytes], message: dict[str, Any]) -> dict[str, Any]:
    _send(server, message)
    assert server.stdout is not None
    answer: dict[str, Any] = json.loads(server.stdout.readline())
    return answer


def _send(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(lines([message]))
    server.stdin.flush()


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.send_signal(signal.SIGTERM)
    worker.communicate(timeout=5)
