"""Correcting: a person looks at a memory and says it otherwise, outdates it, or wants it back.

All is clean already: the privacy rules are the door's. What a memory said before stays in its
history; to remove it for good is `retention`'s.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.model.errors import InvalidArgument, MemoryNotFound
from recollect.model.memory import Kind, Memory
from recollect.service import facts
from recollect.store.port.portraits import BY_HAND
from recollect.store.port.store import Store


def reword(
    store: Store, memory_id: int, *, text: str, title: str | None, at: int, reason: str | None
) -> None:
    """Let it say something else, at every door: how it reads for people is said otherwise, too."""
    with store.transaction():
        memory = _memory(store, memory_id)
        if (text, title) == (memory.text, memory.title):
            return
        if memory.retired_at is not None:
            raise InvalidArgument("text", "cannot be changed while it is outdated; restore it")
        if memory.kind is Kind.FRAME and title != memory.title:
            raise InvalidArgument("title", "cannot be changed: it is the frame's reference point")
        said = replace(memory, text=text, title=title)
        if memory.kind is Kind.SUMMARY:
            said = replace(said, detail=_notes(said))
        facts.say(store, memory, said, at=at, reason=reason)
        _retouch(store, memory, said, at)


def outdate(store: Store, memory_id: int, *, at: int, reason: str | None) -> None:
    """Let it be found no more; it stays readable. Once more changes nothing."""
    with store.transaction():
        memory = _memory(store, memory_id)
        if memory.retired_at is not None:
            return
        store.memories.retire(memory_id, at=at)
        if memory_id in store.facts.of([memory_id]):
            store.facts.explain(memory_id, reason)
        elif reason is not None:
            store.memories.annotate(memory_id, at=at, reason=reason)


def restore(store: Store, memory_id: int, *, at: int) -> None:
    """Let what is outdated be found again, as it was. Once more changes nothing."""
    with store.transaction():
        memory = _memory(store, memory_id)
        store.memories.restore(memory, at=at)


def _memory(store: Store, memory_id: int) -> Memory:
    found = store.memories.get([memory_id])
    if not found:
        raise MemoryNotFound(f"there is no memory {memory_id}", id=memory_id)
    return found[0]


def _notes(said: Memory) -> dict[str, object]:
    """What a trace shows of a summary: nobody knows which part of other words is which."""
    known = dict(said.detail or {})
    emptied = dict.fromkeys(("learned", "completed", "next_steps"), ())
    intent = said.title or said.text.partition("\n")[0]
    return {**known, **emptied, "intent": intent, "notes": said.text, "by_hand": True}


def _retouch(store: Store, memory: Memory, said: Memory, at: int) -> None:
    """Portrait and recap, where there are any: what they say of other words is true no more."""
    painted = store.portraits.of([memory.id]).get(memory.id)
    if painted is not None:
        portrait = painted.portrait
        if said.title != memory.title:
            portrait = replace(portrait, title=said.title or said.text.partition("\n")[0])
        if said.text != memory.text:
            portrait = replace(portrait, subtitle=None, facts=(), narrative=said.text)
        store.portraits.paint(memory.id, portrait, made_by=BY_HAND, at=at)
    recapped = store.portraits.recaps_of([memory.id]).get(memory.id)
    if recapped is not None:
        request = said.title or said.text.partition("\n")[0]
        recap = replace(
            recapped.recap,
            request=request,
            investigated="",
            learned="",
            completed="",
            next_steps="",
            notes=said.text,
        )
        store.portraits.recap(memory.id, recap, made_by=BY_HAND, at=at)
