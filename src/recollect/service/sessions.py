"""Sessions: what one came to, and its trace from prompt to prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.llm.port import Reader
from recollect.model.errors import SessionNotFound
from recollect.model.event import TurnEnd
from recollect.model.memory import Kind, Memory, Type
from recollect.model.session import Session
from recollect.store.port.portraits import BY_RULES
from recollect.store.port.store import Store

MADE = "Stop"
"""The event that a reader's summaries come from."""
TURN_END = "TurnEnd"
"""Where a summary comes from that the end of a turn has made."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt or thought with what followed it; None where nobody had asked anything."""

    prompt: Memory | None
    observations: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    session: Session
    summary: Mapping[str, object] | None
    turns: tuple[Turn, ...]


def summarise(store: Store, reader: Reader, session_id: str, *, at: int) -> None:
    """Write or rewrite the session's summary, inside the caller's transaction; one that a person
    has said otherwise stays."""
    session = store.sessions.find(session_id)
    if session is None:
        return
    memories = store.memories.of_session(session_id)
    draft = reader.summary(session, memories, at)
    if draft is None:
        return
    former = made_summary(store, session_id)
    if former is None:
        if not _is_told(memories):
            store.memories.add(draft)
    elif former.text != draft.text and not (former.detail or {}).get("by_hand"):
        store.memories.reword(former.id, draft, at=at)


def conclude(store: Store, reader: Reader, session: Session, end: TurnEnd, event_id: int) -> Memory:
    """Keep what the agent came to at the end of a turn, inside the caller's transaction."""
    memories = store.memories.of_session(session.id)
    recap = reader.recap(session, memories, end.text)
    draft = reader.concluded(session, memories, recap, end.head.at)
    draft = replace(
        draft,
        source_event=TURN_END,
        event_id=event_id,
        prompt_number=session.prompts or None,
        prompt_id=session.prompt_id,
    )
    memory = store.memories.add(draft)
    store.portraits.recap(memory.id, recap, made_by=BY_RULES)
    return memory


def forget_orphans(store: Store, session_id: str) -> bool:
    """Remove what was told of turns whose prompt is gone, for it begins with what was asked;
    whether there was any. Inside the caller's transaction."""
    orphans = [
        memory.id
        for memory in store.memories.of_session(session_id)
        if memory.source_event == TURN_END
        and memory.prompt_number is not None
        and memory.prompt_id is None
    ]
    for memory_id in orphans:
        store.memories.remove(memory_id)
    return bool(orphans)


def _is_told(memories: Sequence[Memory]) -> bool:
    """Whether the end of a turn has told of everything that was done so far."""
    told = [each.id for each in memories if each.source_event == TURN_END]
    return bool(told) and not any(
        each.kind is Kind.OBSERVATION and each.id > told[-1] for each in memories
    )


def trace(
    store: Store, session_id: str, *, before: int | None = None, after: int | None = None
) -> Trace:
    """The session's prompts in order with their observations; the window excludes its bounds."""
    session = store.sessions.find(session_id)
    if session is None:
        raise SessionNotFound(f"session not found: {session_id}", session_id=session_id)
    memories = store.memories.of_session(session_id, before=before, after=after)
    return Trace(session, summary_of(store, session_id), tuple(_turns(memories)))


def made_summary(store: Store, session_id: str) -> Memory | None:
    """The summary that a reader made; those that somebody wrote or imported are not ours."""
    return store.memories.newest_in(session_id, Type.SESSION_SUMMARY, source_event=MADE)


def summary_of(store: Store, session_id: str) -> Mapping[str, object] | None:
    summary = store.memories.newest_in(session_id, Type.SESSION_SUMMARY)
    return None if summary is None else summary.detail


def _turns(memories: Iterable[Memory]) -> list[Turn]:
    """Memories in order of time, gathered under the prompt that they belong to.

    Observations without a prompt stand where they happened; those that follow one another share
    one turn. An observation whose prompt is outside the window is outside as well.
    """
    gathered: list[tuple[Memory | None, list[Memory]]] = []
    of_prompt: dict[int, list[Memory]] = {}
    for memory in memories:
        if memory.kind is Kind.SUMMARY:
            continue
        if memory.kind in (Kind.PROMPT, Kind.THOUGHT):
            observations = of_prompt.setdefault(memory.id, [])
            gathered.append((memory, observations))
        elif memory.prompt_id is not None:
            of_prompt.setdefault(memory.prompt_id, []).append(memory)
        elif gathered and gathered[-1][0] is None:
            gathered[-1][1].append(memory)
        else:
            gathered.append((None, [memory]))
    return [Turn(prompt, tuple(observations)) for prompt, observations in gathered]
