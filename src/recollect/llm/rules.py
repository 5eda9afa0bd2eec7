"""What a tool use plainly was, without a model: one small reader for each tool.

Types and texts are nmem's extraction table. An input that is not what the tool usually gets is
never a reason to lose the event: what can be read of it is kept, at the least the tool's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recollect.llm import git, shell
from recollect.llm.portrait import portrait
from recollect.llm.recap import concluded, recap
from recollect.llm.summary import summary
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
            detail=detail or None,
        )

    def portrait(self, use: ToolUse) -> Portrait:
        """The same for people."""
        return portrait(use, self.observation(use))

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
    detail: Mapping[str, object] = field(default_factory=dict)


def _reading(use: ToolUse) -> _Reading:
    if reader := _READERS.get(use.tool):
        return reader(use)
    if "__" in use.tool:
        return _Reading(Type.MCP_CALL, use.tool)
    return _Reading(Type.TOOL_OTHER, use.tool)


def _failure(use: ToolUse) -> dict[str, object]:
    if not _is_failed(use):
        return {}
    return {"failed": True, "response": use.response[:MOST_RESPONSE]}


def _is_failed(use: ToolUse) -> bool:
    return use.is_failed or use.exit_code not in {None, 0}


def _bash(use: ToolUse) -> _Reading:
    command = _text(use, "command", "value")
    text = command[:MOST_COMMAND_TEXT]
    if _is_failed(use):
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
    return _file(use, Type.FILE_EDIT, gist=_text(use, "gist"))


def _other_edit(use: ToolUse) -> _Reading:
    # The published table knows these two by name only; people look for the path they edited.
    return _file(use, Type.TOOL_OTHER, gist=_text(use, "gist"))


def _file(use: ToolUse, type_: Type, *, gist: str = "") -> _Reading:
    path = _text(use, "file_path", "notebook_path", "path")[:MOST_PATH]
    what = f"{use.tool} {path}" if path else use.tool
    line = " ".join(gist.split())[:MOST_GIST]
    return _Reading(type_, f"{what}: {line}" if line else what, path or None)


def _search(use: ToolUse) -> _Reading:
    pattern = _text(use, "pattern", "query", "value")[:MOST_TEXT]
    path = _text(use, "path")[:MOST_PATH]
    text = f"{pattern} in {path}" if pattern and path else pattern or path
    return _Reading(Type.SEARCH, text, path or None)


def _task(use: ToolUse) -> _Reading:
    return _Reading(Type.TASK_SPAWN, _text(use, "description", "prompt")[:MOST_TASK_TEXT])


def _web_fetch(use: ToolUse) -> _Reading:
    return _Reading(Type.WEB_FETCH, _text(use, "url", "value")[:MOST_TEXT])


def _web_search(use: ToolUse) -> _Reading:
    return _Reading(Type.WEB_SEARCH, _text(use, "query", "value")[:MOST_TEXT])


def _question(use: ToolUse) -> _Reading:
    questions = use.input.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else use.input
    asked = first.get("question") if isinstance(first, Mapping) else first
    return _Reading(Type.TOOL_OTHER, _plain(asked)[:MOST_TEXT])


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


def _text(use: ToolUse, *names: str) -> str:
    """The first of these inputs that says anything."""
    return next((text for name in names if (text := _plain(use.input.get(name)))), "")


def _plain(value: object) -> str:
    """Text as it is; numbers and lists of words as people would write them; else nothing."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return ""
    if isinstance(value, (int, float)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        return " ".join(word for word in value if isinstance(word, str)).strip()
    return ""
