"""Find: a question in, the memories that answer it best out, with the numbers that say why.

The arithmetic is `search.fuse`, how it is told `search.explain`; here the numbers are brought
together. Where they come from is `service.sources`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.model.clock import DAY, Clock
from recollect.model.errors import RecollectError
from recollect.model.memory import Memory
from recollect.model.question import Dropped, Found, Hit, Question
from recollect.search import explain, speakers
from recollect.search.fuse import Candidates, Numbers, contributions
from recollect.search.profile import RankingProfile, Signal
from recollect.search.terms import question_terms
from recollect.search.times import asks_for_time
from recollect.service.asking import query_id, scope_of
from recollect.service.sources import (
    Catalogue,
    Embedder,
    Floats,
    Integers,
    Lexicon,
    Nearness,
)
from recollect.store.port.store import Store

__all__ = ["Dropped", "Finder", "Found", "Hit", "Question"]

log = logging.getLogger(__name__)

QUESTIONS_REMEMBERED = 256
"""Questions whose vectors are kept: an agent asks the same thing again, or with another scope."""
MOST_DROPPED = 20
"""Candidates beyond the limit that are told about."""
LONGEST_QUESTION = 2_000
"""Characters that are embedded: more would be cut by the model, after costing time."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The question's vector, or why there is none."""

    vector: Floats | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Competition:
    """All candidates with what each signal adds, in the order of their places."""

    ids: Sequence[int]
    created_at: Sequence[int]
    added: dict[Signal, Numbers]


class Finder:
    """Safe to use from several threads. What a person waits for happens outside the lock: the
    model's thinking and the reading of rows."""

    def __init__(
        self,
        store: Store,
        lexicon: Lexicon,
        clock: Clock,
        *,
        nearness: Nearness | None = None,
        embedder: Embedder | None = None,
        keep: Callable[[Question, RankingProfile, Found], None] | None = None,
    ) -> None:
        """`keep` is told of each answer before it is given: the ledger."""
        self._store, self._lexicon, self._clock = store, lexicon, clock
        self._nearness, self._embedder = nearness, embedder
        self._keep = keep
        self._asking = threading.Lock()
        self._vectors: OrderedDict[str, Floats] = OrderedDict()
        self._remembering = threading.Lock()

    def find(self, question: Question, profile: RankingProfile) -> Found:
        now = self._clock()
        meaning = self._meaning(question.text)
        state = self._store.ledger.state()
        with self._asking:
            competing = self._compete(question, profile, meaning.vector, now)
        hits, dropped = self._ranked(question, profile, competing)
        found = Found(
            query_id=query_id(question, profile, self._model(meaning), state, now),
            asked_at=now,
            hits=hits,
            terms=tuple(explain.asked_words(question.text)),
            used_vectors=meaning.vector is not None,
            model=self._model(meaning),
            problem=meaning.problem,
            dropped=dropped,
        )
        if self._keep is not None:
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

    def _model(self, meaning: _Meaning) -> str | None:
        return None if meaning.vector is None or self._embedder is None else self._embedder.name

    def _meaning(self, text: str) -> _Meaning:
        """Asked of the model once for each question; a model that fails is told about."""
        if self._nearness is None or self._embedder is None or not text.strip():
            return _Meaning(None)
        text = text[:LONGEST_QUESTION]
        with self._remembering:
            known = self._vectors.get(text)
            if known is not None:
                self._vectors.move_to_end(text)
                return _Meaning(known)
        try:
            vector = self._embedder.embed([text])[0]
        except RecollectError as error:
            log.warning("searched by words only: %s", error)
            return _Meaning(None, f"searched by words only: {error}")
        with self._remembering:
            self._vectors[text] = vector
            while len(self._vectors) > QUESTIONS_REMEMBERED:
                self._vectors.popitem(last=False)
        return _Meaning(vector)

    def _compete(
        self, question: Question, profile: RankingProfile, vector: Floats | None, now: int
    ) -> _Competition:
        self._lexicon.sync()
        catalogue = self._lexicon.catalogue
        scope = scope_of(catalogue, question)
        terms = question_terms(question.text)
        places = self._lexicon.scores(terms, scope, profile.candidates).places
        nearness = self._nearness
        if vector is not None and nearness is not None:
            nearness.sync()
            near, _ = nearness.nearest(vector, catalogue, scope, profile.candidates)
            places = np.union1d(places, near).astype(np.int32)
        places, candidates = self._evidence(question, catalogue, terms, places, vector)
        if candidates.cosines is not None:
            matches = (candidates.words > 0) | (candidates.window > 0)
            kept = matches | (np.nan_to_num(candidates.cosines, nan=-1.0) >= profile.least_cosine)
            if not kept.all():
                places, candidates = self._evidence(
                    question, catalogue, terms, places[kept], vector
                )
        created_at = catalogue.created_at[places].tolist()
        added = contributions(candidates, profile.weights)
        added = {signal: profile.scale * column for signal, column in added.items()}
        added |= _without_question(profile, created_at, now)
        return _Competition(catalogue.ids[places].tolist(), created_at, added)

    def _evidence(
        self,
        question: Question,
        catalogue: Catalogue,
        terms: Sequence[str],
        places: Integers,
        vector: Floats | None,
    ) -> tuple[Integers, Candidates]:
        """What is known of the candidates, each signal asked in one way for all of them."""
        scores = self._lexicon.at(terms, places)
        cosines, before = None, np.full(len(places), np.nan)
        if vector is not None and self._nearness is not None:
            cosines = self._nearness.cosines(vector, catalogue.ids[places]).astype(np.float64)
            behind = catalogue.before[places]
            ids = catalogue.ids[np.maximum(behind, 0)]
            before = self._nearness.cosines(vector, ids).astype(np.float64)
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
        self, question: Question, profile: RankingProfile, competing: _Competition
    ) -> tuple[tuple[Hit, ...], tuple[Dropped, ...]]:
        """Rows are read for those only that can still be among the first, whatever their kind."""
        rows = _promising(competing, profile, question.limit)
        ids = [competing.ids[row] for row in rows]
        memories = {memory.id: memory for memory in self._store.memories.get(ids)}
        added = {signal: column[rows] for signal, column in competing.added.items()}
        added |= _by_kind(profile, [memories.get(id_) for id_ in ids])
        told = explain.breakdown(added, profile.groups, len(ids))
        newest = -np.array([competing.created_at[row] for row in rows], np.int64)
        asked = explain.asked_words(question.text)
        hits: list[Hit] = []
        dropped: list[Dropped] = []
        for place in np.lexsort((-np.array(ids, np.int64), newest, -told.totals)).tolist():
            memory = memories.get(ids[place])
            total, components = told.total(place), told.of(place)
            if memory is None or memory.retired_at is not None:
                because = "it was removed while the question was answered"
            elif len(hits) < question.limit:
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
                because = f"{question.limit} others are better"
            if len(dropped) < MOST_DROPPED:
                dropped.append(
                    Dropped(id=ids[place], total=total, components=components, because=because)
                )
        return tuple(hits), tuple(dropped)


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
