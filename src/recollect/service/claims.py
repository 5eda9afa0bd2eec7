"""The claims of a process: about whom each live one is and of which category, without reading it.

Loaded with the first question and then following the store, as `nearness` does, so that a filter
by subject or category is a mask and no scan of rows. Any thread may ask while another one brings
it up to date.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from recollect.model.fact import CATEGORIES
from recollect.search.catalogue import Booleans, Integers, Longs, places_in
from recollect.search.subjects import Subjects, is_anybodys
from recollect.store.port.facts import Entry
from recollect.store.port.store import Store

PAGE = 10_000
LARGEST_GAP = 4
"""Dead places are a quarter at most."""
FEW = 1_000

_CODE_OF = {category: code for code, category in enumerate(CATEGORIES)}


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """The live claims of one moment, a place for each, ascending by memory."""

    ids: Longs
    subjects: Integers
    categories: npt.NDArray[np.int8]
    is_live: Booleans
    code_of: dict[str, int]
    """By the subject's key; only ever grows."""
    anybodys: set[int]
    """Subjects that are groups."""
    names: Subjects

    def places(self, ids: Longs) -> Integers:
        """-1 where the memory claims nothing."""
        return places_in(self.ids, ids)

    def about(self, keys: Iterable[str], *, or_anybody: bool = False) -> Booleans:
        """Where one of the subjects is meant."""
        codes = {self.code_of.get(key, -1) for key in keys}
        return np.isin(self.subjects, list(codes | self.anybodys if or_anybody else codes))

    def of_category(self, category: str) -> Booleans:
        found: Booleans = self.categories == _CODE_OF[category]
        return found


class StoredClaims:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seq = 0
        self._now: Roll | None = None

    def now(self) -> Roll:
        """As the store is now; one small statement when nothing has changed."""
        with self._lock:
            tail = self._store.facts.tail()
            roll = self._now
            has_lost = tail.oldest > self._seq + 1 or tail.newest < self._seq
            if roll is not None and tail.newest > self._seq and not has_lost:
                roll = self._followed(roll)
            if roll is None or has_lost:
                # What changes while it is read is looked at once more.
                self._seq = tail.newest
                roll = self._read()
            self._now = roll
            return roll

    def _read(self) -> Roll:
        none = np.empty(0, np.int32)
        roll = Roll(
            np.empty(0, np.int64), none, none.astype(np.int8), np.empty(0, np.bool_),
            {}, set(), Subjects([]),
        )  # fmt: skip
        entries: list[Entry] = []
        after = 0
        while page := self._store.facts.page(after, PAGE):
            entries += page
            after = page[-1].memory_id
        return _with(roll, entries)

    def _followed(self, roll: Roll) -> Roll | None:
        """None when it has to be read anew."""
        newest: dict[int, Entry | None] = {}
        while page := self._store.facts.since(self._seq, PAGE):
            self._seq = page[-1][0]
            newest |= {memory_id: entry for _, memory_id, entry in page}
        changed = np.array(sorted(newest), np.int64)
        places = roll.places(changed)
        gone = [
            place
            for place, id_ in zip(places.tolist(), changed.tolist(), strict=True)
            if place >= 0 and newest[id_] is None
        ]
        fresh = [
            entry
            for place, id_ in zip(places.tolist(), changed.tolist(), strict=True)
            if place < 0 and (entry := newest[id_]) is not None
        ]
        if fresh and len(roll.ids) and fresh[0].memory_id < roll.ids[-1]:
            return None
        if gone:
            is_live = roll.is_live.copy()
            is_live[gone] = False
            dead = len(is_live) - int(np.count_nonzero(is_live))
            if dead > FEW and dead * LARGEST_GAP > len(is_live):
                return None
            roll = Roll(
                roll.ids, roll.subjects, roll.categories, is_live,
                roll.code_of, roll.anybodys, roll.names,
            )  # fmt: skip
        return _with(roll, fresh) if fresh else roll


def _with(roll: Roll, entries: Sequence[Entry]) -> Roll:
    """The roll with these claims, which come after all others."""
    _learn(roll, entries)
    codes = [roll.code_of[entry.subject_key] for entry in entries]
    kinds = [_CODE_OF[entry.category] for entry in entries]
    return Roll(
        np.append(roll.ids, np.array([entry.memory_id for entry in entries], np.int64)),
        np.append(roll.subjects, np.array(codes, np.int32)),
        np.append(roll.categories, np.array(kinds, np.int8)),
        np.append(roll.is_live, np.ones(len(entries), np.bool_)),
        roll.code_of,
        roll.anybodys,
        roll.names,
    )


def _learn(roll: Roll, entries: Collection[Entry]) -> None:
    for entry in entries:
        if entry.subject_key not in roll.code_of:
            code = len(roll.code_of)
            roll.names.learn(entry.subject)
            if is_anybodys([entry.subject_key]):
                roll.anybodys.add(code)
            roll.code_of[entry.subject_key] = code
