"""The shelf: terms that were read from segments, as ranking wants them, within bounds of memory.

What is on it belongs to one set of segments; what the tail knows better is put over it each time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.search import segment
from recollect.search.catalogue import NONE, Booleans, Integers
from recollect.search.lexical import DENSE, Counts, Term
from recollect.service.tail import Tail
from recollect.store.port.lexicon import Found

MOST_BYTES = 96 * 1024 * 1024
_ROOM = 4_096
"""Places that may be added before a count for each place has to be copied."""


@dataclass(slots=True)
class _Shelved:
    """What segments say of a term, and how much of the tail's log was taken into account."""

    places: Integers
    counts: Counts
    dense: Counts | None
    seen: int
    term: Term | None = None

    @property
    def size(self) -> int:
        listed = self.places.nbytes + self.counts.nbytes
        return 256 + listed + (0 if self.dense is None else self.dense.nbytes)


class Shelf:
    def __init__(self) -> None:
        self._segments: Mapping[int, Integers] = {}
        self._tail = Tail()
        self._size = 0
        self._changed: Booleans = np.empty(0, np.bool_)
        self._logged = 0
        self._shelved: OrderedDict[str, _Shelved] = OrderedDict()
        self._bytes = 0

    def begin(self, segments: Mapping[int, Integers], tail: Tail, size: int) -> None:
        """Other segments: nothing is on the shelf."""
        self._segments, self._tail, self._size = segments, tail, size
        self._shelved.clear()
        self._bytes = 0
        self._changed = np.zeros(size + _ROOM, np.bool_)
        self._logged = 0
        self.grow(size)

    def grow(self, size: int) -> None:
        """The catalogue and the tail have grown."""
        self._size = size
        if size > len(self._changed):
            room = np.zeros(size + size // 4, np.bool_)
            room[: len(self._changed)] = self._changed
            self._changed = room
        self._changed[self._tail.log[self._logged :]] = True
        self._logged = len(self._tail.log)

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """Those that have to be read; the others are put last of those that may have to go."""
        missing = []
        for term in wanted:
            if term in self._shelved:
                self._shelved.move_to_end(term)
            else:
                missing.append(term)
        return missing

    def put(self, terms: Sequence[str], found: Iterable[Found], *, keep: int) -> None:
        """What the segments hold of these terms; the newest so many stay, whatever they take."""
        pieces: dict[str, list[Found]] = {term: [] for term in terms}
        for each in found:
            pieces[each.term].append(each)
        for term, of_term in pieces.items():
            shelved = self._shelf_one(of_term)
            self._shelved[term] = shelved
            self._bytes += shelved.size
        while self._bytes > MOST_BYTES and len(self._shelved) > keep:
            _, oldest = self._shelved.popitem(last=False)
            self._bytes -= oldest.size

    def term(self, term: str) -> Term:
        """As it is now, with the tail."""
        shelved = self._shelved[term]
        if shelved.term is None or shelved.seen != self._logged:
            shelved.term = self._dense(term, shelved) or self._listed(term, shelved)
            shelved.seen = self._logged
        return shelved.term

    def _shelf_one(self, found: Sequence[Found]) -> _Shelved:
        places_of, counts_of = [np.empty(0, np.int32)], [np.empty(0, np.uint8)]
        for each in found:
            places, counts = segment.places_and_counts(each.places, each.counts)
            at = self._segments[each.segment][places]
            is_alive = at != NONE
            places_of.append(at[is_alive])
            counts_of.append(counts[is_alive])
        at, counts = np.concatenate(places_of), np.concatenate(counts_of)
        if len(at) * DENSE > self._size:
            dense = np.zeros(self._size + _ROOM, np.uint8)
            dense[at] = counts
            return _Shelved(np.empty(0, np.int32), np.empty(0, np.uint8), dense, 0)
        order = np.argsort(at, kind="stable") if (at[1:] < at[:-1]).any() else slice(None)
        return _Shelved(at[order], counts[order], None, 0)

    def _dense(self, term: str, shelved: _Shelved) -> Term | None:
        dense = shelved.dense
        if dense is None:
            return None
        if self._size >= len(dense):
            room = np.zeros(self._size + _ROOM, np.uint8)
            room[: len(dense)] = dense
            self._bytes += room.nbytes - dense.nbytes
            shelved.dense = dense = room
        dense[self._tail.log[shelved.seen :]] = 0
        places, counts = self._in_tail(term)
        dense[places] = counts
        df = int(np.count_nonzero(dense))
        return Term(df, shelved.places, shelved.counts, dense)

    def _listed(self, term: str, shelved: _Shelved) -> Term:
        places, counts = shelved.places, shelved.counts
        is_same = ~self._changed[places]
        if not is_same.all():
            places, counts = places[is_same], counts[is_same]
            self._bytes -= shelved.size
            shelved.places, shelved.counts = places, counts
            self._bytes += shelved.size
        more, of_more = self._in_tail(term)
        if len(more):
            at = np.searchsorted(places, more)
            places, counts = np.insert(places, at, more), np.insert(counts, at, of_more)
        return Term(len(places), places, counts)

    def _in_tail(self, term: str) -> tuple[Integers, Counts]:
        held = sorted(self._tail.holding(term).items())
        return (
            np.array([place for place, _ in held], np.int32),
            np.array([count for _, count in held], np.uint8),
        )
