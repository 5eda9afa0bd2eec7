"""Find: a question in, the memories that answer it best out, with the numbers that say why.

The arithmetic is `search.fuse`, how it is told `search.explain`; here the numbers are brought
together. Where they come from is `service.sources`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from recollect.model.clock import DAY, Clock
from recollect.model.errors import EmbedderUnavailable, ModelError, VectorMisfit
from recollect.model.memory import Memory
from recollect.model.question import Dropped, Found, Hit, Question
from recollect.privacy.clean import mended
from recollect.search import explain, speakers
from recollect.search.fuse import Candidates, Numbers, contributions
from recollect.search.halves import are_unit
from recollect.search.passage import MOST_READ
from recollect.search.profile import RankingProfile, Signal
from recollect.search.terms import question_terms
from recollect.search.times import asks_for_time
from recollect.service.asking import query_id, scope_of
from recollect.service.sources import (
    STORED,
    Catalogue,
    Embedder,
    Floats,
    Integers,
    Lexicon,
    Meaning,
    Nearness,
)
from recollect.store.port.store import Store

__all__ = ["Dropped", "Finder", "Found", "Hit", "Question"]

log = logging.getLogger(__name__)

QUESTIONS_REMEMBERED = 256
"""Questions whose vectors are kept: an agent asks the same thing again, or with another scope."""
MOST_DROPPED = 20
"""Candidates beyond the limit that are told about."""
Words = Mapping[str, frozenset[str]]
LONGEST_QUESTION = 2_000
"""Characters that are embedded: more would be cut by the model, after costing time."""


@dataclass(frozen=True, slots=True)
class _Meant:
    """The question's vector and the vectors that it is compared with, or why there is none."""

    vector: Floats | None = None
    nearness: Nearness | None = None
    model: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Competition:
    """All candidates with what each signal adds, in the order of their places."""

    ids: Sequence[int]
    created_at: Sequence[int]
    added: dict[Signal, Numbers]
    near: Mapping[str, frozenset[int]]


