"""The bridge when the worker behind it restarts, stalls, refuses or goes away."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from listening import listening, parrot_application
from recollect.mcp.bridge import Bridge, Leftover
from recollect.web.guard import Rules
from wires import INITIALIZED, call, initialize, lines, parrot, request

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

HELLO = [initialize("2025-06-18"), INITIALIZED]


class Client:
    """A client that asks one thing after the other through a bridge."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def send(self, *messages: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(lines(messages))
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def ask(self, request_id: int, text: str) -> str:
        self.send(call(request_id, "say", text=text))
        answer = self.answer()
        assert answer["id"] == request_id
        said: str = answer["result"]["structuredContent"]["said"]
        return said


@contextlib.contextmanager
def bridged(address: os.PathLike[str]) -> Iterator[tuple[Client, subprocess.Popen[bytes]]]:
    with parrot("bridge", str(address)) as process:
        client = Client(process)
        client.send(*HELLO)
        assert client.answer()["result"]["protocolVersion"] == "2025-06-18"
        yield client, process
        stdout, stderr = process.communicate(timeout=10)
        assert (process.returncode, stdout) == (0, b""), stderr.decode()


def test_a_restart_of_the_worker_is_not_noticed(tmp_path: Path) -> None:
    address = tmp_path / "address"
    with contextlib.ExitStack() as stack:
        with listening(parrot_application()) as port:
            address.write_text(str(port))
            client, _ = stack.enter_context(bridged(address))
            assert client.ask(1, "before") == "before"
        with listening(parrot_application()) as port:
            address.write_text(str(port))
            assert client.ask(2, "after") == "after"


def test_without_a_worker_it_goes_on_in_process_with_the_same_client(tmp_path: Path) -> None:
    address = tmp_path / "address"
    with contextlib.ExitStack() as stack:
        with listening(parrot_application()) as port:
            address.write_text(str(port))
            client, process = stack.enter_context(bridged(address))
            assert client.ask(1, "before") == "before"
        address.write_text("")
        assert client.ask(2, "after") == "after"
        assert client.ask(3, "and again") == "and again"
        assert process.stderr is not None
        assert process.stderr.readline() == b"gone on in-process\n"


def test_several_requests_are_answered_at_once(tmp_path: Path) -> None:
    import parrot as speaking

    address = tmp_path / "address"
    speaking.gate.clear()
    with listening(parrot_application()) as port:
        address.write_text(str(port))
        with bridged(address) as (client, _):
            client.send(call(1, "wait"), request(2, "ping"))
            assert client.answer()["id"] == 2, "a slow answer must not hold up the next"
            speaking.gate.set()
            assert client.answer()["id"] == 1


class Silent:
    """A worker that takes a line and never answers, or answers something else."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    @contextlib.contextmanager
    def listening(self) -> Iterator[tuple[str, int]]:
        import threading

        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve() -> None:
                with contextlib.suppress(OSError):
                    while True:
                        connection, _ = server.accept()
                        connection.recv(65_536)
                        connection.sendall(self._answer)
                        connections.append(connection)

            connections: list[socket.socket] = []
            thread = threading.Thread(target=serve)
            thread.start()
            yield server.getsockname()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)
            for connection in connections:
                connection.close()


GONE: list[tuple[bytes, str]] = [
    (b"", "it does not answer in time"),
    (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "it wants another token"),
    (b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", "the line is too long for it"),
    (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "it crashed over the line"),
    (b"SSH-2.0-OpenSSH\r\n\r\n\r\n", "something else listens there"),
]


@pytest.mark.parametrize(("answer", "because"), GONE, ids=[because for _, because in GONE])
def test_no_line_is_lost_when_the_worker_is_no_use(answer: bytes, because: str) -> None:
    with Silent(answer).listening() as address:
        leftover = _carried(address, lines(HELLO) + b'{"half')

    assert leftover is not None
    sent = lines(HELLO).splitlines()
    assert (leftover.handshake, list(leftover.lines), leftover.rest) == (None, sent, b'{"half')


def test_a_token_is_presented() -> None:
    rules = Rules(bound="127.0.0.1", token="s3cret")
    with listening(parrot_application(rules)) as port:
        refused = _carried(("127.0.0.1", port), lines(HELLO))
        taken = _carried(("127.0.0.1", port), lines(HELLO), Authorization="Bearer s3cret")

    assert refused is not None
    assert taken is None


def test_the_bridge_loads_nothing_that_it_can_do_without() -> None:
    program = "import sys, recollect.mcp.bridge, recollect.worker.address; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()

    dear = {"asyncio", "socket", "re", "json", "http.client", "typing", "threading", "mcp"}
    assert dear.isdisjoint(loaded)


def _carried(address: tuple[str, int], data: bytes, **headers: str) -> Leftover | None:
    """What is left of some input once the bridge gave up, or None when all was answered."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(data)
        if not data.endswith(b"half"):
            ours.shutdown(socket.SHUT_WR)
        return Bridge(
            lambda: address,
            "/mcp/parrot/line",
            {"Content-Type": "application/json", **headers},
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            patience=0.3,
        ).run()
