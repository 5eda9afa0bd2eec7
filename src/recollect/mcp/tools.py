"""The tools of a dialect as MCP has them: listed as published, asked in a thread, told as results.

Who carries a question (the SDK's server, or a bare line) is not known here.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import anyio.to_thread
from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent, Tool, ToolAnnotations

from recollect.dialect.registry import spelled_plainly
from recollect.dialect.reply import Ask, Reply, refused
from recollect.mcp.line import well_formed
from recollect.mcp.said import Said, wants_plain_names
from recollect.model.call_errors import Fault
from recollect.model.errors import RecollectError, UnknownTool

if TYPE_CHECKING:
    from recollect.dialect.spec import Dialect

_log = logging.getLogger(__name__)

AskFor = Callable[[Said], Ask]
"""Answers with the `Ask` of whoever says this of itself. Called in a thread."""


class Tools:
    """The tools of one dialect. `said` is what a client on our own streams says of itself."""

    def __init__(self, dialect: Dialect, ask_for: AskFor, said: Said | None = None) -> None:
        self.dialect = dialect
        self._ask_for = ask_for
        self._said = said or {}
        self._listed = published(dialect)
        self._listed_plainly = published(spelled_plainly(dialect))

    def listed(self, said: Said) -> list[Tool]:
        return self._listed_plainly if wants_plain_names(said or self._said) else self._listed

    async def call(self, said: Said, name: str, arguments: Mapping[str, object]) -> Reply:
        """Whatever fails, the client gets an answer. `UnknownTool` when the dialect has no words
        for a tool that is not there."""
        given = well_formed(dict(arguments))

        def ask() -> Reply:
            return self._ask_for(said or self._said)(name, given)

        try:
            return await anyio.to_thread.run_sync(ask)
        except UnknownTool as error:
            if not self.dialect.words_unknown_tools:
                raise
            return self.refused(error)
        except RecollectError as error:
            return self.refused(error)
        except Exception:  # noqa: BLE001 - whatever fails, the client gets an answer
            _log.exception("the tool %s failed unexpectedly", name)
            return refused(self.dialect.tool(name).wording, Fault())

    def refused(self, error: RecollectError) -> Reply:
        return refused(self.dialect.wording, error)


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
    """The contract's JSON or words as one text block, then images; objects also as structured
    content."""
    return CallToolResult(
        content=_content(reply), structured_content=reply.structured, is_error=reply.is_error
    )


def _content(reply: Reply) -> list[ContentBlock]:
    images = (
        ImageContent(
            type="image",
            data=base64.b64encode(picture.data).decode("ascii"),
            mime_type=picture.mime_type,
        )
        for picture in reply.pictures
    )
    return [TextContent(type="text", text=reply.text), *images]
