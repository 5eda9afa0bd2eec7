"""The ranking index is kept up to date: changes become segments, and small segments large ones.

What takes long, reading and sorting, is done before the transaction that writes its outcome, and
the outcome is thrown away when the store has changed under it. So nobody waits long for the store,
any number of processes may do this at once, and a crash loses nothing but work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recollect.search import segment
from recollect.search.catalogue import NONE, places_in
from recollect.search.packed import DUE, LARGEST, Part, Postings, Segment
from recollect.search.segment import Entry
from recollect.search.terms import VERSION, tally
from recollect.store.port.lexicon import Head, Source, State
from recollect.store.port.store import Store

_PAGE = 512
_MOST_CHANGES = 16_384
"""In one segment at first."""
_MOST_TERMS = 1_000_000
"""The same for memories with long texts."""
_KEPT_CHANGES = 4_096
"""Changes that stay for others who follow them."""
_TRIES = 3
_LEVELS = (2_048, 8_192, 32_768)
"""Live memories: segments below one of these are merged when there are `_FEW` of them."""
_FEW = 4


def is_outdated(state: State) -> bool:
    """Whether the segments hold terms of another version."""
    return state.version != VERSION and (state.version, state.through) != (0, 0)


def tend(store: Store) -> None:
    """Put what has changed into segments if it is much, and merge segments if they are many."""
    if is_outdated(store.lexicon.state()):
        begin_anew(store)
    while _flush(store, least=DUE):
        while _merge(store):
            pass


def rebuild(store: Store) -> None:
    """Make the index again from the rows."""
    begin_anew(store)
    while _flush(store, least=1):
        while _merge(store):
            pass


def begin_anew(store: Store) -> None:
    with store.transaction():
        store.lexicon.begin_anew(version=VERSION)


def fold(store: Store) -> None:
    """Leave no word of what was removed; inside the caller's transaction.

    The places stay, so whoever has read the segments can go on with them.
    """
    lexicon = store.lexicon
    state = lexicon.state()
    _mark(store, [each.memory_id for each in lexicon.changed(state.through, state.newest)])
    for head in lexicon.heads():
        if head.dead > head.scrubbed:
            (part,) = _parts(store, [head.id])
            lexicon.scrub(head.id, *segment.scrubbed(part))
    lexicon.touch()


def strays(store: Store) -> tuple[int, int]:
    """Entries of the index without a searchable memory, and searchable memories without entry.

    What has changed and is not in a segment yet counts as neither: it is read from its row.
    """
    lexicon = store.lexicon
    with store.reading():
        state = lexicon.state()
        changed = {each.memory_id for each in lexicon.changed(state.through, state.newest)}
        searchable = set(lexicon.searchable()) - changed
        held: list[int] = []
        for head in lexicon.heads():
            (part,) = _parts(store, [head.id])
            is_alive = np.ones(head.size, np.bool_)
            is_alive[segment.dead(part.dead)] = False
            held += segment.ids(part.segment.ids)[is_alive].tolist()
    entries = set(held) - changed
    twice = len(held) - len(set(held))
    return len(entries - searchable) + twice, len(searchable - entries)


def entries_of(sources: Sequence[Source]) -> list[Entry]:
    return [
        Entry(
            id=each.id,
            created_at=each.created_at,
            project=each.project,
            session=each.session,
            speaker=each.passage.speaker,
            type=each.type,
            kind=each.passage.kind,
            tally=tally(each.passage),
        )
        for each in sources
    ]


@dataclass(frozen=True, slots=True)
class _Flush:
    """A segment that is not written yet."""

    state: State
    """Of the store when its memories were read."""
    changed: list[int]
    through: int
    content: tuple[Segment, list[Postings]] | None


def _flush(store: Store, *, least: int) -> bool:
    """One segment of what has changed; false when there is too little of it."""
    for _ in range(_TRIES):
        prepared = _prepared(store, least)
        if prepared is None:
            return False
        with store.transaction():
            if _is_current(store, prepared):
                _write(store, prepared)
                return True
    with store.transaction():
        prepared = _prepared(store, least)
        if prepared is not None:
            _write(store, prepared)
    return prepared is not None


def _prepared(store: Store, least: int) -> _Flush | None:
    gathering = segment.Gathering()
    changed: list[int] = []
    with store.reading():
        state = store.lexicon.state()
        if state.waiting < least:
            return None
        through = state.through
        while len(changed) < _MOST_CHANGES and gathering.terms < _MOST_TERMS:
            page = store.lexicon.changed(through, _PAGE)
            if not page:
                break
            through = page[-1].seq
            ids = sorted({each.memory_id for each in page})
            changed += ids
            for entry in entries_of(store.lexicon.sources(ids)):
                gathering.add(entry)
    return _Flush(state, changed, through, gathering.packed() if gathering else None)


def _is_current(store: Store, prepared: _Flush) -> bool:
    """Nobody was quicker, and none of the memories was changed or removed since it was read."""
    now, then = store.lexicon.state(), prepared.state
    return (now.version, now.through) == (then.version, then.through) and (
        now.newest == then.newest or not store.lexicon.has_changed(prepared.changed, then.newest)
    )


def _write(store: Store, prepared: _Flush) -> None:
    _mark(store, prepared.changed)
    if prepared.content is not None:
        store.lexicon.add(*prepared.content)
    store.lexicon.advance(version=VERSION, through=prepared.through, keep=_KEPT_CHANGES)


def _mark(store: Store, changed: Sequence[int]) -> None:
    """What older segments say of these memories counts no more."""
    ids = np.unique(np.array(changed, np.int64))
    for head in store.lexicon.heads():
        within = ids[(ids >= head.lowest) & (ids <= head.highest)]
        if not len(within):
            continue
        (kept,) = store.lexicon.segments([head.id])
        places = places_in(segment.ids(kept.segment.ids), within)
        former = set(segment.dead(kept.dead).tolist())
        dead = former | set(places[places != NONE].tolist())
        if dead != former:
            store.lexicon.mark(head.id, segment.dead_blob(dead))


def _merge(store: Store) -> bool:
    """Make one segment of several; false when there is nothing to merge."""
    with store.reading():
        chosen = _mergeable(store.lexicon.heads())
        if not chosen:
            return False
        parts = _parts(store, [head.id for head in chosen])
    merged, postings = segment.merged(parts)
    with store.transaction():
        if not set(chosen) <= set(store.lexicon.heads()):
            return True  # another process was quicker, or something died in them
        store.lexicon.remove([head.id for head in chosen])
        if merged.size:
            store.lexicon.add(merged, postings)
        store.lexicon.touch()
    return True


def _mergeable(heads: Sequence[Head]) -> list[Head]:
    """Segments of like size when they are several, oldest first; or one that is mostly dead."""
    for head in heads:
        if 2 * head.dead > head.size:
            return [head]
    floor = 0
    for ceiling in _LEVELS:
        alike = [head for head in heads if floor <= head.size - head.dead < ceiling]
        if len(alike) >= _FEW:
            return _fitting(alike)
        floor = ceiling
    return []


def _fitting(heads: Sequence[Head]) -> list[Head]:
    chosen: list[Head] = []
    total = 0
    for head in heads:
        if total + head.size - head.dead <= LARGEST:
            chosen.append(head)
            total += head.size - head.dead
    return chosen


def _parts(store: Store, ids: Sequence[int]) -> list[Part]:
    return [
        Part(kept.segment, kept.dead, list(store.lexicon.postings(kept.id)))
        for kept in store.lexicon.segments(ids)
    ]
