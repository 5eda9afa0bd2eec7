"""Transfer: memories in bulk, in and out, a record each.

A line is known by its key, so that importing a file again, or the rest of one that was cut off,
changes nothing that is there. What was exported is known by the store that it came from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect.model.fact import content_key
from recollect.model.memory import Kind, Memory
from recollect.model.session import Session
from recollect.service import frame_records, frames, records
from recollect.service.records import Record
from recollect.store.port.store import Store

PAGE = 1_000
PLATFORM = "import"
_OURS = re.compile(r"([1-9][0-9]{0,17})")
"""What follows the store's own id in the key of an exported memory: an id that a row can have."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of some records; `ids` in their order, with the keys that they are known by."""

    new: int
    known: int
    ids: tuple[tuple[str, int], ...]


def bring(store: Store, some: Sequence[Record], *, new_id: Callable[[], str]) -> Brought:
    """Keep the records that are not known yet, all of them or none."""
    own = f"{store.transfers.own_id()}-"
    keys = [record.key for record in some]
    with store.transaction():
        ids = store.transfers.known(keys) | _at_home(store, own, keys)
        fresh: dict[str, int] = {}
        for key, record in zip(keys, some, strict=True):
            if key not in ids:
                ids[key] = fresh[key] = _keep(store, record, new_id)
        store.transfers.note(fresh)
    brought = tuple((key, ids[key]) for key in keys)
    return Brought(len(fresh), len(some) - len(fresh), brought)


def lines(store: Store, *, project: str | None) -> Iterator[dict[str, object]]:
    """Every memory, of one project or of all, as a line; those it was made after come first."""
    own, after = store.transfers.own_id(), 0
    while ids := store.transfers.page(after=after, project=project, limit=PAGE):
        keys, claims = store.transfers.keys_of(ids), store.facts.of(ids)
        for memory in store.memories.get(ids):
            key = keys.get(memory.id, f"{own}-{memory.id}")
            more = _frame_of(store, memory) if memory.kind is Kind.FRAME else None
            yield records.written(memory, key=key, claimed=claims.get(memory.id), more=more)
        after = ids[-1]


def _frame_of(store: Store, memory: Memory) -> dict[str, object] | None:
    """Its images one frame at a time: a thousand frames of them would not fit into memory."""
    for frame in store.frames.get([memory.id]):
        images = (store.frames.image(memory.id, note.number) for note in frame.images)
        return frame_records.written(frame, [image for image in images if image is not None])
    return None


def _at_home(store: Store, own: str, keys: Iterable[str]) -> dict[str, int]:
    """The memories of this very store that come back from an export of it."""
    ours = {int(found[1]): key for key in keys if (found := _OURS.fullmatch(key, len(own)))}
    ours = {id_: key for id_, key in ours.items() if key == f"{own}{id_}"}
    return {ours[memory.id]: memory.id for memory in store.memories.get(list(ours))}


def _keep(store: Store, record: Record, new_id: Callable[[], str]) -> int:
    draft = record.draft
    session = None
    if draft.session_id is not None:
        session = _session(store, record)
    prompt_id, number = None, None
    if session is not None:
        is_prompt = draft.kind is Kind.PROMPT
        prompt_id = None if is_prompt else session.prompt_id
        number = (session.prompts + is_prompt) or None
    draft = replace(draft, prompt_id=prompt_id, prompt_number=number)
    memory_id = store.memories.add(draft).id
    if session is not None and draft.kind is Kind.PROMPT:
        store.sessions.turn(session.id, prompt_id=memory_id, is_private=False)
    if record.claim is not None:
        _claim(store, record, memory_id, new_id)
    if record.frame is not None:
        frames.restore(store, memory_id, record.frame.draft, record.frame.id, record.frame.images)
    if record.retired_at is not None:
        store.memories.retire(memory_id, at=record.retired_at)
    return memory_id


def _claim(store: Store, record: Record, memory_id: int, new_id: Callable[[], str]) -> None:
    """What the memory claims; kept as it is where the store has one like it."""
    claim, public_id = record.claim, record.public_id
    assert claim is not None
    if public_id is None or store.facts.find(public_id) is not None:
        public_id = new_id()
    key = content_key(record.draft.text) if record.draft.kind is Kind.FACT else None
    is_repeated = key is not None and store.facts.twin(claim, key) is not None
    store.facts.add(memory_id, claim, public_id=public_id, content_key=None if is_repeated else key)


def _session(store: Store, record: Record) -> Session:
    draft = record.draft
    assert draft.session_id is not None
    found = store.sessions.find(draft.session_id)
    if found is not None:
        return found
    made = Session(
        id=draft.session_id,
        project=draft.project,
        platform=PLATFORM,
        started_at=draft.created_at,
    )
    store.sessions.begin(made)
    return made
