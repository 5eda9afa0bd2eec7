"""Following: what is embedded in the store is brought to an outpost, and what goes, goes there too.

A mark in the store says how far it has got, so that it can be cut off anywhere: what was brought
and not marked is brought again, which changes nothing. How a search asks the outpost is
`service.afar`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.embed.port import Embedder
from recollect.model.errors import OutpostMisfit, OutpostUnavailable
from recollect.outpost.port import SORTS, Copy, Outpost, sort_of
from recollect.search.halves import BYTES_EACH, are_unit, unpacked, widened
from recollect.search.meaning import KINDS, TEXT
from recollect.store.port.outposts import Brought, Embedded
from recollect.store.port.store import Store
from recollect.store.port.vectors import Tail

PAGE = 250
"""Vectors and changes in one step."""


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What was brought; `is_skipped` when there is nowhere to bring it, or no model."""

    observations: int = 0
    summaries: int = 0
    prompts: int = 0
    is_skipped: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How far an outpost has got. `problem` is what went wrong last, None when all is well."""

    place: str
    brought: int
    wanted: int
    problem: str | None

    def __str__(self) -> str:
        told = f"{self.place}: {self.brought:,} of {self.wanted:,} vectors brought"
        return told if self.problem is None else f"{told} ({self.problem})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Which vectors there are, by sort, and whether a server with copies of them answers; None
    when nobody is to ask it."""

    backend: str
    embedded: Mapping[str, int]
    is_configured: bool
    is_reachable: bool | None
    standing: Standing | None


class Following:
    """One for each process: steps and backfills come one after the other, so that nothing that
    was removed there is brought again by whoever has read it before."""

    def __init__(
        self, store: Store, outpost: Outpost, embedder: Callable[[], Embedder | None]
    ) -> None:
        self.outpost = outpost
        self._store, self._embedder = store, embedder
        self._one_at_a_time = threading.Lock()
        self._problem: str | None = None

    def step(self) -> bool:
        """Bring some of what is missing there; whether there may be more."""
        with self._one_at_a_time:
            try:
                is_more = self._step()
            except OutpostUnavailable as error:
                self._problem = str(error)
                raise
            self._problem = None
            return is_more

    def backfill(self, project: str | None, limit: int) -> Backfilled:
        """Bring the newest of each sort once more, so many of each, whatever the mark says."""
        embedder = self._embedder()
        if embedder is None:
            return Backfilled(is_skipped=True)
        with self._one_at_a_time:
            model = self._store.vectors.tail(embedder.name).model
            if model is None:
                return Backfilled()
            self._connected(embedder.name, model[1])
            brought = dict.fromkeys(SORTS, 0)
            for sort in SORTS:
                kinds = [kind for kind in KINDS[TEXT] if sort_of(kind) == sort]
                found = self._store.outposts.newest(model[0], TEXT, kinds, project, limit)
                for start in range(0, len(found), PAGE):
                    page = _copies(found[start : start + PAGE], model[1])
                    self.outpost.put(embedder.name, page)
                    brought[sort] += len(page)
            return Backfilled(brought["observation"], brought["summary"], brought["prompt"])

    def is_reachable(self) -> bool:
        try:
            self.outpost.connect(is_hurried=True)
        except OutpostUnavailable:
            return False
        return True

    def standing(self) -> Standing:
        """Asks nobody outside."""
        embedder = self._embedder()
        model = None if embedder is None else self._store.vectors.tail(embedder.name).model
        if embedder is None or model is None:
            return Standing(self.outpost.place, 0, 0, self._problem)
        mark = self._store.outposts.mark(self.outpost.place)
        reached = mark.vector_seq if mark is not None and mark.model == embedder.name else 0
        return Standing(
            self.outpost.place,
            self._store.outposts.count_through(model[0], TEXT, reached),
            sum(self._store.outposts.counts(model[0], TEXT).values()),
            self._problem,
        )

    def _step(self) -> bool:
        embedder = self._embedder()
        if embedder is None:
            return False
        tail = self._store.vectors.tail(embedder.name)
        if tail.model is None:
            return False
        model_id, dimension = tail.model
        identity = self._connected(embedder.name, dimension)
        place = self.outpost.place
        mark = self._store.outposts.mark(place)
        if mark is None or _is_lost(mark, tail, identity, embedder.name):
            self._remove_strays(model_id)
            self._move(mark, Brought(identity, embedder.name, tail.change_seq, 0))
            return True
        changes = self._store.vectors.changes(model_id, TEXT, mark.change_seq, PAGE)
        found = self._store.outposts.since(model_id, TEXT, mark.vector_seq, PAGE)
        if not changes and not found:
            return False
        # What is gone goes first: a vector that came since for the same memory is among the found
        # ones, of this step or of one of the next.
        gone = dict.fromkeys(change.memory_id for change in changes if not change.has_vector)
        self.outpost.remove(list(gone))
        self.outpost.put(embedder.name, _copies(found, dimension))
        reached = mark
        if changes:
            reached = replace(reached, change_seq=changes[-1].seq)
        if found:
            reached = replace(reached, vector_seq=found[-1].seq)
        self._move(mark, reached)
        return max(len(changes), len(found)) == PAGE

    def _connected(self, model: str, dimension: int) -> str:
        identity, there = self.outpost.connect(is_hurried=False)
        if there not in (None, dimension):
            raise OutpostMisfit(
                f"{self.outpost.place} holds vectors of {there} numbers; {model} makes {dimension}"
            )
        return identity

    def _remove_strays(self, model_id: int) -> None:
        """What was brought there and has no vector here any more. All are named first: pages move
        when something is removed."""
        held = [id_ for page in self.outpost.held() for id_ in page]
        for start in range(0, len(held), PAGE):
            ids = held[start : start + PAGE]
            known = self._store.outposts.embedded(model_id, TEXT, ids)
            self.outpost.remove([id_ for id_ in ids if id_ not in known])

    def _move(self, mark: Brought | None, to: Brought) -> None:
        # What a power cut takes is brought again: nobody need wait for the disk.
        with self._store.transaction(is_lasting=False):
            self._store.outposts.move_mark(self.outpost.place, mark, to)


