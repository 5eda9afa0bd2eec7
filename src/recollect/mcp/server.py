"""A dialect as an MCP server: its tools listed as published, its answers as tool results.

Both protocol eras come from the SDK. Which wire the server talks on is `stdio`'s and `http`'s
business; what a tool does is the dialect's.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from recollect import __version__
from recollect.mcp.said import said_with
from recollect.mcp.tools import Tools, as_result
from recollect.model.errors import UnknownTool

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult

    from recollect.dialect.spec import Json

Context = ServerRequestContext[Any, Any]

_data: ContextVar[Json] = ContextVar("data", default=None)
"""What the call that is being answered tells beside its text."""


def tool_server(tools: Tools) -> Server[Any]:
    """An MCP server with the tools of one dialect, and no other capability."""

    async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": tools.listed(said_with(context))})

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        try:
            reply = await tools.call(said_with(context), params.name, params.arguments or {})
        except UnknownTool as error:
            raise MCPError(code=INVALID_PARAMS, message=error.message) from error
        told = as_result(reply)
        _data.set(told.pop("data", None))
        return CallToolResult.model_validate(told)

    server: Server[Any] = Server(
        "recollect",
        version=__version__,
        instructions=tools.dialect.instructions or None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_with_data)
    return server


async def _with_data(ctx: Context, call_next: CallNext) -> HandlerResult:
    """A contract's `data` beside the content: the SDK itself lets no field of its own through."""
    _data.set(None)
    answered = await call_next(ctx)
    data = _data.get()
    return (
        {**answered, "data": data} if data is not None and isinstance(answered, dict) else answered
    )
