"""The roll: a catalogue that grows as memories are added, changed, retired and removed.

A place once given stays with its memory for as long as the process runs, so a place that is dead
stays dead. What a change costs does not depend on how many memories there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.search.catalogue import (
    NONE,
    Booleans,
    Catalogue,
    Columns,
    Integers,
    Longs,
    Names,
    Totals,
    places_in,
)

_ROOM = 1_024
_MANY = 2_000
"""So many new memories at once are linked to their neighbours by sorting all of them."""


class Roll:
    """Written by one thread at a time; catalogues that were given stay as they are."""

    def __init__(self) -> None:
        self.names = Names()
        self._size = 0
        self._count = 0
        self._length = 0
        self._window_length = 0
        self._links = 0
        self._columns: dict[str, NDArray[Any]] = {
            "ids": np.empty(0, np.int64),
            "created_at": np.empty(0, np.int64),
            "project": np.empty(0, np.int32),
            "session": np.empty(0, np.int32),
            "speaker": np.empty(0, np.int32),
            "type": np.empty(0, np.int32),
            "kind": np.empty(0, np.int8),
            "has_time": np.empty(0, np.bool_),
            "lengths": np.empty(0, np.int32),
        }
        self._before: Integers = np.empty(0, np.int32)
        self._after: Integers = np.empty(0, np.int32)
        self._is_live: Booleans = np.empty(0, np.bool_)
        self._shared: set[str] = set()
        self._shown = 0
        self._last: dict[int, int] = {}

    def __len__(self) -> int:
        return self._size

    def places(self, ids: Longs) -> Integers:
        return places_in(self._ids(), ids)

    def fits(self, ids: Longs) -> bool:
        """Whether each of the ids is known or comes after all that are."""
        known = self._ids()
        return not len(known) or bool(np.all((places_in(known, ids) >= 0) | (ids > known[-1])))

    def put(self, given: Columns) -> Integers:
        """Take up memories, or what they are now; their places."""
        places = self.places(given.ids)
        is_old = places != NONE
        fresh = np.flatnonzero(~is_old)
        places[fresh] = np.arange(self._size, self._size + len(fresh), dtype=np.int32)
        self._grow(len(fresh))
        self._change_lengths(places[is_old], given.lengths[is_old])
        for name in self._columns:
            if is_old.any():
                self._own(name)
            self._columns[name][places] = getattr(given, name)
        self._revive(places)
        return places

    def drop(self, places: Iterable[int]) -> None:
        """These are not live any more: their neighbours become neighbours of each other."""
        for place in places:
            if self._is_live[place]:
                self._drop(place)

    def live(self) -> Booleans:
        return self._is_live[: self._size]

    def catalogue(self) -> Catalogue:
        self._shared = {"before", "after", "is_live", *self._columns}
        self._shown = size = self._size
        return Catalogue(
            **{name: column[:size] for name, column in self._columns.items()},
            before=self._before[:size],
            after=self._after[:size],
            is_live=self._is_live[:size],
            totals=Totals(self._count, self._length, self._window_length, self._links),
            names=self.names,
        )

    def _revive(self, places: Integers) -> None:
        """Those of the places that were not live are linked to their neighbours."""
        dead = np.sort(places[~self._is_live[places]])
        if not len(dead):
            return
        lengths = self._column("lengths")
        if dead[0] < self._shown:
            self._own("is_live")
        self._is_live[dead] = True
        self._count += len(dead)
        self._length += int(lengths[dead].sum(dtype=np.int64))
        if len(dead) < _MANY and self._are_last(dead):
            self._window_length += int(lengths[dead].sum(dtype=np.int64))
            self._append(dead)
        else:
            self._link_all()

    def _are_last(self, places: Integers) -> bool:
        """Whether each comes after all that is live in its session."""
        sessions = self._column("session")[places]
        return all(
            self._last.get(session, NONE) < place
            for place, session in zip(places.tolist(), sessions.tolist(), strict=True)
        )

    def _append(self, places: Integers) -> None:
        sessions = self._column("session")[places]
        if places[0] < self._shown:
            self._own("before")
        self._own("after")
        lengths = self._column("lengths")
        for place, session in zip(places.tolist(), sessions.tolist(), strict=True):
            if session == NONE:
                continue
            former = self._last.get(session)
            if former is not None:
                self._before[place], self._after[former] = former, place
                self._window_length += int(lengths[place]) + int(lengths[former])
                self._links += 1
            self._last[session] = place

    def _link_all(self) -> None:
        """Every link anew, by one sort: for many memories, or one amid its session."""
        self._own("before")
        self._own("after")
        self._before[:] = NONE
        self._after[:] = NONE
        sessions = self._column("session")
        places = np.flatnonzero(self.live() & (sessions != NONE)).astype(np.int32)
        places = places[np.argsort(sessions[places], kind="stable")]
        ordered = sessions[places]
        same = ordered[1:] == ordered[:-1]
        first, second = places[:-1][same], places[1:][same]
        self._after[first], self._before[second] = second, first
        is_last = np.append(~same, True) if len(places) else np.empty(0, np.bool_)
        self._last = dict(zip(ordered[is_last].tolist(), places[is_last].tolist(), strict=True))
        self._links = len(first)
        lengths = self._column("lengths")
        self._window_length = self._length + int(
            lengths[first].sum(dtype=np.int64) + lengths[second].sum(dtype=np.int64)
        )

    def _drop(self, place: int) -> None:
        for name in ("is_live", "before", "after"):
            self._own(name)
        lengths = self._column("lengths")
        before, after = int(self._before[place]), int(self._after[place])
        self._is_live[place] = False
        self._count -= 1
        self._length -= int(lengths[place])
        self._window_length -= int(lengths[place])
        for other in (before, after):
            if other != NONE:
                self._window_length -= int(lengths[place]) + int(lengths[other])
                self._links -= 1
        if before != NONE:
            self._after[before] = after
        if after != NONE:
            self._before[after] = before
        if NONE not in (before, after):
            self._window_length += int(lengths[before]) + int(lengths[after])
            self._links += 1
        self._before[place] = self._after[place] = NONE
        session = int(self._column("session")[place])
        if session != NONE and self._last.get(session) == place:
            if before == NONE:
                del self._last[session]
            else:
                self._last[session] = before

    def _change_lengths(self, places: Integers, lengths: Integers) -> None:
        """What live memories with another length do to the totals."""
        is_live = self._is_live[places]
        places, lengths = places[is_live], lengths[is_live]
        more = lengths.astype(np.int64) - self._column("lengths")[places]
        windows = 1 + (self._before[places] != NONE) + (self._after[places] != NONE)
        self._length += int(more.sum())
        self._window_length += int((more * windows).sum())

    def _ids(self) -> Longs:
        ids: Longs = self._columns["ids"][: self._size]
        return ids

    def _column(self, name: str) -> Integers:
        column: Integers = self._columns[name][: self._size]
        return column

    def _grow(self, more: int) -> None:
        size = self._size + more
        if size > len(self._before):
            room = max(size + size // 4, _ROOM)
            for name, column in self._columns.items():
                self._columns[name] = _roomier(column, room, self._size)
            self._before = _roomier(self._before, room, self._size)
            self._after = _roomier(self._after, room, self._size)
            self._is_live = _roomier(self._is_live, room, self._size)
            self._shared = set()
        self._before[self._size : size] = NONE
        self._after[self._size : size] = NONE
        self._is_live[self._size : size] = False
        self._size = size

    def _own(self, name: str) -> None:
        """Before a value that a catalogue shows is changed: the catalogue keeps the former ones."""
        if name not in self._shared:
            return
        self._shared.discard(name)
        if name in self._columns:
            self._columns[name] = self._columns[name].copy()
        else:
            setattr(self, f"_{name}", getattr(self, f"_{name}").copy())


def _roomier(column: NDArray[Any], room: int, used: int) -> NDArray[Any]:
    larger: NDArray[Any] = np.zeros(room, column.dtype)
    larger[:used] = column[:used]
    return larger
