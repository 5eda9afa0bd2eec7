"""JSON over HTTP to a server that may be slow, gone, or not what it says: asked once, in bounds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead

from recollect.model.errors import InvalidSetting

LARGEST = 32 * 1024 * 1024
"""Bytes of an answer."""
PART = 1 << 16


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str
    port: int | None
    path: str
    """Before what is asked for; without a slash at its end."""

    def __str__(self) -> str:
        port = "" if self.port is None else f":{self.port}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{port}{self.path}"


def address(url: str) -> Address:
    """What cannot be asked is told before anybody waits for it."""
    from urllib.parse import urlsplit  # only those who have a server pay for it

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidSetting("chroma.url is not a URL") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InvalidSetting("chroma.url is not an http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidSetting("chroma.url may hold a host, a port and a path only")
    return Address(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))


def ask(
    there: Address, method: str, path: str, body: bytes | None, timeout: float
) -> tuple[int, bytes]:
    """Status and answer; `OSError` or `HTTPException` when there is none within the time."""
    kind = HTTPSConnection if there.scheme == "https" else HTTPConnection
    connection = kind(there.host, there.port, timeout=timeout)
    end = time.monotonic() + timeout
    try:
        connection.request(
            method,
            there.path + path,
            body,
            {"Content-Type": "application/json", "Accept": "application/json"},
        )
        response = connection.getresponse()
        answer = bytearray()
        while part := response.read1(PART):
            answer += part
            if len(answer) > LARGEST:
                raise HTTPException(f"more than {LARGEST} bytes")
            if time.monotonic() > end:  # a server may send a byte now and then for ever
                raise TimeoutError(f"not complete after {timeout:g} s")
        if response.length:  # `read1` does not say so
            raise IncompleteRead(bytes(answer), response.length)
        return response.status, bytes(answer)
    finally:
        connection.close()
