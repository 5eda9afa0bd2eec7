"""One request to the worker, over before a moment set in advance, on the bare socket module.

`http.client` would do at four times the start-up of Python, and bounds each step instead of the
whole. HTTP/1.0, because its answers come in one piece and end with the connection.
"""

from __future__ import annotations

import _socket
import time

CHUNK = 65_536
LARGEST = 1024 * 1024
"""Bytes of an answer; the worker's have some hundred."""
ANYWHERE = {"localhost": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - as asked
"""Where a worker that listens there is found. Names are not looked up: that takes its own time."""


class NotDelivered(Exception):
    """Nobody knows whether it arrived."""


def post(
    address: tuple[str, int], path: str, body: bytes, *, token: str | None, until: float
) -> bytes:
    """The body of the worker's answer, if it was a good one. `until` is `time.monotonic()`'s."""
    host, port = ANYWHERE.get(address[0], address[0]), address[1]
    named = f"[{host}]" if ":" in host else host
    fields = {
        "Host": f"{named}:{port}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **({"Authorization": f"Bearer {token}"} if token else {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    try:
        request = f"POST {path} HTTP/1.0\r\n{lines}\r\n".encode("latin-1") + body
        return _body(_exchange((host, port), request, until))
    except (OSError, ValueError) as problem:
        raise NotDelivered(str(problem)) from problem


def _exchange(address: tuple[str, int], request: bytes, until: float) -> bytes:
    family = _socket.AF_INET6 if ":" in address[0] else _socket.AF_INET
    _socket.inet_pton(family, address[0])
    connection = _socket.socket(family, _socket.SOCK_STREAM)
    try:
        connection.settimeout(_left(until))
        connection.connect(address)
        connection.settimeout(_left(until))
        connection.sendall(request)
        answer = b""
        while not _is_whole(answer):
            connection.settimeout(_left(until))
            chunk = connection.recv(CHUNK)
            if not chunk:
                break
            answer += chunk
            if len(answer) > LARGEST:
                raise ValueError("the answer has no end")
        return answer
    finally:
        connection.close()


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the worker takes too long")
    return left


def _is_whole(answer: bytes) -> bool:
    """Whether all came that was promised; without a promise, the end of the connection tells."""
    head, separator, body = answer.partition(b"\r\n\r\n")
    if not separator:
        return False
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return len(body) >= int(value)
    return False


def _body(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or len(words[1]) != 3:
        raise ValueError("the answer is not HTTP")
    if not words[1].startswith(b"2"):
        raise ValueError(f"the worker answers {words[1].decode('latin-1')}")
    return body
