"""Lex, put together from what is published and what answers it."""

from __future__ import annotations

from dataclasses import replace

from recollect.dialect.published import routes_of, tools_of
from recollect.dialect.spec import Dialect, Tool
from recollect.dialects.lex import (
    atlases,
    checking,
    frames,
    introspecting,
    recalling,
    remembering,
    timeline,
)
from recollect.dialects.lex.problems import http_problem
from recollect.dialects.lex.wording import Doing, problem, wording


def dialect() -> Dialect:
    published, routes = tools_of(__package__), routes_of(__package__)
    handlers = {
        "lex.remember": remembering.remember,
        "lex.validate_remember": remembering.validate_remember,
        "lex.recall": recalling.recall,
        "lex.list_frames": recalling.list_frames,
        "lex.policy_check": checking.policy_check,
        "lex.timeline": timeline.timeline,
        "lex.code_atlas": atlases.code_atlas,
        "lex.introspect": introspecting.introspect,
    }
    tools = published.with_handlers(handlers, wording(Doing.READING))
    return Dialect(
        "lex",
        published.instructions,
        tuple(_worded(tool) for tool in tools),
        problem,
        routes.with_handlers(frames.ROUTES, http_problem, gate=frames.gate),
        routes.schemas,
        takes_bare_lines=True,
        words_unknown_tools=True,
    )


def _worded(tool: Tool) -> Tool:
    """What only reads fails at reading, the rest at writing."""
    return tool if tool.is_read_only else replace(tool, wording=wording(Doing.WRITING))
