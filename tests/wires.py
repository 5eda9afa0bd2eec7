"""The same conversation over every wire that MCP is served on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

from listening import listening, parrot_application

if TYPE_CHECKING:
    from collections.abc import Sequence

Message = dict[str, Any]

HANDSHAKE_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"
VERSIONS = [*HANDSHAKE_VERSIONS, STATELESS]
INITIALIZED: Message = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def initialize(version: str) -> Message:
    return request(
        0,
        "initialize",
        protocolVersion=version,
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    )


def request(request_id: int | str, method: str, **params: object) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def call(request_id: int | str, tool: str, **arguments: object) -> Message:
    return request(request_id, "tools/call", name=tool, arguments=arguments)


def enveloped(message: Message) -> Message:
    """A request of the stateless era: it says of itself which protocol it speaks."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    return {**message, "params": {**message.get("params", {}), "_meta": meta}}


def conversation(version: str, *messages: Message) -> list[Message]:
    """The messages as a client of this version sends them."""
    if version == STATELESS:
        return [enveloped(message) for message in messages]
    return [initialize(version), INITIALIZED, *messages]


def lines(messages: Sequence[Message]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def parrot(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """The parrot's stdio server as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "parrot", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **options,
    )


def over_stdio(messages: Sequence[Message]) -> list[Message]:
    return _answers(parrot(), messages)


def over_bridge(messages: Sequence[Message]) -> list[Message]:
    with listening(parrot_application()) as port, tempfile.NamedTemporaryFile("w") as address:
        address.write(str(port))
        address.flush()
        return _answers(parrot("bridge", address.name), messages)


def over_http(messages: Sequence[Message]) -> list[Message]:
    with listening(parrot_application()) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        answers = [_posted(connection, message, messages[0]) for message in messages]
        connection.close()
    return [answer for answer in answers if answer is not None]


def _posted(connection: HTTPConnection, message: Message, first: Message) -> Message | None:
    connection.request("POST", "/mcp/parrot", json.dumps(message), http_headers(message, first))
    response = connection.getresponse()
    body = response.read()
    return json.loads(body) if body else None


def http_headers(message: Message, first: Message) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "X-Recollect-Project": "here",
    }
    params = message.get("params", {})
    if "_meta" in params:
        headers |= {"MCP-Protocol-Version": STATELESS, "Mcp-Method": message["method"]}
        headers |= {"Mcp-Name": params["name"]} if "name" in params else {}
    elif message is not first:
        headers["MCP-Protocol-Version"] = first["params"]["protocolVersion"]
    return headers


def _answers(process: subprocess.Popen[bytes], messages: Sequence[Message]) -> list[Message]:
    stdout, stderr = process.communicate(lines(messages), timeout=20)
    assert process.returncode == 0, stderr.decode()
    return [json.loads(line) for line in stdout.splitlines()]
