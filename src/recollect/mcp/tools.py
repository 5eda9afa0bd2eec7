"""The tools of a dialect as MCP has them: listed as published, asked in a thread, told as results.

Who carries a question (the SDK's server, a plain line or a bare one) is not known here, and nothing
of the SDK is needed: what is told is JSON, its names by the alphabet, as the SDK writes them.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from recollect import __version__
from recollect.dialect.registry import spelled_plainly
from recollect.dialect.reply import Ask, Reply, refused
from recollect.mcp.said import Said, wants_plain_names
from recollect.model.call_errors import Fault
from recollect.model.errors import RecollectError, UnknownTool

if TYPE_CHECKING:
    from recollect.dialect.spec import Dialect, Json

_log = logging.getLogger(__name__)

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Of the protocol, reached by saying hello. Oldest first."""
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

    def listed(self, said: Said) -> list[Json]:
        return self._listed_plainly if wants_plain_names(said or self._said) else self._listed

    def greeting(self, asked: object) -> dict[str, Json]:
        """What a handshake is answered: the version that was asked for, or the newest we know."""
        told: dict[str, Json] = {"capabilities": {"tools": {"listChanged": False}}}
        if self.dialect.instructions:
            told["instructions"] = self.dialect.instructions
        known = (version for version in HANDSHAKE_VERSIONS if version == asked)
        told["protocolVersion"] = next(known, HANDSHAKE_VERSIONS[-1])
        told["serverInfo"] = {"name": "recollect", "version": __version__}
        return told

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


def published(dialect: Dialect) -> list[Json]:
    listed = [
        {
            "annotations": {"openWorldHint": False, "readOnlyHint": tool.is_read_only},
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "name": tool.name,
        }
        for tool in dialect.tools
    ]
    in_order: list[Json] = json.loads(json.dumps(listed, sort_keys=True))
    return in_order


def as_result(reply: Reply) -> dict[str, Json]:
    """The contract's JSON or words as one text block, then images; objects also as structured
    content, and a contract's `data` under its own name."""
    told: dict[str, Json] = {"content": _content(reply), "isError": reply.is_error}
    if reply.structured is not None:
        told["structuredContent"] = reply.structured
    if reply.has_data:
        told["data"] = reply.structured
    return told


def wire(message: Mapping[str, Json]) -> bytes:
    """A message as the bytes of one line, without its end."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def well_formed(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without halves of surrogate pairs, which no store and no wire can carry."""
    text = json.dumps(arguments, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole: dict[str, Any] = json.loads(text.encode("utf-8", "replace"))
        return whole
    return arguments


def _content(reply: Reply) -> list[Json]:
    images: list[Json] = [
        {
            "data": base64.b64encode(picture.data).decode("ascii"),
            "mimeType": picture.mime_type,
            "type": "image",
        }
        for picture in reply.pictures
    ]
    return [{"text": reply.text, "type": "text"}, *images]