class Finder:
    """Safe to use from several threads. What a person waits for happens outside the lock: the
    model's thinking and the reading of rows."""

    def __init__(
        self,
        store: Store,
        lexicon: Lexicon,
        clock: Clock,
        *,
        meaning: Callable[[], Meaning | None] = lambda: None,
        keep: Callable[[Question, RankingProfile, Found], None] | None = None,
    ) -> None:
        """`meaning` is asked once for each question, None is words only; `keep` is told of each
        answer before it is given: the ledger."""
        self._store, self._lexicon, self._clock = store, lexicon, clock
        self._meaning, self._keep = meaning, keep
        self._asking = threading.Lock()
        self._vectors: OrderedDict[tuple[str, str], Floats] = OrderedDict()
        self._remembering = threading.Lock()

    def find(self, question: Question, profile: RankingProfile, *, is_kept: bool = True) -> Found:
        """`is_kept`: whether the ledger is told; not of what nobody has asked in these words."""
        now = self._clock()
        question = replace(question, text=mended(question.text)[:MOST_READ])
        meant = self._meant(question.text)
        state = self._store.ledger.state()
        with self._asking:
            try:
                meant = _fitting(meant)
                competing = self._compete(question, profile, meant, now)
            except ModelError as error:  # a vector server, which may be gone at any moment
                meant = _by_words(error)
                competing = self._compete(question, profile, meant, now)
        asked = explain.asked_words(question.text)
        hits, dropped = self._ranked(competing, profile, question.limit, asked)
        found = Found(
            query_id=query_id(question, profile, meant.model, state, now),
            asked_at=now,
            hits=hits,
            terms=tuple(asked),
            used_vectors=meant.vector is not None,
            model=meant.model,
            problem=meant.problem or (None if meant.nearness is None else meant.nearness.problem),
            dropped=dropped,
            near=competing.near,
        )
        if is_kept and self._keep is not None:
            self._keep(question, profile, found)
        return found

    def by_id(
        self, ids: Sequence[int], profile: RankingProfile
    ) -> dict[int, Mapping[str, float | None]]:
        """The components that depend on no question, the others None; unknown ids are left out."""
        now = self._clock()
        memories = self._store.memories.get(ids)
        added = _without_question(profile, [each.created_at for each in memories], now) | _by_kind(
            profile, memories
        )
        told = explain.breakdown(added, profile.groups, len(memories))
        return {memory.id: told.of(row) for row, memory in enumerate(memories)}

    def _meant(self, text: str) -> _Meant:
        """Asked of the model once for each question; a model that fails is told about."""
        meaning = self._meaning() if text.strip() else None
        if meaning is None:
            return _Meant()
        embedder, text = meaning.embedder, text[:LONGEST_QUESTION]
        vector = self._remembered((embedder.name, text))
        if vector is None:
            try:
                vector = _vector(embedder, text)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, words are there
                return _by_words(error)
            self._remember((embedder.name, text), vector)
        return _Meant(vector, meaning.nearness, embedder.name)

    def _remembered(self, asked: tuple[str, str]) -> Floats | None:
        with self._remembering:
            if asked in self._vectors:
                self._vectors.move_to_end(asked)
            return self._vectors.get(asked)

    def _remember(self, asked: tuple[str, str], vector: Floats) -> None:
        with self._remembering:
            self._vectors[asked] = vector
            while len(self._vectors) > QUESTIONS_REMEMBERED:
                self._vectors.popitem(last=False)

    def _compete(
        self, question: Question, profile: RankingProfile, meant: _Meant, now: int
    ) -> _Competition:
        self._lexicon.sync()
        catalogue = self._lexicon.catalogue
        scope = scope_of(catalogue, question)
        terms = question_terms(question.text)
        places = self._lexicon.scores(terms, scope, profile.candidates).places
        nearby: Mapping[str, frozenset[int]] = {}
        if meant.vector is not None and meant.nearness is not None:
            near, _ = meant.nearness.nearest(meant.vector, catalogue, scope, profile.candidates)
            brought = meant.nearness.brought() or {STORED: catalogue.ids[near]}
            nearby = {place: frozenset(ids.tolist()) for place, ids in brought.items()}
            places = np.union1d(places, near).astype(np.int32)
        places, candidates = self._evidence(question, catalogue, terms, places, meant)
        if candidates.cosines is not None:
            matches = (candidates.words > 0) | (candidates.window > 0)
            kept = matches | (np.nan_to_num(candidates.cosines, nan=-1.0) >= profile.least_cosine)
            if not kept.all():
                places, candidates = self._evidence(question, catalogue, terms, places[kept], meant)
        created_at = catalogue.created_at[places].tolist()
        added = contributions(candidates, profile.weights)
        added = {signal: profile.scale * column for signal, column in added.items()}
        added |= _without_question(profile, created_at, now)
        return _Competition(catalogue.ids[places].tolist(), created_at, added, nearby)

    def _evidence(
        self,
        question: Question,
        catalogue: Catalogue,
        terms: Sequence[str],
        places: Integers,
        meant: _Meant,
    ) -> tuple[Integers, Candidates]:
        """What is known of the candidates, each signal asked in one way for all of them."""
        scores = self._lexicon.at(terms, places)
        cosines, before = None, np.full(len(places), np.nan)
        vector, nearness = meant.vector, meant.nearness
        if vector is not None and nearness is not None:
            cosines = nearness.cosines(vector, catalogue.ids[places]).astype(np.float64)
            behind = catalogue.before[places]
            ids = catalogue.ids[np.maximum(behind, 0)]
            before = nearness.cosines(vector, ids).astype(np.float64)
            before[behind < 0] = np.nan
        speaker = speakers.meant(question.text, _speakers(catalogue, places))
        code = None if speaker is None else catalogue.code(speaker)
        return places, Candidates(
            words=scores.own.astype(np.float64) / max(scores.own_at_best, 1e-9),
            window=scores.window.astype(np.float64) / max(scores.window_at_best, 1e-9),
            cosines=cosines,
            has_neighbour=catalogue.before[places] >= 0,
            cosines_before=before,
            session=catalogue.session[places].astype(np.int64),
            lengths=catalogue.lengths[places].astype(np.float64),
            is_speaker=np.zeros(len(places), np.bool_)
            if code is None
            else catalogue.speaker[places] == code,
            says_when=catalogue.has_time[places] & asks_for_time(question.text),
        )

    def _ranked(
        self, competing: _Competition, profile: RankingProfile, limit: int, asked: Words
    ) -> tuple[tuple[Hit, ...], tuple[Dropped, ...]]:
        """Rows are read for those only that can still be among the first, whatever their kind."""
        rows = _promising(competing, profile, limit)
        ids = [competing.ids[row] for row in rows]
        memories = {memory.id: memory for memory in self._store.memories.get(ids)}
        added = {signal: column[rows] for signal, column in competing.added.items()}
        added |= _by_kind(profile, [memories.get(id_) for id_ in ids])
        told = explain.breakdown(added, profile.groups, len(ids))
        newest = -np.array([competing.created_at[row] for row in rows], np.int64)
        hits: list[Hit] = []
        dropped: list[Dropped] = []
        for place in np.lexsort((-np.array(ids, np.int64), newest, -told.totals)).tolist():
            memory = memories.get(ids[place])
            total, components = told.total(place), told.of(place)
            if memory is None or memory.retired_at is not None:
                because = "it was removed while the question was answered"
            elif len(hits) < limit:
                terms = explain.matched(asked, memory)
                hits.append(
                    Hit(
                        memory=memory,
                        rank=len(hits) + 1,
                        total=total,
                        components=components,
                        terms=terms,
                    )
                )
                continue
            else:
                because = f"{limit} others are better"
            if len(dropped) < MOST_DROPPED:
                dropped.append(
                    Dropped(id=ids[place], total=total, components=components, because=because)
                )
        return tuple(hits), tuple(dropped)


