"""One request within a deadline, whatever the other side does."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from promises import last
from recollect.capture.post import LARGEST, NotDelivered, post

SOON = 0.3


def told(port: int, host: str = "127.0.0.1") -> bytes:
    until = time.monotonic() + SOON
    return post((host, port), "/api/x", b'{"a": 1}', token="t", until=until)


@contextlib.contextmanager
def server(speak: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """Takes one connection, and speaks to it until the test is over."""
    is_over = threading.Event()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)

        def run() -> None:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                speak(connection, is_over)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            is_over.set()
            thread.join()


def drip(connection: socket.socket, is_over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not is_over.wait(0.02):
        connection.sendall(b"x")


def flood(connection: socket.socket, is_over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(2 * LARGEST // 65_536):
        connection.sendall(b"x" * 65_536)
        if is_over.is_set():
            return


def silent(_: socket.socket, is_over: threading.Event) -> None:
    is_over.wait()


def says(*parts: bytes) -> Callable[[socket.socket, threading.Event], None]:
    def speak(connection: socket.socket, _: threading.Event) -> None:
        connection.recv(65_536)
        for part in parts:
            connection.sendall(part)

    return speak


def test_the_answer_is_read_however_it_is_cut() -> None:
    with server(says(b"HTTP/1.1 200 OK\r\nContent-Le", b"ngth: 2\r\n\r\n{", b"}")) as port:
        assert told(port) == b"{}"
    with server(says(b"HTTP/1.0 201 Created\r\n\r\n{}")) as port:
        assert told(port) == b"{}", "without a length, the end of the connection tells"


UNHEARD = [
    (silent, "it says nothing"),
    (drip, "it drips, a byte at a time"),
    (flood, "it never stops"),
    (says(), "it hangs up"),
    (says(b"220 smtp.example ESMTP\r\n\r\n"), "it is no HTTP server"),
    (says(b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"), "it sends elsewhere"),
    (says(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"), "it fails"),
    (says(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"), "its length is none"),
]


@pytest.mark.parametrize(("speak", "because"), UNHEARD, ids=last)
def test_a_request_that_is_not_answered_well_ends_in_time(
    speak: Callable[[socket.socket, threading.Event], None], because: str
) -> None:
    began = time.monotonic()
    with server(speak) as port:
        with pytest.raises(NotDelivered):
            told(port)
        assert time.monotonic() - began < SOON + 5, "the deadline is for the whole, not each step"


def test_names_are_not_looked_up_and_addresses_need_no_looking() -> None:
    with pytest.raises(NotDelivered):
        told(1, host="worker.example")
    for host in ("localhost", "0.0.0.0"):
        with server(says(b"HTTP/1.0 200 OK\r\n\r\n{}")) as port:
            assert told(port, host=host) == b"{}"
