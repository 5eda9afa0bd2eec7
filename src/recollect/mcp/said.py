"""What a client says of itself beside its requests: headers over HTTP, the same over stdio.

Values are percent-encoded, because a folder or a project may be named in any script.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

Said = Mapping[str, str]
"""By name, in lower case."""

PROJECT = "x-recollect-project"
TOOL_NAMES = "x-recollect-tool-names"


def said_with(context: ServerRequestContext[Any, Any]) -> Said:
    """What came with a request; nothing over stdio."""
    headers: Said | None = None if context.request is None else context.request.headers
    return headers or {}


def project(said: Said) -> str | None:
    """The project that a client speaks for."""
    return value(said, PROJECT)


def wants_plain_names(said: Said) -> bool:
    """Whether tools are to be listed under names without dots."""
    return value(said, TOOL_NAMES) == "underscore"


def value(said: Said, name: str) -> str | None:
    given = said.get(name)
    return unquote(given) if given else None
