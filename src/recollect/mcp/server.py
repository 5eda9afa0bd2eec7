"""A dialect as an MCP server: its tools listed as published, its answers as tool results.

Both protocol eras come from the SDK. Which wire the server talks on is `stdio`'s and `http`'s
business; what a tool does is the dialect's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from recollect import __version__
from recollect.dialect.reply import Ask, Reply, refused
from recollect.mcp.line import well_formed
from recollect.model.errors import RecollectError, UnknownTool

if TYPE_CHECKING:
    from recollect.dialect.spec import Dialect

_log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]
AskFor = Callable[[Context], Ask]
"""Answers with the `Ask` of the project that a request speaks for. Called in a thread."""


def tool_server(dialect: Dialect, ask_for: AskFor) -> Server[Any]:
    """An MCP server with the tools of one dialect, and no other capability."""
    listing = ListToolsResult(tools=published(dialect))

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return listing

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        arguments = well_formed(params.arguments or {})

        def ask() -> Reply:
            return ask_for(context)(params.name, arguments)

        try:
            return result(await anyio.to_thread.run_sync(ask))
        except UnknownTool as error:
            raise MCPError(code=INVALID_PARAMS, message=error.message) from error
        except RecollectError as error:
            return result(refused(dialect.wording, error))
        except Exception:  # noqa: BLE001 - whatever fails, the client gets an answer
            _log.exception("the tool %s failed unexpectedly", params.name)
            return result(Reply("internal error; the server's log has the details", is_error=True))

    return Server(
        "recollect",
        version=__version__,
        instructions=dialect.instructions or None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def published(dialect: Dialect) -> list[Tool]:
    return [
        Tool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.input_schema,
            annotations=ToolAnnotations(read_only_hint=tool.is_read_only, open_world_hint=False),
        )
        for tool in dialect.tools
    ]


def result(reply: Reply) -> CallToolResult:
    """The contract's JSON as one text block; objects also as structured content."""
    return CallToolResult(
        content=[TextContent(type="text", text=reply.text)],
        structured_content=reply.structured,
        is_error=reply.is_error,
    )
