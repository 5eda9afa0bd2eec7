"""What a client says of itself beside its requests: headers over HTTP, the same over stdio.

Values are percent-encoded, because a folder or a project may be named in any script.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

Said = Mapping[str, str]
"""By name, in lower case."""

PROJECT = "x-recollect-project"
TOOL_NAMES = "x-recollect-tool-names"
FOLDER = "x-recollect-folder"
ROOT = "x-recollect-lex-workspace-root"
POLICY = "x-recollect-lex-policy-path"
BRANCH = "x-recollect-lex-default-branch"
STRICT = "x-recollect-lex-strict"
FRAMES = "x-recollect-lex-frames"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a client works, in its own words: nothing of it is checked."""

    folder: str
    root: str | None
    policy_path: str | None
    default_branch: str | None
    is_strict: bool


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


def wants_all_frames(said: Said) -> bool:
    """Whether the store is the client's workspace's own, so that all its frames are meant."""
    return value(said, FRAMES) == "all"


def surroundings(said: Said) -> Surroundings | None:
    """None when a client does not say in which folder it works."""
    if FOLDER not in said:
        return None
    return Surroundings(
        folder=_path(said, FOLDER) or "",
        root=_path(said, ROOT),
        policy_path=_path(said, POLICY),
        default_branch=value(said, BRANCH),
        is_strict=value(said, STRICT) == "1",
    )


def value(said: Said, name: str) -> str | None:
    given = said.get(name)
    return unquote(given) if given else None


def _path(said: Said, name: str) -> str | None:
    """A name of a file may hold bytes that are no text."""
    given = said.get(name)
    return unquote(given, errors="surrogateescape") if given else None
