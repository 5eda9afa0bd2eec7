"""One line of a stdio client: a JSON-RPC message, or the error that it gets.

The same for every wire that carries lines, so that in-process and through a worker a broken
line is answered alike.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pydantic_core
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that is no message, with its answer."""

    answer: JSONRPCError


@dataclass(frozen=True, slots=True)
class Bare:
    """A line that is an object and does not say which protocol it speaks."""

    fields: dict[str, Any]

    @property
    def address(self) -> dict[str, str | int]:
        """Its id, if it has one that can be repeated."""
        request_id = _usable_id(self.fields)
        return {} if request_id is None else {"id": request_id}


def bare(line: bytes) -> Bare | None:
    """What a refused line is to a server that takes bare ones; asked after `read`."""
    try:
        decoded: Any = pydantic_core.from_json(line)
    except ValueError:
        return None
    return Bare(decoded) if isinstance(decoded, dict) and "jsonrpc" not in decoded else None


def parsed(line: bytes) -> JSONRPCMessage | Refusal:
    return read(line)[0]


def read(line: bytes) -> tuple[JSONRPCMessage | Refusal, bytes]:
    """The message, and the line as it can be handed on: written anew, infinity would be null."""
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            text = "Invalid request: no JSON-RPC message"
            return _refused(_id_in(line), INVALID_REQUEST, text), line
        mended = _mended(line)
        if mended is None:
            return _refused(None, PARSE_ERROR, "Parse error: the line is not JSON"), line
        return read(mended)
    if isinstance(message, JSONRPCNotification) and _has_id(line):
        # The SDK takes a request with an unusable id for a notification; it is owed an answer.
        text = "Invalid request: the id is no string or integer"
        return _refused(None, INVALID_REQUEST, text), line
    return message, line


def wire(message: JSONRPCMessage) -> bytes:
    """A message as the bytes of one line, without its end."""
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode()


def _mended(line: bytes) -> bytes | None:
    r"""A line whose only fault is half a surrogate pair, as in an emoji cut in two.

    JavaScript writes it as `\ud83d`, which is JSON by the grammar; pydantic refuses it, and the
    client would wait for the answer to its request for ever.
    """
    if rb"\u" not in line:
        return None
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    whole = text.encode("utf-8", "replace")
    return None if whole == text.encode("utf-8", "surrogatepass") else whole


def _refused(request_id: str | int | None, code: int, message: str) -> Refusal:
    error = ErrorData(code=code, message=message)
    return Refusal(JSONRPCError(jsonrpc="2.0", id=request_id, error=error))


def _id_in(line: bytes) -> str | int | None:
    decoded: Any = pydantic_core.from_json(line)
    return _usable_id(decoded) if isinstance(decoded, dict) else None


def _usable_id(fields: dict[str, Any]) -> str | int | None:
    request_id = fields.get("id")
    usable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return request_id if usable else None


def _has_id(line: bytes) -> bool:
    return b'"id"' in line and "id" in pydantic_core.from_json(line)
