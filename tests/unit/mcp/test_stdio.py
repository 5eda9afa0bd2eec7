"""The stdio server as a client meets it: a process with two pipes."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from wires import INITIALIZED, Message, call, initialize, lines, parrot, request

PARSE_ERROR = {"code": -32700, "message": "Parse error: the line is not JSON"}
NO_MESSAGE = {"code": -32600, "message": "Invalid request: no JSON-RPC message"}
BAD_ID = {"code": -32600, "message": "Invalid request: the id is no string or integer"}
HELLO = [initialize("2025-11-25"), INITIALIZED]

BROKEN: list[tuple[bytes, Message | None, str]] = [
    (b"{nope", {"id": None, "error": PARSE_ERROR}, "not JSON"),
    (b'{"jsonrpc":"2.0","id":1,"method":"pi', {"id": None, "error": PARSE_ERROR}, "truncated"),
    (b'"\xff\xfe"', {"id": None, "error": PARSE_ERROR}, "not UTF-8"),
    (b'{"a":"\\ud800"}', {"id": None, "error": NO_MESSAGE}, "a lone surrogate is JSON"),
    (b'{"a":"\\ud800"', {"id": None, "error": PARSE_ERROR}, "truncated after a surrogate"),
    (b"[" * 100_000, {"id": None, "error": PARSE_ERROR}, "deeper than any message"),
    (b"\0", {"id": None, "error": PARSE_ERROR}, "a NUL"),
    (b"[]", {"id": None, "error": NO_MESSAGE}, "a batch"),
    (b"5", {"id": None, "error": NO_MESSAGE}, "a number"),
    (b'{"jsonrpc":"2.0","id":9,"method":7}', {"id": 9, "error": NO_MESSAGE}, "its id is known"),
    (b'{"id":9,"method":"ping"}', {"id": 9, "error": NO_MESSAGE}, "no version"),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', {"id": None, "error": BAD_ID}, "null as id"),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', {"id": None, "error": BAD_ID}, "half an id"),
    (b"   ", None, "a blank line is nothing"),
    (b'{"jsonrpc":"2.0","method":"no/such"}', None, "notifications get no answer"),
]


@pytest.mark.parametrize(
    ("line", "answer", "because"), BROKEN, ids=[because for _, _, because in BROKEN]
)
def test_a_broken_line_is_answered_and_the_server_goes_on(
    line: bytes, answer: Message | None, because: str
) -> None:
    answers = _talk(lines(HELLO) + line + b"\n" + lines([request(2, "ping")]))

    expected = {} if answer is None else {answer["id"]: {"jsonrpc": "2.0", **answer}}
    assert _but_handshake(answers) == {**expected, 2: {"jsonrpc": "2.0", "id": 2, "result": {}}}


def test_everything_read_before_the_end_is_answered() -> None:
    calls = [call(n, "say", text=str(n)) for n in range(1, 201)]

    answers = _but_handshake(_talk(lines([*HELLO, *calls]).rstrip(b"\n")))

    assert sorted(answers) == list(range(1, 201))
    assert all(answers[n]["result"]["structuredContent"]["said"] == str(n) for n in answers)


def test_a_huge_line_is_one_message() -> None:
    text = "x" * 8_000_000

    answers = _but_handshake(_talk(lines([*HELLO, call(1, "say", text=text)])))

    assert answers[1]["result"]["structuredContent"]["said"] == text


def test_a_cancelled_request_does_not_keep_the_server_alive() -> None:
    cancelled = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }

    answers = _but_handshake(
        _talk(lines([*HELLO, call(1, "say", text="x"), cancelled, request(2, "ping")]))
    )

    assert 2 in answers


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_cleanly(number: signal.Signals) -> None:
    with parrot() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(HELLO))
        process.stdin.flush()
        process.stdout.readline()

        process.send_signal(number)

        assert process.wait(3) == 0
        assert process.stdout.read() == b""


def test_a_client_that_stops_reading_does_not_make_an_orphan() -> None:
    with parrot() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()

        process.stdin.write(lines([*HELLO, call(1, "say", text="x" * 1_000_000)]))
        process.stdin.close()

        assert process.wait(5) == 0


def _talk(data: bytes) -> list[Message]:
    process = parrot()
    stdout, stderr = process.communicate(data, timeout=20)
    assert process.returncode == 0, stderr.decode()
    return [json.loads(line) for line in stdout.splitlines()]


def _but_handshake(answers: list[Message]) -> dict[Any, Message]:
    return {answer["id"]: answer for answer in answers if answer["id"] != 0}
