"""What a tool use plainly was, without a model: one small reader for each tool.

Types and texts are nmem's extraction table. An input that is not what the tool usually gets is
never a reason to lose the event: what can be read of it is kept, at the least the tool's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recollect.llm import git, shell, tool
from recollect.llm.portrait import portrait
from recollect.llm.recap import concluded, recap
from recollect.llm.summary import summary
from recollect.llm.tool import Trade
from recollect.model.memory import Draft, Kind, Origin, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.model.event import ToolUse
    from recollect.model.memory import Memory
    from recollect.model.portrait import Portrait, Recap
    from recollect.model.session import Session

MOST_COMMAND_TEXT = 500
MOST_COMMAND_DETAIL = 2_000
MOST_RESPONSE = 2_000
MOST_TASK_TEXT = 200
MOST_GIST = 80
MOST_TEXT = 2_000
MOST_PATH = 4_096
MOST_FILES = 20


class Rules:
    """A `Reader` that asks nobody."""

    def observation(self, use: ToolUse) -> Draft:
        """What the tool use plainly was."""
        reading = _reading(use)
        head = use.head
        detail = {**reading.detail, **_failure(use), **use.marks}
        if head.is_redacted:
            detail["redacted"] = True
        return Draft(
            kind=Kind.OBSERVATION,
            type=reading.type,
            text=reading.text.strip() or use.tool.strip() or "tool",
            project=head.project,
            session_id=head.session_id,
            created_at=head.at,
            origin=Origin.WEB if reading.type in _FROM_THE_WEB else Origin.TOOL,
            source_event=head.source_event,
            tool_name=use.tool,
            file_path=reading.path,
            files=reading.files,
            detail=detail or None,
        )

    def portrait(self, use: ToolUse) -> Portrait:
        """The same for people."""
        return portrait(use)

    def recap(self, session: Session, memories: Sequence[Memory], said: str) -> Recap:
        """What the newest turn of a session came to."""
        return recap(session, memories, said)

    def concluded(
        self, session: Session, memories: Sequence[Memory], recap: Recap, at: int
    ) -> Draft:
        """The recap as a memory."""
        return concluded(session, memories, recap, at)

    def summary(self, session: Session, memories: Sequence[Memory], at: int) -> Draft | None:
        """What a session came to; None when nothing was done in it."""
        return summary(session, memories, at)


_FROM_THE_WEB = frozenset({Type.WEB_FETCH, Type.WEB_SEARCH})


@dataclass(frozen=True, slots=True)
class _Reading:
    type: Type
    text: str
    path: str | None = None
    files: tuple[str, ...] = ()
    detail: Mapping[str, object] = field(default_factory=dict)


def _reading(use: ToolUse) -> _Reading:
    if reader := _READERS.get(use.tool) or _ELSEWHERE.get(_trade(use.tool)):
        return reader(use)
    if "__" in use.tool:
        return _Reading(Type.MCP_CALL, use.tool)
    return _Reading(Type.TOOL_OTHER, use.tool)


def _failure(use: ToolUse) -> dict[str, object]:
    if not tool.is_failed(use):
        return {}
    return {"failed": True, "response": use.response[:MOST_RESPONSE]}


def _trade(name: str) -> Trade | None:
    """What a tool of another agent is for. Claude Code's stand in the published table, by name."""
    return None if name in _PUBLISHED else tool.trade_of(name)


def _bash(use: ToolUse) -> _Reading:
    command = tool.command(use)
    text = command[:MOST_COMMAND_TEXT]
    if tool.is_failed(use):
        detail: dict[str, object] = {"command": command[:MOST_COMMAND_DETAIL]}
        if use.exit_code is not None:
            detail["exit_code"] = use.exit_code
        return _Reading(Type.COMMAND_ERROR, text, detail=detail)
    type_ = shell.action(command)
    if type_ in {Type.GIT_COMMIT, Type.GIT_PUSH}:
        facts = git.commit(use.response) | git.push(use.response)
        return _Reading(type_, text, detail=facts)
    return _Reading(type_, text)


def _read(use: ToolUse) -> _Reading:
    return _file(use, Type.FILE_READ)


def _write(use: ToolUse) -> _Reading:
    return _file(use, Type.FILE_WRITE)


def _edit(use: ToolUse) -> _Reading:
    return _file(use, Type.FILE_EDIT, gist=tool.text(use, "gist"))


def _other_edit(use: ToolUse) -> _Reading:
    # The published table knows these two by name only; people look for the path they edited.
    return _file(use, Type.TOOL_OTHER, gist=tool.text(use, "gist"))


def _file(use: ToolUse, type_: Type, *, gist: str = "") -> _Reading:
    path = next(iter(tool.paths(use)), "")[:MOST_PATH]
    what = f"{use.tool} {path}" if path else use.tool
    line = " ".join(gist.split())[:MOST_GIST]
    return _Reading(type_, f"{what}: {line}" if line else what, path or None)


def _patch(use: ToolUse) -> _Reading:
    written = tool.patch(use)
    paths = list(dict.fromkeys(path[:MOST_PATH] for _, path in tool.patched(written)))
    if not paths:
        return _edit(use)
    line = " ".join(tool.added(written).split())[:MOST_GIST]
    what = f"Edit {paths[0]}"
    text = f"{what}: {line}" if line else what
    return _Reading(Type.FILE_EDIT, text, paths[0], files=tuple(paths[1:MOST_FILES]))


def _search(use: ToolUse) -> _Reading:
    pattern = tool.text(use, *tool.PATTERN_NAMES)[:MOST_TEXT]
    path = tool.text(use, "path", "dir_path", "directory")[:MOST_PATH]
    text = f"{pattern} in {path}" if pattern and path else pattern or path
    return _Reading(Type.SEARCH, text, path or None)


def _task(use: ToolUse) -> _Reading:
    return _Reading(Type.TASK_SPAWN, tool.text(use, "description", "prompt")[:MOST_TASK_TEXT])


def _web_fetch(use: ToolUse) -> _Reading:
    return _Reading(Type.WEB_FETCH, tool.text(use, "url", "value", "prompt")[:MOST_TEXT])


def _web_search(use: ToolUse) -> _Reading:
    return _Reading(Type.WEB_SEARCH, tool.text(use, "query", "value")[:MOST_TEXT])


def _question(use: ToolUse) -> _Reading:
    questions = use.input.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else use.input
    asked = first.get("question") if isinstance(first, Mapping) else first
    return _Reading(Type.TOOL_OTHER, tool.plain(asked)[:MOST_TEXT])


_READERS: Mapping[str, Callable[[ToolUse], _Reading]] = {
    "Bash": _bash,
    "Read": _read,
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _other_edit,
    "NotebookEdit": _other_edit,
    "Grep": _search,
    "Glob": _search,
    "Task": _task,
    "Agent": _task,
    "WebFetch": _web_fetch,
    "WebSearch": _web_search,
    "AskUserQuestion": _question,
}

_PUBLISHED = frozenset(_READERS) | {
    *("TodoWrite", "LS", "NotebookRead", "ExitPlanMode", "Skill", "SlashCommand", "BashOutput"),
}
_ELSEWHERE: Mapping[Trade | None, Callable[[ToolUse], _Reading]] = {
    Trade.RUN: _bash,
    Trade.READ: _read,
    Trade.WRITE: _write,
    Trade.EDIT: _edit,
    Trade.PATCH: _patch,
    Trade.SEARCH: _search,
    Trade.FIND: _search,
    Trade.FETCH: _web_fetch,
    Trade.WEB_SEARCH: _web_search,
    Trade.TASK: _task,
}
"""The same work under the names that other agents have for it."""
