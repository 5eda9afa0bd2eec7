"""What a turn came to, told without a model, and the memory that is made of it.

What was done is told from the turn's own events. What was learned is what the agent said last, for
nobody knows it better; where that names what comes next, it is told as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from recollect.llm import bounds
from recollect.llm.summary import (
    MOST_ITEMS,
    TRUST,
    Points,
    commits,
    counted,
    edits_of,
    intent_of,
    is_failed,
    last_edits,
    passed_and_failing,
    paths_of,
    points_of,
)
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.portrait import Recap
from recollect.model.session import Session

MOST_TITLE = 200
MOST_LINE = 200
LOOKED = frozenset({Type.FILE_READ, Type.SEARCH, Type.WEB_FETCH, Type.WEB_SEARCH, Type.MCP_CALL})
RAN = frozenset({Type.GIT_PUSH, Type.GITHUB})
OTHERS = frozenset({Type.COMMAND, Type.TASK_SPAWN, Type.TOOL_OTHER})

_NEXT = re.compile(
    r"^[\s#*_>+-]*(?:next(?: steps?| up)?|what(?:'|\u2019)?s next|to-?do|still to do|remaining"
    r"(?: work| steps?)?|follow[ -]?ups?|open points?)"
    r"[\s*_]*(?P<colon>[:\u2014-]?)[\s*_]*(?P<rest>.*)$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,3}[.)])\s+(?:\[[ x]\]\s*)?(?P<what>\S.*)$")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[A-Z][\w ]{2,40}:\s*$)")


def recap(session: Session, memories: Sequence[Memory], said: str) -> Recap:
    """`memories` are the session's, in order of time."""
    prompts = [memory for memory in memories if memory.kind is Kind.PROMPT]
    actions = _of_turn(memories)
    done = [action for action in actions if not is_failed(action)]
    passed, failing = passed_and_failing(actions)
    learned, next_steps = _parted(said)
    edits = edits_of(done)
    completed = [
        *commits(done),
        *last_edits(edits),
        *(_title(each) for each in done if each.type in RAN),
        *([f"`{command}` passes" for command in passed] if learned else []),
    ]
    return bounds.recap(
        Recap(
            request=prompts[-1].text
            if prompts
            else intent_of([], actions)
            if actions
            else session.project,
            investigated=_joined(_title(each) for each in done if each.type in LOOKED),
            learned=learned or _joined(f"`{command}` failed, then passed" for command in passed),
            # Among changes a command is means to an end; alone, it is all that was done.
            completed=_joined(completed or (_title(each) for each in done if each.type in OTHERS)),
            next_steps=_joined([*next_steps, *(f"`{command}` still fails" for command in failing)]),
            notes=counted(actions) if actions else None,
            files_read=tuple(paths_of(each for each in done if each.type == Type.FILE_READ)),
            files_edited=tuple(paths_of(edits)),
        )
    )


def concluded(session: Session, memories: Sequence[Memory], recap: Recap, at: int) -> Draft:
    """The recap as a memory; `detail` has the published keys of a summary."""
    prompts = [memory for memory in memories if memory.kind is Kind.PROMPT]
    actions = _of_turn(memories)
    told = (
        *(recap.request, recap.learned),
        *_labelled("Done", recap.completed),
        *_labelled("Looked at", recap.investigated),
        *_labelled("Next", recap.next_steps),
    )
    origins = [Origin.ASSISTANT, *(memory.origin for memory in prompts + actions)]
    return Draft(
        kind=Kind.SUMMARY,
        type=Type.SESSION_SUMMARY,
        text="\n".join(part for part in told if part),
        project=session.project,
        session_id=session.id,
        created_at=at,
        origin=max(origins, key=TRUST.index),
        source_event="Stop",
        title=bounds.line(recap.request, MOST_TITLE),
        detail=asdict(_points(prompts, actions)),
    )


def _labelled(label: str, told: str) -> list[str]:
    return [f"{label}: {told}"] if told else []


def _of_turn(memories: Sequence[Memory]) -> list[Memory]:
    """What was done since the newest prompt, or for it."""
    newest = max((memory.id for memory in memories if memory.kind is Kind.PROMPT), default=0)
    return [
        memory
        for memory in memories
        if memory.kind is Kind.OBSERVATION and (memory.prompt_id == newest or memory.id > newest)
    ]


def _points(prompts: Sequence[Memory], actions: Sequence[Memory]) -> Points:
    if actions:
        return points_of(prompts[-1:], actions)
    intent = prompts[-1].text if prompts else ""
    return Points(intent, [], [], [], [], [], "")


def _parted(said: str) -> tuple[str, list[str]]:
    """What the agent said, and what of it is about what comes next."""
    learned: list[str] = []
    steps: list[str] = []
    is_next = False
    for line in said.splitlines():
        if (found := _NEXT.match(line)) and (found["colon"] or not found["rest"]):
            is_next = True
            if found["rest"]:
                steps.append(found["rest"])
        elif is_next and (bullet := _BULLET.match(line)):
            steps.append(bullet["what"])
        elif is_next and line.strip() and (_HEADING.match(line) or steps):
            is_next = False
            learned.append(line)
        elif is_next and line.strip():
            steps.append(line.strip())
        elif not is_next:
            learned.append(line)
    return "\n".join(learned).strip(), steps[:MOST_ITEMS]


def _title(memory: Memory) -> str:
    return bounds.line(memory.title or memory.text, MOST_LINE)


def _joined(told: Iterable[str]) -> str:
    lines = (bounds.line(each, MOST_LINE) for each in told)
    return "; ".join(list(dict.fromkeys(line for line in lines if line))[:MOST_ITEMS])