def _vector(embedder: Embedder, text: str) -> Floats:
    vector: Floats = embedder.embed([text])[0]
    if not are_unit(vector[None, :]).all():
        raise EmbedderUnavailable(f"{embedder.name} made numbers that are no vector")
    return vector


def _fitting(meant: _Meant) -> _Meant:
    """Brought up to date; without the vector when it cannot be compared with those stored."""
    if meant.vector is None or meant.nearness is None:
        return meant
    meant.nearness.sync()
    dimension = meant.nearness.dimension
    if dimension in (None, len(meant.vector)):
        return meant
    told = f"{meant.model} makes vectors of {len(meant.vector)} numbers; those stored have"
    return _by_words(VectorMisfit(f"{told} {dimension}", model=meant.model))


def _by_words(error: Exception) -> _Meant:
    told = str(error) or type(error).__name__
    log.warning("searched by words only: %s", told)
    return _Meant(problem=f"searched by words only: {told}")


def _speakers(catalogue: Catalogue, places: Integers) -> list[str]:
    codes = np.unique(catalogue.speaker[places])
    return [catalogue.text_of(code) for code in codes.tolist() if code >= 0]


def _without_question(
    profile: RankingProfile, created_at: Sequence[int], now: int
) -> dict[Signal, Numbers]:
    if profile.half_of_recency_after is None:
        return {}
    return {Signal.RECENCY: np.array([profile.recency((now - at) // DAY) for at in created_at])}


def _by_kind(profile: RankingProfile, memories: Sequence[Memory | None]) -> dict[Signal, Numbers]:
    if profile.kinds is None:
        return {}
    kinds = profile.kinds
    return {Signal.KIND: np.array([0.0 if each is None else kinds.of(each) for each in memories])}


def _promising(competing: _Competition, profile: RankingProfile, limit: int) -> list[int]:
    """Rows of the best before kinds are known, and of all whom a kind could still lift."""
    totals = explain.breakdown(competing.added, profile.groups, len(competing.ids)).totals
    order = np.lexsort(
        (-np.array(competing.ids, np.int64), -np.array(competing.created_at, np.int64), -totals)
    )
    wanted = min(limit + MOST_DROPPED, len(order))
    if wanted and profile.kinds is not None:
        least = totals[order[min(limit, len(order)) - 1]] - profile.kinds.most
        wanted = max(wanted, int((totals >= least).sum()))
    return [int(row) for row in order[:wanted]]
