"""Lexicon, vectors and model for tests: brute force over what a store holds.

They promise what the real ones do, without an index, a file or a network.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.model.memory import Kind, Memory
from recollect.search.explain import searched
from recollect.search.meaning import MEANINGLESS, Parts, text_of
from recollect.search.terms import terms
from recollect.search.times import has_time
from recollect.service.sources import Booleans, Embedder, Floats, Integers, Longs
from recollect.store.port.store import Store

K1, B = 1.2, 0.75
LARGEST = 10_000


@dataclass(frozen=True)
class PlainCatalogue:
    memories: Sequence[Memory]
    names: Sequence[str]

    @property
    def ids(self) -> Longs:
        return np.array([each.id for each in self.memories], np.int64)

    @property
    def created_at(self) -> Longs:
        return np.array([each.created_at for each in self.memories], np.int64)

    @property
    def before(self) -> Integers:
        last: dict[str, int] = {}
        found = []
        for place, each in enumerate(self.memories):
            session = each.session_id
            found.append(-1 if session is None else last.get(session, -1))
            if session is not None:
                last[session] = place
        return np.array(found, np.int32)

    @property
    def project(self) -> Integers:
        return self._codes([each.project for each in self.memories])

    @property
    def session(self) -> Integers:
        return self._codes([each.session_id for each in self.memories])

    @property
    def speaker(self) -> Integers:
        return self._codes([each.speaker for each in self.memories])

    @property
    def type(self) -> Integers:
        return self._codes([each.type for each in self.memories])

    @property
    def kind(self) -> NDArray[np.int8]:
        return np.array([tuple(Kind).index(each.kind) for each in self.memories], np.int8)

    @property
    def has_time(self) -> Booleans:
        return np.array([has_time(each.text) for each in self.memories], np.bool_)

    @property
    def lengths(self) -> Integers:
        return np.array([len(terms(searched(each))) for each in self.memories], np.int32)

    @property
    def is_live(self) -> Booleans:
        return np.array([each.retired_at is None for each in self.memories], np.bool_)

    def places(self, ids: Longs) -> Integers:
        known = {each.id: place for place, each in enumerate(self.memories)}
        return np.array([known.get(id_, -1) for id_ in ids.tolist()], np.int32)

    def code(self, text: str) -> int | None:
        return self.names.index(text) if text in self.names else None

    def text_of(self, code: int) -> str:
        return self.names[code]

    def _codes(self, names: Sequence[str | None]) -> Integers:
        return np.array([-1 if n is None else self.names.index(n) for n in names], np.int32)


@dataclass(frozen=True)
class PlainScores:
    places: Integers
    own: Floats
    window: Floats
    own_at_best: float
    window_at_best: float


class PlainLexicon:
    """BM25 by the book, over all memories at every question."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.catalogue = PlainCatalogue((), ())

    def sync(self) -> None:
        memories = sorted(
            (
                each
                for each in self._store.memories.get(range(1, LARGEST))
                if each.retired_at is None and each.kind not in MEANINGLESS
            ),
            key=lambda memory: memory.id,
        )
        names = {
            name
            for each in memories
            for name in (each.project, each.session_id, each.speaker, each.type)
            if name is not None
        }
        self.catalogue = PlainCatalogue(memories, sorted(names))

    def scores(self, terms: Sequence[str], scope: Booleans | None, most: int) -> PlainScores:
        every = self.at(terms, np.arange(len(self.catalogue.memories), dtype=np.int32))
        within = np.ones(len(every.places), np.bool_) if scope is None else scope
        kept: set[int] = set()
        for column in (every.own, every.window):
            found = np.flatnonzero(within & (column > 0))
            kept |= set(found[np.argsort(-column[found], kind="stable")][:most].tolist())
        return self.at(terms, np.array(sorted(kept), np.int32))

    def at(self, terms: Sequence[str], places: Integers) -> PlainScores:
        own = [self._counts(each) for each in self.catalogue.memories]
        after = {int(p): place for place, p in enumerate(self.catalogue.before) if p >= 0}
        window = []
        for place, counts in enumerate(own):
            before = int(self.catalogue.before[place])
            near = [own[before]] if before >= 0 else []
            near += [own[after[place]]] if place in after else []
            window.append(sum(near, counts))
        count = len(own)
        links = int((self.catalogue.before >= 0).sum())
        size = 1 + 2 * links / max(count, 1)
        dfs = [sum(term in each for each in own) for term in terms]
        mine, best = _bm25(terms, own, dfs)
        # As documented in `search.lexical`: how many windows hold a term is reckoned.
        reckoned = [count * (1 - (1 - df / max(count, 1)) ** size) for df in dfs]
        theirs, best_of_windows = _bm25(terms, window, reckoned)
        return PlainScores(places, mine[places], theirs[places], best, best_of_windows)

    def _counts(self, memory: Memory) -> Counter[str]:
        return Counter(terms(searched(memory)))


def _bm25(
    wanted: Sequence[str], documents: Sequence[Counter[str]], dfs: Sequence[float]
) -> tuple[Floats, float]:
    count = len(documents)
    mean = sum(each.total() for each in documents) / max(count, 1)
    scores, best = np.zeros(count, np.float32), 0.0
    for term, df in zip(wanted, dfs, strict=True):
        weight = math.log1p((count - df + 0.5) / (df + 0.5)) * (K1 + 1)
        best += weight
        for place, each in enumerate(documents):
            norm = K1 * (1 - B + B * each.total() / max(mean, 1e-9))
            scores[place] += weight * each[term] / (each[term] + norm)
    return scores, best


class PlainNearness:
    """Everything is embedded at once, but for the ids that are left out."""

    problem: str | None = None

    def __init__(
        self, store: Store, embedder: Embedder, *, without: frozenset[int] = frozenset()
    ) -> None:
        self.model = embedder.name
        self._store, self._embedder, self._without = store, embedder, without
        self._rows: dict[int, Floats] = {}

    def sync(self) -> None:
        wanted = [m for m in self._store.memories.get(range(1, LARGEST)) if m.id not in self._rows]
        for each in wanted:
            if each.id not in self._without:
                self._rows[each.id] = self._vector(each)

    def _vector(self, memory: Memory) -> Floats:
        """As exact as a store keeps it."""
        read = text_of(
            Parts(
                kind=memory.kind,
                origin=memory.origin,
                text=memory.text,
                speaker=memory.speaker,
                title=memory.title,
                file_path=memory.file_path,
            )
        )
        kept: Floats = self._embedder.embed([read])[0].astype(np.float16).astype(np.float32)
        return kept

    @property
    def dimension(self) -> int | None:
        return next((len(row) for row in self._rows.values()), None)

    def count(self) -> int:
        return len(self._rows)

    def nearest(
        self, query: Floats, catalogue: object, scope: Booleans | None, most: int
    ) -> tuple[Integers, Floats]:
        assert isinstance(catalogue, PlainCatalogue)
        cosines = self.cosines(query, catalogue.ids)
        found = np.flatnonzero(~np.isnan(cosines) & (True if scope is None else scope))
        best = found[np.argsort(-cosines[found], kind="stable")][:most].astype(np.int32)
        return best, cosines[best]

    def brought(self) -> Mapping[str, Longs]:
        return {}

    def cosines(self, query: Floats, ids: Longs) -> Floats:
        rows = [self._rows.get(id_) for id_ in ids.tolist()]
        return np.array([np.nan if row is None else row @ query for row in rows], np.float32)
