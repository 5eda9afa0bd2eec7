"""Observe: an event becomes what can be remembered of it, in one transaction.

A copy of an event that was kept before changes nothing, so whoever brings events may repeat them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from recollect.capture.transcript import Thought
from recollect.llm.port import Reader
from recollect.model.clock import SECOND
from recollect.model.event import Event, Head, Prompt, SessionStart, SessionStop, ToolUse, TurnEnd
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.session import Session
from recollect.service import sessions
from recollect.store.port.portraits import BY_RULES
from recollect.store.port.store import Store

REPEAT_WINDOW = 300 * SECOND
REPEATABLE = frozenset({Type.FILE_READ, Type.SEARCH})
"""What says nothing new when it is done again soon. Writes and errors always do."""

STARTS = {
    "resume": Type.SESSION_RESUME,
    "clear": Type.SESSION_CLEAR,
    "compact": Type.SESSION_COMPACT,
}
"""Every other source is a start."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event, the document it was read from, and what the transcript had to add."""

    event: Event
    document: str
    thoughts: tuple[Thought, ...] = ()
    transcript_position: int | None = None


def keep(store: Store, reader: Reader, arrivals: Sequence[Arrival]) -> int:
    """Keep all of them or none; how many were new."""
    with store.transaction():
        return sum(keep_within(store, reader, arrival) for arrival in arrivals)


def keep_within(store: Store, reader: Reader, arrival: Arrival) -> bool:
    """The same for one, inside the caller's transaction; whether it was new."""
    event, head = arrival.event, arrival.event.head
    session = store.sessions.find(head.session_id)
    is_private = session is not None and session.is_private_turn and not isinstance(event, Prompt)
    event_id = store.events.add(
        key=head.key,
        session_id=head.session_id,
        project=head.project,
        kind=type(event).__name__,
        at=head.at,
        document="" if is_private else arrival.document,
    )
    if event_id is None:
        return False
    session = session or _begun(store, head)
    _keep_thoughts(store, session, arrival)
    match event:
        case SessionStart():
            sort = STARTS.get(event.source, Type.SESSION_START)
            _add_lifecycle(store, head, sort, event.source, event_id)
        case Prompt():
            _begin_turn(store, session, event, event_id)
        case ToolUse():
            if not is_private:
                _keep_tool_use(store, reader, session, event, event_id)
        case TurnEnd():
            if not is_private:
                sessions.conclude(store, reader, session, event, event_id)
        case SessionStop():
            _stop(store, reader, event, event_id)
        case _:
            assert_never(event)
    return True


def _begun(store: Store, head: Head) -> Session:
    session = Session(
        id=head.session_id, project=head.project, platform=head.platform, started_at=head.at
    )
    store.sessions.begin(session)
    return session


def _begin_turn(store: Store, session: Session, prompt: Prompt, event_id: int) -> None:
    head = prompt.head
    if prompt.is_private:
        store.sessions.turn(head.session_id, prompt_id=None, is_private=True)
        return
    memory = store.memories.add(
        Draft(
            kind=Kind.PROMPT,
            type=Type.USER_PROMPT,
            text=prompt.text,
            project=head.project,
            session_id=head.session_id,
            created_at=head.at,
            origin=Origin.USER,
            source_event=head.source_event,
            event_id=event_id,
            prompt_number=session.prompts + 1,
            detail={"redacted": True} if head.is_redacted else None,
        )
    )
    store.sessions.turn(head.session_id, prompt_id=memory.id, is_private=False)


def read(
    store: Store,
    reader: Reader,
    use: ToolUse,
    *,
    event_id: int,
    prompt_id: int | None,
    prompt_number: int,
) -> Memory:
    """Make a memory of a tool use, with its portrait, inside the caller's transaction."""
    draft = reader.observation(use)
    return _add(store, reader, use, _placed(draft, event_id, prompt_id, prompt_number))


def _placed(draft: Draft, event_id: int, prompt_id: int | None, prompt_number: int) -> Draft:
    return replace(
        draft, prompt_id=prompt_id, prompt_number=prompt_number or None, event_id=event_id
    )


def _add(store: Store, reader: Reader, use: ToolUse, draft: Draft) -> Memory:
    portrait = reader.portrait(use)
    memory = store.memories.add(replace(draft, title=portrait.title))
    store.portraits.paint(memory.id, portrait, made_by=BY_RULES)
    return memory


def _keep_tool_use(
    store: Store, reader: Reader, session: Session, use: ToolUse, event_id: int
) -> None:
    draft = _placed(reader.observation(use), event_id, session.prompt_id, session.prompts)
    is_repeatable = draft.type in REPEATABLE and not use.is_failed
    if is_repeatable and store.memories.repeats(draft, since=draft.created_at - REPEAT_WINDOW):
        store.events.blank(event_id)
        return
    _add(store, reader, use, draft)


def _stop(store: Store, reader: Reader, stop: SessionStop, event_id: int) -> None:
    head = stop.head
    if not store.memories.has(head.session_id, Type.SESSION_END):
        _add_lifecycle(store, head, Type.SESSION_END, stop.reason, event_id)
    store.sessions.close(head.session_id, head.at)
    sessions.summarise(store, reader, head.session_id, at=head.at)


def _add_lifecycle(store: Store, head: Head, type_: Type, text: str, event_id: int) -> None:
    store.memories.add(
        Draft(
            kind=Kind.LIFECYCLE,
            type=type_,
            text=text,
            project=head.project,
            session_id=head.session_id,
            created_at=head.at,
            origin=Origin.TOOL,
            source_event=head.source_event,
            event_id=event_id,
        )
    )


def _keep_thoughts(store: Store, session: Session, arrival: Arrival) -> None:
    head = arrival.event.head
    if arrival.transcript_position is None or head.transcript_path is None:
        return
    store.cursors.move(session.id, head.transcript_path, arrival.transcript_position)
    if session.is_private_turn:
        return  # what the agent thought about a private prompt is as private as the prompt
    for thought in arrival.thoughts:
        if store.memories.has(session.id, Type.AGENT_THINKING, thought.text):
            continue
        store.memories.add(
            Draft(
                kind=Kind.THOUGHT,
                type=Type.AGENT_THINKING,
                text=thought.text,
                project=head.project,
                session_id=session.id,
                created_at=head.at if thought.at is None else thought.at,
                origin=Origin.ASSISTANT,
                source_event=head.source_event,
            )
        )
