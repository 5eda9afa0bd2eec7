"""Nearness: which memories are near a meaning, kept in memory and following the store.

One object for each model and view. It loads with the first search and then follows what was put
and what changed. Any thread may search while another one brings it up to date.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from recollect.search.halves import (
    BYTES_EACH,
    Booleans,
    Floats,
    Ids,
    are_unit,
    unpacked,
    widened,
)
from recollect.search.nearest import Nearest, Snapshot
from recollect.store.port.store import Store
from recollect.store.port.vectors import Tail

PAGE = 2_000
"""Rows at a time: few enough for the processor's cache, and for other threads to get their turn."""

Places = npt.NDArray[np.int32]


class Catalogue(Protocol):
    """As much as is asked of the catalogue of memories: their places, ascending by id."""

    @property
    def ids(self) -> Ids: ...
    @property
    def is_live(self) -> Booleans: ...
    def places(self, ids: Ids) -> Places:
        """-1 where the catalogue has no such memory."""


@dataclass(frozen=True, slots=True)
class _Placing:
    """The place of each row in a catalogue, for the rows and the catalogue that it was made for."""

    row_ids: Ids
    ids: Ids
    places: Places


class StoredNearness:
    """Answers `Nearness` for one model and view."""

    problem: str | None = None
    """The store always answers."""

    def __init__(self, store: Store, model: str, view: str) -> None:
        self.model = model
        self.view = view
        self._store = store
        self._lock = threading.Lock()
        self._index: Nearest | None = None
        self._model_id: int | None = None
        self._vector_seq = 0
        self._change_seq = 0
        self._placing: _Placing | None = None

    @property
    def dimension(self) -> int | None:
        """Numbers of each vector; None before there is one."""
        index = self._index
        return None if index is None else index.dimension

    def sync(self) -> None:
        """Follow the store; one small statement when nothing has changed."""
        with self._lock:
            tail = self._store.vectors.tail(self.model)
            if tail.model is None:
                self._index = None
                return
            if self._index is None or self._has_lost(tail):
                self._load(tail)
            elif tail.vector_seq > self._vector_seq or tail.change_seq > self._change_seq:
                self._follow(self._index, tail)

    def count(self) -> int:
        """Memories that can be found by meaning."""
        snapshot = self._now()
        return 0 if snapshot is None else snapshot.count

    def nearest(
        self, query: Floats, catalogue: Catalogue, scope: Booleans | None, most: int
    ) -> tuple[Places, Floats]:
        """Places in the catalogue and their cosines, best first. Only what is live and in scope
        competes."""
        snapshot = self._now()
        if snapshot is None:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        places = self._places(snapshot, catalogue)
        open_ = catalogue.is_live if scope is None else catalogue.is_live & scope
        if len(open_) == 0:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        allowed = open_.take(places, mode="clip")  # -1 is clipped to 0 and taken out again
        allowed &= places >= 0
        rows, cosines = snapshot.nearest(query, allowed, most)
        return places[rows], cosines

    def cosines(self, query: Floats, ids: Ids) -> Floats:
        """For each memory how near it is; NaN where there is no vector."""
        snapshot = self._now()
        if snapshot is None:
            return np.full(len(ids), np.nan, dtype=np.float32)
        return snapshot.cosines(query, ids)

    def brought(self) -> Mapping[str, Ids]:
        """Nothing but what is in the store."""
        return {}

    def vectors(self, ids: Ids) -> Floats:
        """The vectors of these memories; rows of NaN where there is none."""
        snapshot = self._now()
        if snapshot is None:
            return np.full((len(ids), 0), np.nan, dtype=np.float32)
        return snapshot.vectors(ids)

    def _now(self) -> Snapshot | None:
        index = self._index
        return None if index is None else index.now

    def _has_lost(self, tail: Tail) -> bool:
        """Whether what happened since is not told any more, or this is another store by now."""
        return (
            tail.model is None
            or tail.model[0] != self._model_id
            or tail.oldest_change > self._change_seq + 1
            or tail.change_seq < self._change_seq
            or tail.vector_seq < self._vector_seq
        )

    def _load(self, tail: Tail) -> None:
        assert tail.model is not None
        self._model_id, dimension = tail.model
        index = Nearest(dimension)
        index.reserve(self._store.vectors.count(self._model_id, self.view))
        self._vector_seq = 0
        # What changes from here on is looked at once more; what is gone by then was never loaded.
        self._change_seq = tail.change_seq
        self._put_new(index, tail)
        self._placing = None
        self._index = index

    def _follow(self, index: Nearest, tail: Tail) -> None:
        assert self._model_id is not None
        gone: list[int] = []
        while tail.change_seq > self._change_seq:
            page = self._store.vectors.changes(self._model_id, self.view, self._change_seq, PAGE)
            gone += [change.memory_id for change in page if not change.has_vector]
            if not page:
                break
            self._change_seq = page[-1].seq
        index.remove(np.array(gone, dtype=np.int64))
        self._put_new(index, tail)

    def _put_new(self, index: Nearest, tail: Tail) -> None:
        assert self._model_id is not None
        while True:
            seqs, ids, blobs = self._store.vectors.since(
                self._model_id, self.view, self._vector_seq, PAGE
            )
            self._put(index, ids, blobs)
            if len(seqs) < PAGE:
                self._vector_seq = max([tail.vector_seq, self._vector_seq, *seqs[-1:]])
                return
            self._vector_seq = seqs[-1]

    def _put(self, index: Nearest, ids: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Texts that the model cannot read have no bytes; what is damaged is left to `doctor`."""
        length = index.dimension * BYTES_EACH
        whole = [place for place, blob in enumerate(blobs) if len(blob) == length]
        if not whole:
            return
        if len(whole) < len(blobs):
            ids, blobs = [ids[place] for place in whole], [blobs[place] for place in whole]
        rows, numbers = unpacked(blobs, index.dimension), np.array(ids, dtype=np.int64)
        sound = are_unit(widened(rows))
        index.put(numbers[sound], rows[sound])

    def _places(self, snapshot: Snapshot, catalogue: Catalogue) -> Places:
        """Where each row stands in the catalogue. Both only grow, mostly, and so does this."""
        before = self._placing
        ids = catalogue.ids
        if before is not None and before.row_ids is snapshot.ids and before.ids is ids:
            return before.places
        places = np.full(len(snapshot.ids), -1, np.int32)
        if (
            before is not None
            and _begins_with(ids, before.ids)
            and _begins_with(snapshot.ids, before.row_ids)
        ):
            places[: len(before.places)] = before.places
        unknown = np.flatnonzero(places < 0)
        places[unknown] = catalogue.places(snapshot.ids[unknown])
        self._placing = _Placing(snapshot.ids, ids, places)
        return places


def _begins_with(longer: Ids, shorter: Ids) -> bool:
    return len(longer) >= len(shorter) and np.array_equal(longer[: len(shorter)], shorter)
