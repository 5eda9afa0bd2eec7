"""The nearest vectors to a query, out of memory: exact while they are few, by signs first above.

One thread changes the rows while any number search. Rows are only ever appended; a row that was
replaced or removed is dead from the next snapshot on, and once a quarter is dead the living are
copied together. A search holds one snapshot, which nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from recollect.search import signs as by_sign
from recollect.search.halves import Booleans, Floats, Halves, Ids, dots, widened
from recollect.search.signs import Words

EXACT = 100_000
"""Rows up to which every one is multiplied with the query."""
FEW = 8_000
"""So few rows in scope are multiplied whatever the size."""
CANDIDATES = 4_000
"""Rows that the signs choose for multiplication."""
PER_WANTED = 20
"""And at least so many for each row that is wanted."""
SMALLEST = 1_024
SLACK = 8
"""Room that is not used yet costs nothing, for the system gives memory when it is written to."""
LARGEST_GAP = 4
"""Dead rows are a quarter at most."""

Rows = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The rows of one moment."""

    ids: Ids
    """The memory of each row."""
    rows: Floats | Halves
    signs: Words | None
    alive: Booleans
    row_of: Places
    """By id: its row, -1 when it has none."""
    count: int
    """How many are alive."""

    def nearest(self, query: Floats, allowed: Booleans | None, most: int) -> tuple[Rows, Floats]:
        """The best rows among the allowed and their cosines, best first; of equals the newest."""
        if self.count < len(self.ids):
            allowed = self.alive if allowed is None else allowed & self.alive
        within = len(self.ids) if allowed is None else int(np.count_nonzero(allowed))
        most = min(most, within)
        if most <= 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        rows, cosines = self._best(query, allowed, within, most)
        order = np.lexsort((-self.ids[rows], -cosines))
        return rows[order], cosines[order]

    def cosines(self, query: Floats, ids: Ids) -> Floats:
        """One for each id; NaN where it has no vector."""
        found = np.full(len(ids), np.nan, dtype=np.float32)
        rows = self._rows_of(ids)
        known = rows >= 0
        found[known] = dots(_single(self.rows[rows[known]]), query)
        return found

    def vectors(self, ids: Ids) -> Floats:
        """One for each id; NaN where it has none."""
        found = np.full((len(ids), self.rows.shape[1]), np.nan, dtype=np.float32)
        rows = self._rows_of(ids)
        found[rows >= 0] = _single(self.rows[rows[rows >= 0]])
        return found

    def _rows_of(self, ids: Ids) -> Rows:
        """The row of each id, -1 where it has none."""
        within = (ids >= 0) & (ids < len(self.row_of))
        rows = np.where(within, self.row_of[np.where(within, ids, 0)], -1)
        # Appended after this snapshot was taken.
        return np.where(rows < len(self.ids), rows, -1).astype(np.int64)

    def _best(
        self, query: Floats, allowed: Booleans | None, within: int, most: int
    ) -> tuple[Rows, Floats]:
        if within > FEW and self.signs is not None:
            near = by_sign.distances(self.signs, query)
            enough = max(CANDIDATES, PER_WANTED * most)
            rows = by_sign.closest(near, min(enough, within), allowed)
            return self._first(rows, dots(_single(self.rows[rows]), query), most)
        if allowed is None:
            return self._first(None, dots(_single(self.rows), query), most)
        if within * 3 < len(self.ids):
            rows = np.flatnonzero(allowed)
            return self._first(rows, dots(_single(self.rows[rows]), query), most)
        scores = dots(_single(self.rows), query)
        scores[~allowed] = -np.inf
        return self._first(None, scores, most)

    def _first(self, rows: Rows | None, scores: Floats, most: int) -> tuple[Rows, Floats]:
        """The rows with the highest scores, without rows those of all; of equals the newest.

        Equal texts by the thousand are cut off by their ids, and not by where their vectors
        happen to stand: the same in every process.
        """
        places = np.arange(len(scores))
        if most < len(scores):
            bound = np.partition(scores, len(scores) - most)[len(scores) - most]
            above = np.flatnonzero(scores > bound)
            equal = np.flatnonzero(scores == bound)
            ids = self.ids[equal if rows is None else rows[equal]]
            places = np.concatenate([above, equal[np.argsort(-ids)[: most - len(above)]]])
        return places if rows is None else rows[places], scores[places]


