"""A client of server-sent events over a real connection, which reads frame by frame."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from typing import Any

PATIENCE = 20.0


@dataclass
class Frame:
    id: int
    event: str
    data: dict[str, Any]


@dataclass
class Client:
    """A client of the stream; reads frame by frame."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    response: HTTPResponse = field(init=False)

    def __post_init__(self) -> None:
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.connection.request("GET", "/api/events", headers=self.headers)
        self.response = self.connection.getresponse()

    def block(self) -> list[str]:
        """Lines up to the blank one; none at the end of the stream."""
        lines: list[str] = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        return lines

    def frame(self) -> Frame:
        lines = self.block()
        assert [line.partition(": ")[0] for line in lines] == ["id", "event", "data"], lines
        id_, event, data = (line.partition(": ")[2] for line in lines)
        return Frame(int(id_), event, json.loads(data))

    def close(self) -> None:
        self.response.close()
        self.connection.close()
