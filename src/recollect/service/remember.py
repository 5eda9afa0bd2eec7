"""Remember: what somebody asks to keep, what must not be forgotten, and what may be."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.model.errors import InvalidArgument, MemoryNotFound
from recollect.model.fact import Claim
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.session import Session
from recollect.store.port.store import Store

PLATFORM = "recollect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What is to be kept on purpose. The texts are clean already."""

    text: str
    project: str
    at: int
    origin: Origin
    source_event: str
    type: str = Type.MARKER
    title: str | None = None
    """One line, which the text begins with if there is one."""
    session_id: str | None = None
    """None: the newest of the project."""
    speaker: str | None = None
    confidence: float = 1.0
    is_redacted: bool = False


def mark(
    store: Store, text: str, *, project: str, at: int, public_id: str, is_redacted: bool
) -> Memory:
    """Keep a remark beside the project's newest session. The text is clean already."""
    if not text.strip():
        raise InvalidArgument("text", "must not be empty")
    remark = Remark(
        text=text,
        project=project,
        at=at,
        origin=Origin.USER,
        source_event="AgentMarker",
        is_redacted=is_redacted,
    )
    return keep(store, remark, public_id=public_id)


def keep(store: Store, remark: Remark, *, public_id: str) -> Memory:
    """A remark becomes a note, which claims something about its project; or a summary."""
    is_summary = remark.type == Type.SESSION_SUMMARY
    with store.transaction():
        session = _session(store, remark)
        memory = store.memories.add(
            Draft(
                kind=Kind.SUMMARY if is_summary else Kind.NOTE,
                type=remark.type,
                text=remark.text,
                title=remark.title,
                project=remark.project,
                session_id=session.id,
                speaker=remark.speaker,
                created_at=remark.at,
                origin=remark.origin,
                source_event=remark.source_event,
                detail=_detail(remark, is_summary=is_summary),
            )
        )
        if not is_summary:
            claim = Claim(subject=remark.project, category="context", confidence=remark.confidence)
            store.facts.add(memory.id, claim, public_id=public_id, content_key=None)
        return memory


def forget(store: Store, memory_id: int, *, at: int) -> None:
    """Let it be found no more. Nothing is deleted; `purge` does that."""
    with store.transaction():
        if not store.memories.retire(memory_id, at=at):
            raise MemoryNotFound(f"there is no memory {memory_id}", id=memory_id)


def pin(store: Store, memory_id: int, *, is_pinned: bool) -> None:
    """A pinned memory outlives every sweep."""
    with store.transaction():
        if not store.memories.pin(memory_id, is_pinned=is_pinned):
            raise MemoryNotFound(f"observation {memory_id} not found", id=memory_id)


def _session(store: Store, remark: Remark) -> Session:
    found = (
        store.sessions.newest_of(remark.project)
        if remark.session_id is None
        else store.sessions.find(remark.session_id)
    )
    if found is not None:
        return found
    made = Session(
        id=remark.session_id or _free_id(store, remark.at),
        project=remark.project,
        platform=PLATFORM,
        started_at=remark.at,
    )
    store.sessions.begin(made)
    return made


def _free_id(store: Store, at: int) -> str:
    """A session's id for remarks; several projects may get one in the same second."""
    number = at // 1000
    while store.sessions.find(f"mark-{number}") is not None:
        number += 1
    return f"mark-{number}"


def _detail(remark: Remark, *, is_summary: bool) -> dict[str, object] | None:
    """A summary has the keys of those that are made, so that a trace shows it like them."""
    detail: dict[str, object] = {"redacted": True} if remark.is_redacted else {}
    if is_summary:
        detail |= dict.fromkeys(("learned", "completed", "next_steps"), ())
        detail |= dict.fromkeys(("files_read", "files_edited"), ())
        notes = remark.text.removeprefix(f"{remark.title}\n")
        detail |= {"intent": remark.title or "", "notes": notes, "confidence": remark.confidence}
    return detail or None
