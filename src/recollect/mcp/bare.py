"""Bare lines: a method and its params without `jsonrpc`, for scripts that pipe one line in.

An answer carries the id of its line if that has one, and else stands in the order of the lines. A
problem is the dialect's error object at the top, as its contract has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from recollect.mcp.tools import as_result, wire
from recollect.model.call_errors import MissingArgument, UnknownMethod
from recollect.model.errors import InvalidArgument, RecollectError

if TYPE_CHECKING:
    from recollect.dialect.reply import Reply
    from recollect.dialect.spec import Json
    from recollect.mcp.line import Bare
    from recollect.mcp.said import Said
    from recollect.mcp.tools import Tools

METHODS = ("initialize", "ping", "tools/list", "tools/call")


def bare_lines(tools: Tools) -> BareLines | None:
    """What answers them, if the dialect takes any."""
    return BareLines(tools) if tools.dialect.takes_bare_lines else None


class BareLines:
    """Answers the bare lines of a client."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def answer(self, line: Bare, said: Said) -> bytes | None:
        """The answer as the bytes of one line; None where none is due."""
        method = line.fields.get("method")
        if isinstance(method, str) and method.startswith("notifications/"):
            return None
        try:
            told = await self._answered(method, line.fields.get("params"), said)
        except RecollectError as error:
            told = self._problem(self._tools.refused(error))
        return wire(told | line.address)

    async def _answered(self, method: object, params: object, said: Said) -> dict[str, Json]:
        if method not in METHODS:
            name = method if isinstance(method, str) else ""
            told = f"unknown method: {name}" if name else "the line names no method"
            raise UnknownMethod(told, name=name, known=list(METHODS))
        if params is not None and not isinstance(params, Mapping):
            raise InvalidArgument("params", "must be an object")
        given: Mapping[str, object] = params or {}
        match method:
            case "initialize":
                return _success(self._tools.greeting(given.get("protocolVersion")))
            case "ping":
                return _success({})
            case "tools/list":
                return _success({"tools": self._tools.listed(said)})
            case _:
                return await self._called(given, said)

    async def _called(self, params: Mapping[str, object], said: Said) -> dict[str, Json]:
        name, arguments = params.get("name"), params.get("arguments")
        if name is None:
            raise MissingArgument("name")
        if not isinstance(name, str):
            raise InvalidArgument("name", "must be a string")
        if arguments is not None and not isinstance(arguments, Mapping):
            raise InvalidArgument("arguments", "must be an object")
        reply = await self._tools.call(said, name, arguments or {})
        return self._problem(reply) if reply.is_error else _success(_result(reply))

    def _problem(self, reply: Reply) -> dict[str, Json]:
        """The error object of the contract; a dialect that takes bare lines has one."""
        assert reply.structured is not None, reply.text
        return dict(reply.structured)


def _result(reply: Reply) -> dict[str, Json]:
    """A bare answer that is no error does not say so."""
    told = as_result(reply)
    del told["isError"]
    return told


def _success(told: dict[str, Json]) -> dict[str, Json]:
    return {"jsonrpc": "2.0", "result": told}
