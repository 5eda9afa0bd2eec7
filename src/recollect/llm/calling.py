"""Calls in people's words: agents, the user, plans, MCP servers, and unknown tools."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.llm import bounds, concepts, tool
from recollect.llm.sketch import CHANGE, DISCOVERY, Sketch, shown
from recollect.llm.tool import trade_of
from recollect.model.event import ToolUse

MOST_FIELDS = 8
MOST_FIELD = 300


def task(use: ToolUse) -> Sketch:
    what, prompt = (
        tool.text(use, "description", "name"),
        tool.text(use, "prompt", "message", "task"),
    )
    agent = tool.text(use, "subagent_type", "agent_type", "mode")
    if not (what or prompt):
        return other(use)
    return Sketch(
        type=DISCOVERY,
        title=f"Delegated: {shown(what or prompt)}",
        subtitle=f"to {agent}" if agent else None,
        told=[
            f"Delegated to {agent}: {what}" if agent else f"Delegated: {what}",
            bounds.line(prompt, 800),
        ],
        facts=[f"agent: {agent}"] if agent else [],
        concepts=["delegation"],
    )


def question(use: ToolUse) -> Sketch:
    questions = use.input.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else use.input
    asked = tool.plain(first.get("question")) if isinstance(first, Mapping) else tool.plain(first)
    if not asked:
        return other(use)
    return Sketch(
        type=DISCOVERY, title=f"Asked the user: {shown(asked)}", told=[f"Asked the user: {asked}"]
    )


def plan(use: ToolUse) -> Sketch:
    steps = next(
        (use.input[name] for name in ("todos", "plan", "steps") if name in use.input), None
    )
    if isinstance(steps, str) and steps.strip():
        return Sketch(
            type=DISCOVERY,
            title=f"Planned: {shown(steps)}",
            told=[f"Planned: {steps}"],
            concepts=["plan"],
        )
    if not isinstance(steps, list):
        return other(use)
    lines, current = [], ""
    for step in steps[: bounds.FACTS.most]:
        if isinstance(step, Mapping):
            what = tool.text_of(step, "content", "step", "description", "title")
            state = tool.text_of(step, "status", "state")
            lines.append(f"{what} ({state})" if state else what)
            current = current or (what if state == "in_progress" else "")
    count = f"{len(steps)} step" if len(steps) == 1 else f"{len(steps)} steps"
    title = f"Planned {count}" + (f", now: {shown(current)}" if current else "")
    return Sketch(
        type=DISCOVERY, title=title, told=["; ".join(lines)], facts=lines, concepts=["plan"]
    )


def mcp(use: ToolUse) -> Sketch:
    server, name = tool.server_and_name(use.tool)
    sketch = other(use)
    verb = name.replace("_", " ").replace("-", " ")
    about = _telling(use)
    sketch.title = f"{server}: {verb}" + (f" “{shown(about, 80)}”" if about else "")
    sketch.concepts = [server.lower(), "mcp"]
    return sketch


def other(use: ToolUse) -> Sketch:
    """A tool that nobody has described: what it was given is all that is known of it."""
    name = use.tool.strip() or "a tool"
    about = _telling(use)
    fields: list[str] = []
    for key, value in use.input.items():
        if (said := tool.plain(value)) and len(fields) < MOST_FIELDS:
            fields.append(f"{key}: {shown(said, MOST_FIELD)}")
    files = tool.paths(use)
    is_change = trade_of(use.tool) in tool.MODIFYING or "gist" in use.input
    return Sketch(
        type=CHANGE if is_change else DISCOVERY,
        title=f"Used {name}" + (f": {shown(about, 80)}" if about else ""),
        told=[f"Used {name}" + (f" with {'; '.join(fields)}" if fields else "")],
        facts=fields,
        concepts=[concepts.WHAT_CHANGED] if is_change and files else [],
        modified=files if is_change else [],
    )


def _telling(use: ToolUse) -> str:
    """The input that says most about a call of a tool that is not known."""
    return tool.text(use, *_TELLING) or next(
        (
            said
            for value in use.input.values()
            if isinstance(value, str) and (said := value.strip())
        ),
        "",
    )


_TELLING = (
    *("title", "query", "question", "name", "command", "path", "file_path", "url", "uri"),
    *("text", "message", "subject", "id", "key"),
)