class Nearest:
    """Rows by the id of their memory. One thread at a time may change them."""

    def __init__(self, dimension: int, *, exact: int = EXACT) -> None:
        self.dimension = dimension
        self._exact = exact
        self._used = 0
        self._count = 0
        self._ids = np.empty(0, np.int64)
        self._rows: Floats | Halves = np.empty((0, dimension), np.float32)
        self._signs: Words | None = None
        self._alive = np.empty(0, np.bool_)
        self._row_of = np.full(1, -1, np.int32)
        self._now = self._taken()

    @property
    def now(self) -> Snapshot:
        """What a search may hold as long as it likes."""
        return self._now

    def reserve(self, count: int) -> None:
        """Room for so many rows and some more, at once instead of step by step."""
        if count > len(self._ids):
            self._move(count, count + count // SLACK + SMALLEST, slice(0, self._used))

    def put(self, ids: Ids, rows: Halves) -> None:
        """New rows, or others for ids that have one. Each id once."""
        if len(ids) == 0:
            return
        self._bury(ids)
        start, end = self._used, self._used + len(ids)
        if end > len(self._ids):
            self._move(end, max(SMALLEST, end + self._used // 4), slice(0, self._used))
        self._ids[start:end] = ids
        self._rows[start:end] = rows if self._rows.dtype == np.float16 else widened(rows)
        if self._signs is not None:
            self._signs[:, start:end] = by_sign.signs_of(rows)
        self._alive[start:end] = True
        self._name(ids, np.arange(start, end, dtype=np.int32))
        self._used = end
        self._count += len(ids)
        self._settle()

    def remove(self, ids: Ids) -> None:
        """Those that are there."""
        if self._bury(ids):
            self._settle()

    def _bury(self, ids: Ids) -> bool:
        """The rows of these ids are dead; whether there were any."""
        ids = np.unique(ids)
        ids = ids[(ids >= 0) & (ids < len(self._row_of))]
        rows = self._row_of[ids]
        ids, rows = ids[rows >= 0], rows[rows >= 0]
        if len(ids) == 0:
            return False
        # Copies: snapshots go on with the old ones.
        self._alive = self._alive.copy()
        self._alive[rows] = False
        self._row_of = self._row_of.copy()
        self._row_of[ids] = -1
        self._count -= len(ids)
        return True

    def _name(self, ids: Ids, rows: Places) -> None:
        highest = int(ids.max())
        if highest >= len(self._row_of):
            wider = np.full(highest + 1 + highest // 4, -1, np.int32)
            wider[: len(self._row_of)] = self._row_of
            self._row_of = wider
        self._row_of[ids] = rows

    def _settle(self) -> None:
        """Show the change; copy the living together when too many are dead."""
        dead = self._used - self._count
        if dead * LARGEST_GAP > self._used and self._used > SMALLEST:
            living = np.flatnonzero(self._alive[: self._used])
            self._move(self._count, self._count + self._count // SLACK + SMALLEST, living)
        self._now = self._taken()

    def _move(self, expected: int, room: int, kept: slice | Rows) -> None:
        """New arrays with this much room and the kept rows in them, in the form for that size."""
        is_large = expected > self._exact
        if not is_large:
            room = min(room, max(self._exact, expected))
        ids = self._ids[: self._used][kept]
        alive = self._alive[: self._used][kept]
        rows, used = self._rows[: self._used], len(ids)
        self._ids = np.empty(room, np.int64)
        self._ids[:used] = ids
        self._alive = np.zeros(room, np.bool_)
        self._alive[:used] = alive
        if not isinstance(kept, slice):
            self._row_of = np.full(len(self._row_of), -1, np.int32)
            self._row_of[ids] = np.arange(used, dtype=np.int32)
        self._rows = _room(room, self.dimension, is_large=is_large)
        self._signs = None
        if is_large:
            self._signs = np.empty((by_sign.words_for(self.dimension), room), np.uint64)
        self._copy(rows, kept, used)
        self._used = used

    def _copy(self, rows: Floats | Halves, kept: slice | Rows, used: int) -> None:
        """Piece by piece: a million rows in one would need their room twice more."""
        for start in range(0, used, SMALLEST):
            end = min(start + SMALLEST, used)
            where = slice(start, end) if isinstance(kept, slice) else kept[start:end]
            piece: Floats | Halves = rows[where]
            self._rows[start:end] = piece if self._signs is not None else _single(piece)
            if self._signs is not None:
                self._signs[:, start:end] = by_sign.signs_of(piece)

    def _taken(self) -> Snapshot:
        used = self._used
        return Snapshot(
            ids=self._ids[:used],
            rows=self._rows[:used],
            signs=None if self._signs is None else self._signs[:, :used],
            alive=self._alive[:used],
            row_of=self._row_of,
            count=self._count,
        )


def _room(count: int, dimension: int, *, is_large: bool) -> Floats | Halves:
    if is_large:
        return np.empty((count, dimension), np.float16)
    return np.empty((count, dimension), np.float32)


def _single(rows: Floats | Halves) -> Floats:
    return widened(rows) if rows.dtype == np.float16 else rows  # type: ignore[arg-type,return-value]
