"""What a session came to, told from its memories without a model: only what is plainly true."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from recollect.llm.tool import MODIFYING, trade_of
from recollect.model.memory import Draft, Kind, Origin, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.memory import Memory
    from recollect.model.session import Session

MOST_INTENT = 200
MOST_LINE = 160
MOST_ITEMS = 20
MOST_LASTING_FAILURES = 5

TRUST = (Origin.USER, Origin.ASSISTANT, Origin.TOOL, Origin.IMPORT, Origin.WEB)
"""Most trusted first. A summary is worth as much as the least trusted thing it was made from."""

RUNS = frozenset({Type.COMMAND, Type.GIT_COMMIT, Type.GIT_PUSH, Type.GITHUB})
TELLING = (Type.GIT_COMMIT, Type.FILE_EDIT, Type.FILE_WRITE, Type.COMMAND, Type.TASK_SPAWN)
"""The actions that say most about a session without a prompt, best first."""


def summary(session: Session, memories: Sequence[Memory], at: int) -> Draft | None:
    """The session's summary; None when nothing was done in it. `memories` are in order of time."""
    prompts = [memory for memory in memories if memory.kind is Kind.PROMPT]
    actions = [memory for memory in memories if memory.kind is Kind.OBSERVATION]
    if not actions:
        return None
    points = points_of(prompts, actions)
    return Draft(
        kind=Kind.SUMMARY,
        type=Type.SESSION_SUMMARY,
        text=_told(points),
        project=session.project,
        session_id=session.id,
        created_at=at,
        origin=max((memory.origin for memory in prompts + actions), key=TRUST.index),
        source_event="Stop",
        title=points.intent,
        detail=asdict(points),
    )


@dataclass(frozen=True, slots=True)
class Points:
    """The published keys of a summary."""

    intent: str
    learned: list[str]
    completed: list[str]
    next_steps: list[str]
    files_read: list[str]
    files_edited: list[str]
    notes: str


def points_of(prompts: Sequence[Memory], actions: Sequence[Memory]) -> Points:
    """`actions` are not empty."""
    done = [action for action in actions if not is_failed(action)]
    edits = edits_of(done)
    passed, failing = passed_and_failing(actions)
    return Points(
        intent=_line(intent_of(prompts, actions), MOST_INTENT),
        learned=[f"`{command}` failed, then passed" for command in passed],
        completed=_distinct([*commits(done), *last_edits(edits)]),
        next_steps=[f"`{command}` still fails" for command in failing],
        files_read=paths_of(action for action in done if action.type == Type.FILE_READ),
        files_edited=paths_of(edits),
        notes=counted(actions),
    )


def intent_of(prompts: Sequence[Memory], actions: Sequence[Memory]) -> str:
    """The first prompt that led to an action, else the first one, else the most telling action."""
    acted_on = {action.prompt_id for action in actions}
    for prompt in (*(prompt for prompt in prompts if prompt.id in acted_on), *prompts):
        return prompt.text
    for type_ in TELLING:
        for action in actions:
            if action.type == type_:
                return action.text
    return actions[0].text


def edits_of(actions: Iterable[Memory]) -> list[Memory]:
    """Those that wrote to a file, whichever agent's tool it was."""
    return [action for action in actions if trade_of(action.tool_name or "") in MODIFYING]


def commits(actions: Iterable[Memory]) -> Iterable[str]:
    for action in actions:
        message = (action.detail or {}).get("commit_message")
        if isinstance(message, str) and message:
            yield f"Commit: {_line(message)}"


def last_edits(edits: Iterable[Memory]) -> Iterable[str]:
    """One line for each file: the newest edit says best what became of it."""
    return {edit.file_path or edit.text: _line(edit.text) for edit in edits}.values()


def passed_and_failing(actions: Iterable[Memory]) -> tuple[list[str], list[str]]:
    """The commands that failed and passed later, and those whose last run failed."""
    passed: dict[str, None] = {}
    failing: dict[str, None] = {}
    for action in actions:
        command = action.text
        if action.type == Type.COMMAND_ERROR:
            failing.pop(command, None)  # the newest failure last
            failing[command] = None
            passed.pop(command, None)
        elif action.type in RUNS and command in failing:
            del failing[command]
            passed[command] = None
    lasting = list(failing)[-MOST_LASTING_FAILURES:]
    return [_line(command) for command in passed][:MOST_ITEMS], [_line(each) for each in lasting]


def is_failed(action: Memory) -> bool:
    return (action.detail or {}).get("failed") is True


def paths_of(actions: Iterable[Memory]) -> list[str]:
    return _distinct(action.file_path for action in actions if action.file_path)


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))[:MOST_ITEMS]


def counted(actions: Sequence[Memory]) -> str:
    counts = sorted(
        Counter(action.type for action in actions).items(), key=lambda kv: (-kv[1], kv[0])
    )
    kinds = ", ".join(f"{count} {type_}" for type_, count in counts)
    return f"{len(actions)} {'action' if len(actions) == 1 else 'actions'}: {kinds}"


def _told(points: Points) -> str:
    """The same as prose: this is what is searched and shown."""
    parts = [
        ("", [points.intent]),
        ("Done: ", points.completed),
        ("Learned: ", points.learned),
        ("Next: ", points.next_steps),
        ("Read: ", points.files_read),
        ("", [points.notes]),
    ]
    return " ".join(_sentence(label + "; ".join(items)) for label, items in parts if items)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."


def _line(text: str, most: int = MOST_LINE) -> str:
    """The text on one line, and not longer than this."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
