"""Remember: what somebody asks to keep, and what must not be forgotten."""

from __future__ import annotations

from recollect.model.errors import InvalidArgument, MemoryNotFound
from recollect.model.fact import Claim
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.session import Session
from recollect.store.port.store import Store


def mark(
    store: Store, text: str, *, project: str, at: int, public_id: str, is_redacted: bool
) -> Memory:
    """Keep a remark beside the project's newest session. The text is clean already."""
    if not text.strip():
        raise InvalidArgument("text", "must not be empty")
    with store.transaction():
        session = store.sessions.newest_of(project)
        if session is None:
            session = Session(
                id=_free_id(store, at), project=project, platform="recollect", started_at=at
            )
            store.sessions.begin(session)
        memory = store.memories.add(
            Draft(
                kind=Kind.NOTE,
                type=Type.MARKER,
                text=text,
                project=project,
                session_id=session.id,
                created_at=at,
                origin=Origin.USER,
                source_event="AgentMarker",
                detail={"redacted": True} if is_redacted else None,
            )
        )
        claim = Claim(subject=project, category="context")
        store.facts.add(memory.id, claim, public_id=public_id, content_key=None)
        return memory


def _free_id(store: Store, at: int) -> str:
    """A session's id for remarks; several projects may get one in the same second."""
    number = at // 1000
    while store.sessions.find(f"mark-{number}") is not None:
        number += 1
    return f"mark-{number}"


def pin(store: Store, memory_id: int, *, is_pinned: bool) -> None:
    """A pinned memory outlives every sweep."""
    with store.transaction():
        if not store.memories.pin(memory_id, is_pinned=is_pinned):
            raise MemoryNotFound(f"observation {memory_id} not found", id=memory_id)
