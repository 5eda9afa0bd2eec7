"""The lexicon of a process: the catalogue in memory, the words in the store's segments.

What has changed since the newest segment, the tail, is read from its rows and kept in memory, so a
memory is ranked from its commit on. Places of memories stay the same as long as the process runs.
Safe to use from several threads.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recollect.model.errors import StoreBusy, StoreFull
from recollect.search import lexical, segment
from recollect.search.catalogue import NONE, Booleans, Catalogue, Columns, Integers, places_in
from recollect.search.lexical import WordScores
from recollect.search.packed import DUE
from recollect.search.roll import Roll
from recollect.service import segments
from recollect.service.shelf import Shelf
from recollect.service.tail import Tail
from recollect.store.port.lexicon import State
from recollect.store.port.store import Store

_PAGE = 512
_LONG = 4 * DUE
"""A tail that is put into segments before it is read."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A segment as this process knows it."""

    places: Integers
    """In the catalogue, for each place in the segment; -1 for what is dead."""
    dead: int


class StoredLexicon:
    """Answers `service.find.Lexicon`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._begin()

    def _begin(self) -> None:
        self._roll = Roll()
        self._held: dict[int, _Held] = {}
        self._tail = Tail()
        self._shelf = Shelf()
        self._seen: State | None = None
        self._catalogue = self._roll.catalogue()

    @property
    def catalogue(self) -> Catalogue:
        if self._seen is None:
            self.sync()
        return self._catalogue

    def sync(self) -> None:
        """Take up what changed in the store; one statement when nothing did."""
        if self._store.lexicon.state() == self._seen:
            return
        with self._lock:
            self._tend()
            with self._store.reading():
                self._take_up(self._store.lexicon.state())

    def scores(self, terms: Sequence[str], scope: Booleans | None, most: int) -> WordScores:
        """The `most` best by their own words and the `most` best by their windows, within scope."""
        catalogue, found = self._find(terms)
        return lexical.ranked(catalogue, found, scope, most)

    def at(self, terms: Sequence[str], places: Integers) -> WordScores:
        """The same scores at given places, in their order; 0 where nothing matches."""
        catalogue, found = self._find(terms)
        return lexical.scored(catalogue, found, places)

    def exhaustive(self, terms: Sequence[str], scope: Booleans | None, most: int) -> WordScores:
        """As `scores`, without leaving anything out: what `scores` is measured against."""
        catalogue, found = self._find(terms)
        return lexical.ranked(catalogue, found, scope, most, exact=len(catalogue))

    def _tend(self) -> None:
        state = self._store.lexicon.state()
        if segments.is_outdated(state):
            segments.tend(self._store)
        elif state.waiting >= _LONG:
            # It can be read as a tail all the same, only slower.
            with contextlib.suppress(StoreBusy, StoreFull):
                segments.tend(self._store)

    def _take_up(self, state: State) -> None:
        former = self._seen
        if former is not None and state.newest < former.newest:
            self._begin()  # another file is in the place of the store
            former = None
        is_taken = former is not None and state.generation == former.generation
        if not (is_taken or self._take_segments(state)) or not self._follow(state):
            # A memory has come up amid those that were there: the store is another one.
            self._begin()
            is_taken = self._take_segments(state) and self._follow(state)
            assert is_taken, "read from its beginning, a store has its memories in order"
        self._seen = state
        self._catalogue = self._roll.catalogue()

    def _take_segments(self, state: State) -> bool:
        """Know the segments that are there now; false when the places at hand do not fit them."""
        self._tail.shorten(state.through)
        heads = self._store.lexicon.heads()
        held = {
            head.id: self._held[head.id]
            for head in heads
            if head.id in self._held and self._held[head.id].dead == head.dead
        }
        news = [head.id for head in heads if head.id not in held]
        columns: list[Columns] = []
        alive: list[Booleans] = []
        for kept in (each for id_ in news for each in self._store.lexicon.segments([id_])):
            columns.append(segment.columns(kept.segment, self._roll.names))
            is_alive = np.ones(kept.segment.size, np.bool_)
            is_alive[segment.dead(kept.dead)] = False
            alive.append(is_alive)
        if columns and not len(self._roll):
            early = self._early(state, columns, alive)
            columns.append(early)
            alive.append(np.ones(len(early.ids), np.bool_))
        if columns and not self._put(columns, alive):
            return False
        for id_, column, is_alive in zip(news, columns, alive, strict=False):
            places = self._roll.places(column.ids)
            places[~is_alive] = NONE
            held[id_] = _Held(places, int((~is_alive).sum()))
        self._held = held
        self._bury()
        self._shelf.begin(
            {id_: each.places for id_, each in held.items()}, self._tail, len(self._roll)
        )
        return True

    def _early(
        self, state: State, columns: Sequence[Columns], alive: Sequence[Booleans]
    ) -> Columns:
        """What changed since the newest segment and is alive in none, though older than what is:
        a purge marks what was reworded as dead too. Places go by id, so these get theirs now."""
        held = np.concatenate([each.ids[is_in] for each, is_in in zip(columns, alive, strict=True)])
        changed = self._store.lexicon.changed(state.through, state.waiting)
        waiting = np.unique(np.array([each.memory_id for each in changed], np.int64))
        older = waiting[waiting < held.max(initial=0)]
        ids = np.setdiff1d(older, held).tolist()
        entries = segments.entries_of(self._store.lexicon.sources(ids)) if ids else []
        return segment.columns_of(entries, self._roll.names)

    def _put(self, columns: Sequence[Columns], alive: Sequence[Booleans]) -> bool:
        """What is alive in the segments, unless the tail knows better."""
        joined = _joined(columns, alive)
        if not self._roll.fits(joined.ids):
            return False
        tail = np.array(sorted(self._tail.ids()), np.int64)
        is_newer = places_in(tail, joined.ids) != NONE
        self._roll.put(_chosen(joined, ~is_newer))
        return True

    def _bury(self) -> None:
        """What no segment and no tail holds any more is dead."""
        is_held = np.zeros(len(self._roll), np.bool_)
        for each in self._held.values():
            is_held[each.places[each.places != NONE]] = True
        for place, is_alive in self._tail.places():
            is_held[place] = is_alive
        self._roll.drop(np.flatnonzero(self._roll.live() & ~is_held).tolist())

    def _follow(self, state: State) -> bool:
        """Read what changed since; false when the places at hand do not fit it."""
        after = state.through
        if self._seen is not None:
            after = max(after, self._seen.newest)
        while page := self._store.lexicon.changed(after, _PAGE):
            after = page[-1].seq
            seqs = {each.memory_id: each.seq for each in page}
            entries = segments.entries_of(self._store.lexicon.sources(sorted(seqs)))
            given = segment.columns_of(entries, self._roll.names)
            if not self._roll.fits(given.ids):
                return False
            for place, entry in zip(self._roll.put(given).tolist(), entries, strict=True):
                self._tail.keep(entry.id, place, seqs[entry.id], entry.tally.counts)
            gone = np.array(sorted(seqs.keys() - {entry.id for entry in entries}), np.int64)
            places = self._roll.places(gone).tolist()
            for id_, place in zip(gone.tolist(), places, strict=True):
                if place != NONE:
                    self._roll.drop([place])
                    self._tail.keep(id_, place, seqs[id_], None)
        self._shelf.grow(len(self._roll))
        return True

    def _find(self, terms: Sequence[str]) -> tuple[Catalogue, list[lexical.Term]]:
        """The terms that are in the store, with the catalogue that their places are in."""
        wanted = list(dict.fromkeys(terms))
        with self._lock:
            if self._seen is None:
                self.sync()
            missing = self._shelf.missing(wanted)
            while missing:
                with self._store.reading():
                    state = self._store.lexicon.state()
                    if self._seen is None or state.generation != self._seen.generation:
                        self._take_up(state)  # the segments at hand are not there any more
                        missing = self._shelf.missing(wanted)
                    found = self._store.lexicon.find(list(self._held), missing)
                self._shelf.put(missing, found, keep=len(wanted))
                missing = self._shelf.missing(wanted)
            return self._catalogue, [self._shelf.term(term) for term in wanted]


def _joined(columns: Sequence[Columns], alive: Sequence[Booleans]) -> Columns:
    """Ascending by id."""
    pairs = list(zip(columns, alive, strict=True))
    order = np.argsort(np.concatenate([each.ids[is_in] for each, is_in in pairs]), kind="stable")
    return Columns(
        **{
            name: np.concatenate([getattr(each, name)[is_in] for each, is_in in pairs])[order]
            for name in Columns.__slots__
        }
    )


def _chosen(columns: Columns, is_in: Booleans) -> Columns:
    return Columns(**{name: getattr(columns, name)[is_in] for name in Columns.__slots__})
