"""One keep-alive HTTP connection from the bridge to the worker, on the bare socket module.

Speaks only what our own worker answers: a status line, headers, a body of a stated length.
`http.client` would do, at four times the start-up of Python itself.
"""

from __future__ import annotations

import _socket

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from recollect.worker.address import Address

_CHUNK = 65_536


class ChannelError(Exception):
    """The worker cannot be reached, or does not answer as a worker does."""


class Response:
    """`protocol` is the version that a handshake settled on; `is_refusal`: not about the line."""

    def __init__(self, status: int, headers: dict[bytes, bytes], body: bytes) -> None:
        protocol = headers.get(b"mcp-protocol-version")
        self.protocol = None if protocol is None else protocol.decode("latin-1")
        self.is_refusal = status not in (200, 202)
        self.body = body


class Channel:
    """Sends one line at a time; `headers` may change between two of them."""

    def __init__(self, address: Address, path: str, headers: dict[str, str]) -> None:
        host, port = address
        self._head = f"POST {path} HTTP/1.1\r\nHost: {_named(host)}:{port}\r\n"
        self._headers = headers
        self._received: list[bytes] = []
        self._missing = 0
        """Bytes until the answer is whole; 0 while its head has not arrived."""
        family = _socket.AF_INET6 if ":" in host else _socket.AF_INET
        try:
            self._socket = _socket.socket(family, _socket.SOCK_STREAM)
            self._socket.connect((host, port))
            self._socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        except OSError as error:
            raise ChannelError from error

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def send(self, line: bytes) -> None:
        fields = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        length = f"Content-Length: {len(line)}\r\n\r\n"
        try:
            self._socket.sendall((self._head + fields + length).encode("latin-1") + line)
        except (OSError, UnicodeEncodeError) as error:
            raise ChannelError from error

    def receive(self) -> Response | None:
        """What arrived, once it is whole. Blocks only when nothing is there."""
        try:
            chunk = self._socket.recv(_CHUNK)
        except OSError as error:
            raise ChannelError from error
        if not chunk:
            raise ChannelError
        self._received.append(chunk)
        if self._missing > len(chunk):
            self._missing -= len(chunk)
            return None
        head, separator, body = b"".join(self._received).partition(b"\r\n\r\n")
        if not separator:
            return None
        status, headers = _parsed(head)
        self._missing = max(int(headers.get(b"content-length", b"0")) - len(body), 0)
        if self._missing:
            return None
        self._received = []
        return Response(status, headers, body)


def _parsed(head: bytes) -> tuple[int, dict[bytes, bytes]]:
    start, *fields = head.split(b"\r\n")
    parts = start.split(b" ", 2)
    if len(parts) < 2 or not parts[1].isdigit():
        raise ChannelError
    pairs = (field.partition(b":") for field in fields)
    return int(parts[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
