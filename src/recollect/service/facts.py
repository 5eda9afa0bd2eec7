"""Facts: what is claimed about somebody or something, stored, changed, listed and counted.

How they are searched is `relevant`. All is clean already: the privacy rules are the door's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.model.errors import InvalidArgument, MemoryNotFound
from recollect.model.fact import (
    CATEGORIES,
    MOST_TAGS,
    Claim,
    content_key,
    joined_tags,
    shown_subject,
    subject_key,
)
from recollect.model.frame import caption_in
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.store.port.facts import Claimed
from recollect.store.port.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A memory with what it claims."""

    memory: Memory
    claimed: Claimed


@dataclass(frozen=True, slots=True)
class Stored:
    fact: Fact
    is_new: bool
    """False when it was known: then its tags were joined, and the higher confidence stays."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Of live facts."""

    total: int
    by_category: dict[str, int]
    """Every category, also those that nothing is in."""
    by_subject: dict[str, int]
    """Subjects as they were first written, most first."""
    oldest: int | None
    newest: int | None


def store_fact(
    store: Store,
    content: str,
    claim: Claim,
    *,
    tags: Sequence[str],
    project: str,
    at: int,
    new_id: Callable[[], str],
) -> Stored:
    """Keep a fact, once: the same words about the same subject in the same category are one."""
    content, key = content.strip(), content_key(content)
    claim = replace(claim, subject=shown_subject(claim.subject))
    with store.transaction():
        known = store.facts.twin(claim, key)
        if known is not None:
            _confirm(store, known, tags, claim.confidence, at)
            return Stored(_read_one(store, known), is_new=False)
        memory = store.memories.add(
            Draft(
                kind=Kind.FACT,
                type=Type.FACT,
                text=content,
                project=project,
                session_id=None,
                created_at=at,
                origin=Origin.ASSISTANT,
                source_event="StoreMemory",
                tags=joined_tags(tags),
            )
        )
        store.facts.add(memory.id, claim, public_id=new_id(), content_key=key)
        return Stored(_read_one(store, memory.id), is_new=True)


def reword(store: Store, public_id: str, content: str, *, at: int, reason: str | None) -> Fact:
    """Let a fact say something else; what it said goes into the history, with the reason."""
    with store.transaction():
        claimed = _claimed(store, public_id)
        (memory,) = store.memories.get([claimed.memory_id])
        if memory.retired_at is not None:
            raise InvalidArgument(
                "new_content", f"cannot be given to {public_id}, which is outdated; store it anew"
            )
        content = content.strip()
        if content != memory.text:
            said = replace(memory, text=content, title=_title_after(memory, content))
            say(store, memory, said, at=at, reason=reason)
        return _read_one(store, memory.id)


def say(store: Store, memory: Memory, said: Draft, *, at: int, reason: str | None) -> None:
    """Other words for a memory, and for what it claims, inside the caller's transaction."""
    store.memories.reword(memory.id, said, at=at, reason=reason)
    claimed = store.facts.of([memory.id]).get(memory.id)
    if claimed is None or said.text == memory.text:
        return
    if memory.kind is Kind.FRAME:
        _recaption(store, memory.id, said.text)
    key = _own_key(store, claimed, memory.kind, said.text)
    store.facts.reword(memory.id, content_key=key, reason=reason)


def _recaption(store: Store, memory_id: int, content: str) -> None:
    for frame in store.frames.get([memory_id]):  # one that came from elsewhere may be none of Lex's
        store.frames.recaption(memory_id, caption_in(content, frame))


def _title_after(memory: Memory, content: str) -> str | None:
    """A title that was the first line of the words goes with them, unless they still begin so."""
    title = memory.title
    was_first_line = title is not None and f"{memory.text}\n".startswith(f"{title}\n")
    is_first_line = f"{content}\n".startswith(f"{title}\n")
    return None if was_first_line and not is_first_line else title


def outdate(store: Store, public_id: str, *, at: int, reason: str | None) -> Fact:
    """Let a fact be found no more; it stays readable. Once more changes nothing."""
    with store.transaction():
        claimed = _claimed(store, public_id)
        if store.memories.retire(claimed.memory_id, at=at):
            store.facts.explain(claimed.memory_id, reason)
        return _read_one(store, claimed.memory_id)


def recent(store: Store, *, subject: str | None, limit: int) -> list[Fact]:
    """Live facts, those that were stored last first."""
    key = None if subject is None else subject_key(subject)
    return read(store, store.facts.newest(subject_key=key, limit=limit))


def stats(store: Store, *, subject: str | None) -> Stats:
    counted = store.facts.counted(subject_key=None if subject is None else subject_key(subject))
    return Stats(
        total=sum(counted.by_category.values()),
        by_category={name: counted.by_category.get(name, 0) for name in CATEGORIES},
        by_subject=dict(counted.by_subject),
        oldest=counted.oldest,
        newest=counted.newest,
    )


def read(store: Store, ids: Sequence[int]) -> list[Fact]:
    """Those that are there, in the order asked for."""
    claims = store.facts.of(ids)
    return [
        Fact(memory=memory, claimed=claims[memory.id])
        for memory in store.memories.get(ids)
        if memory.id in claims
    ]


def _confirm(store: Store, memory_id: int, tags: Sequence[str], confidence: float, at: int) -> None:
    (memory,) = store.memories.get([memory_id])
    joined = joined_tags(memory.tags, tags)
    if len(joined) > MOST_TAGS:
        raise InvalidArgument(
            "tags", f"would be {len(joined)} with those that it has; at most {MOST_TAGS}"
        )
    store.memories.relabel(memory_id, joined, at=at)
    store.facts.confirm(memory_id, confidence=confidence)


def _own_key(store: Store, claimed: Claimed, kind: Kind, content: str) -> str | None:
    """None for what may repeat: a note, or a fact that says what another one says by now."""
    if kind is not Kind.FACT:
        return None
    key = content_key(content)
    twin = store.facts.twin(claimed.claim, key)
    return key if twin in (None, claimed.memory_id) else None


def _claimed(store: Store, public_id: str) -> Claimed:
    found = store.facts.find(public_id)
    if found is None:
        raise MemoryNotFound(f"Memory with ID {public_id} not found", id=public_id)
    return found


def _read_one(store: Store, memory_id: int) -> Fact:
    (fact,) = read(store, [memory_id])
    return fact