def _is_lost(mark: Brought, tail: Tail, identity: str, model: str) -> bool:
    """Whether it was another collection, another model or another store, or what happened since
    is not told any more."""
    return (
        (mark.identity, mark.model) != (identity, model)
        or tail.oldest_change > mark.change_seq + 1
        or tail.change_seq < mark.change_seq
        or tail.vector_seq < mark.vector_seq
    )


def _copies(found: Iterable[Embedded], dimension: int) -> Sequence[Copy]:
    """Those that have a sound vector; what is damaged is left to `doctor`."""
    whole = [each for each in found if len(each.vector) == dimension * BYTES_EACH]
    if not whole:
        return []
    rows = widened(unpacked([each.vector for each in whole], dimension))
    return [
        Copy(each.memory_id, each.kind, each.project, each.created_at, row)
        for each, row, is_sound in zip(whole, rows, are_unit(rows), strict=True)
        if is_sound
    ]


def index(
    store: Store,
    embedder: Embedder | None,
    following: Following | None,
    *,
    backend: str,
    is_configured: bool,
) -> Index:
    """Asks the server, if there is one, whether it is there."""
    model = None if embedder is None else store.vectors.tail(embedder.name).model
    embedded = dict.fromkeys(SORTS, 0)
    for kind, many in ({} if model is None else store.outposts.counts(model[0], TEXT)).items():
        embedded[sort_of(kind)] += many
    return Index(
        backend=backend,
        embedded=embedded,
        is_configured=is_configured,
        is_reachable=None if following is None else following.is_reachable(),
        standing=None if following is None else following.standing(),
    )
