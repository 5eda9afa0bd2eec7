"""Which folder and which project this process works for: those it was started in."""

from __future__ import annotations

import os

from recollect.capture.project import project_of

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from recollect.settings import Settings

_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def current_project(settings: Settings, dialects: str = "") -> str:
    """`dialects`: those that are served, whose own variables count then."""
    project, _ = project_of(
        folder(),
        named=settings.project_for(dialects),
        home=settings.user_home,
        strategy=settings.project_strategy,
    )
    return project


def folder() -> str:
    """The folder that this process was started in."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""  # deleted under us; its project is `unknown`


def said_of(settings: Settings, dialects: str) -> dict[str, str]:
    """What a client of these dialects says of itself beside its requests; `mcp.said` reads it."""
    said = {"x-recollect-project": current_project(settings, dialects)}
    if "lex" in (each.partition(":")[0].strip() for each in dialects.split(",")):
        said["x-recollect-folder"] = folder()
        said |= {
            name: value
            for name, value in (
                ("x-recollect-tool-names", settings.lex_tool_names),
                ("x-recollect-lex-workspace-root", settings.lex_workspace_root),
                ("x-recollect-lex-policy-path", settings.lex_policy_path),
                ("x-recollect-lex-default-branch", settings.lex_default_branch),
                ("x-recollect-lex-strict", "1" if settings.lex_strict else ""),
                ("x-recollect-lex-frames", "all" if settings.is_store_of_lex else ""),
            )
            if value
        }
    return {name: _encoded(value) for name, value in said.items()}


def _encoded(text: str) -> str:
    return "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in os.fsencode(text))
