"""Relevant: which facts answer a question, and which are like one that was just stored.

The score is `search.relevance`; here its numbers are brought together. Candidates come from two
sides, the nearest matters and the best matching words, both within the filters, so that a filter
never starves an answer; only candidates are read.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.embed.port import Embedder
from recollect.model.errors import RecollectError
from recollect.model.fact import subject_key
from recollect.search import relevance
from recollect.search.catalogue import Booleans, Integers, Longs
from recollect.search.halves import Floats
from recollect.search.relevance import Asked, asked
from recollect.search.subjects import is_anybodys
from recollect.search.terms import question_terms
from recollect.service.claims import Roll, StoredClaims
from recollect.service.embedding import embed_these
from recollect.service.facts import Fact, read
from recollect.service.meanings import Meaning
from recollect.service.nearness import StoredNearness
from recollect.service.sources import Catalogue, Lexicon
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

NEAREST = 60
"""Candidates by meaning."""
BY_WORDS = 30
NEWEST = 200
"""Of so many, those that have no vector are candidates, beside those by words."""
DIGITS = 4
"""Of a score as it is reported, which is the one that is compared."""
ALIKE = 0.5
"""The cosine of two matters from which a fact is told as similar."""
MOST_ALIKE = 5
MOMENT = 1.0
"""Seconds that whoever stores something waits for its meaning."""
QUESTIONS_REMEMBERED = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked about facts. `limit` is how many at most, `threshold` the least score."""

    text: str
    subject: str | None = None
    category: str | None = None
    limit: int = 5
    threshold: float = relevance.SEPARATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering(Fact):
    """A fact that answers, and how well."""

    score: float


@dataclass(frozen=True, slots=True)
class _Meant:
    vector: Floats
    nearness: StoredNearness


@dataclass(frozen=True, slots=True)
class _Placing:
    """Where each claim is in the catalogue of words."""

    catalogue_ids: Longs
    claim_ids: Longs
    places: Integers


class FactFinder:
    """Safe to use from several threads."""

    def __init__(
        self, store: Store, lexicon: Lexicon, meaning: Callable[[], Meaning | None]
    ) -> None:
        """`meaning` is asked once for each question; None is words only."""
        self._store, self._lexicon, self._meaning = store, lexicon, meaning
        self._claims = StoredClaims(store)
        self._remembering = threading.Lock()
        self._vectors: OrderedDict[tuple[str, str], Floats] = OrderedDict()
        self._placing: _Placing | None = None

    def find(self, wanted: Wanted) -> list[Answering]:
        """Best first. Without a model, or without vectors yet, facts are judged by their words."""
        roll = self._claims.now()
        scope = roll.is_live
        if wanted.subject is not None:
            scope = scope & roll.about([subject_key(wanted.subject)])
        if wanted.category is not None:
            scope = scope & roll.of_category(wanted.category)
        if not scope.any():
            return []
        question = asked(wanted.text, roll.names)
        meant = self._meant(question.matter)
        ids = np.unique(self._candidates(roll, scope, question, meant, wanted.threshold))
        cosines = np.full(len(ids), np.nan, np.float32)
        if meant is not None:
            cosines = meant.nearness.cosines(meant.vector, ids)
        found = self._judged(question, roll, ids.tolist(), cosines.tolist())
        passed = [(fact, cosine) for fact, cosine in found if fact.score >= wanted.threshold]
        passed.sort(key=lambda each: (-each[0].score, -each[1], -each[0].memory.id))
        return [fact for fact, _ in passed[: wanted.limit]]

    def similar(self, memory_id: int, subject: str) -> list[Fact]:
        """Live facts about the same subject that are about the same matter, most alike first.

        Embeds the fact, which was just stored, so that it is found by meaning from now on. Without
        a model nothing is known to be similar.
        """
        if not self.embed([memory_id]):
            return []
        meaning = self._meaning()
        assert meaning is not None, "it has just embedded"
        meaning.nearness.sync()
        vector = meaning.nearness.vectors(np.array([memory_id], np.int64))[0]
        if not np.isfinite(vector).all() or not len(vector):
            return []
        roll = self._claims.now()
        scope = roll.is_live & roll.about([subject_key(subject)]) & (roll.ids != memory_id)
        places, cosines = meaning.nearness.nearest(vector, roll, scope, MOST_ALIKE)
        alike = roll.ids[places[cosines >= ALIKE]].tolist()
        return read(self._store, alike)

    def embed(self, ids: Sequence[int]) -> bool:
        """Make memories findable by meaning now, and not when their turn comes.

        False when that cannot be done, or not within a moment: an endpoint may take its time.
        What is left over is done by whoever embeds the rest.
        """
        meaning, done = self._meaning(), threading.Event()
        if meaning is None:
            return False

        def embed() -> None:
            try:
                embed_these(self._store, meaning.embedder, ids)
            except RecollectError as error:
                log.warning("embedded later: %s", error)
            else:
                done.set()

        thread = threading.Thread(target=embed, name="recollect-embed-now", daemon=True)
        thread.start()
        thread.join(MOMENT)
        return done.is_set()

    def _candidates(
        self,
        roll: Roll,
        scope: Booleans,
        question: Asked,
        meant: _Meant | None,
        threshold: float,
    ) -> Longs:
        """Facts about somebody else than is asked about stay below half, whatever they say: they
        are looked for only where so little is enough. Those that name him are found by words."""
        close = scope
        if question.people and not is_anybodys(question.people):
            close = scope & roll.about(question.people, or_anybody=True)
        scopes = [close] if close is scope or threshold > relevance.OTHER_PERSON else [close, scope]
        # Among the newest may be some that say nothing of what is asked, and have no vector yet.
        found = [roll.ids[np.flatnonzero(each)[-NEWEST:]] for each in scopes]
        if meant is not None:
            near, vector = meant.nearness, meant.vector
            near.sync()
            found = [newest[np.isnan(near.cosines(vector, newest))] for newest in found]
            found += [roll.ids[near.nearest(vector, roll, each, NEAREST)[0]] for each in scopes]
        found.append(self._by_words(roll, scope, question))
        if close is not scope:
            found.append(self._by_words(roll, close, question))
        return np.concatenate(found)

    def _by_words(self, roll: Roll, scope: Booleans, question: Asked) -> Longs:
        self._lexicon.sync()
        catalogue = self._lexicon.catalogue
        places = self._places(roll, catalogue)[scope]
        within = np.zeros(len(catalogue.ids), np.bool_)
        within[places[places >= 0]] = True
        terms = question_terms(question.text[: relevance.READ])
        scores = self._lexicon.scores(terms, within, BY_WORDS)
        return catalogue.ids[scores.places[scores.own > 0]]

    def _places(self, roll: Roll, catalogue: Catalogue) -> Integers:
        known = self._placing
        if (
            known is None
            or known.catalogue_ids is not catalogue.ids
            or known.claim_ids is not roll.ids
        ):
            known = _Placing(catalogue.ids, roll.ids, catalogue.places(roll.ids))
            self._placing = known
        return known.places

    def _judged(
        self, question: Asked, roll: Roll, ids: Sequence[int], cosines: Sequence[float]
    ) -> Iterable[tuple[Answering, float]]:
        by_id = dict(zip(ids, cosines, strict=True))
        for fact in read(self._store, ids):
            memory, claim = fact.memory, fact.claimed.claim
            if not fact.claimed.is_live:
                continue  # retired since the roll was taken
            cosine = by_id[memory.id]
            if math.isnan(cosine):
                cosine = relevance.matter_by_words(
                    question, memory.text, claim.category, memory.tags
                )
            score = relevance.relevance(
                relevance.signals(
                    question,
                    cosine,
                    content=memory.text,
                    subject=claim.subject,
                    category=claim.category,
                    tags=memory.tags,
                    subjects=roll.names,
                )
            )
            yield (
                Answering(memory=memory, claimed=fact.claimed, score=round(score, DIGITS)),
                cosine,
            )

    def _meant(self, matter: str) -> _Meant | None:
        meaning = self._meaning()
        if meaning is None:
            return None
        vector = self._remembered(meaning.embedder, matter)
        return None if vector is None else _Meant(vector, meaning.nearness)

    def _remembered(self, embedder: Embedder, matter: str) -> Floats | None:
        """A vector for each matter once; None when the model fails."""
        key = (embedder.name, matter)
        with self._remembering:
            if key in self._vectors:
                self._vectors.move_to_end(key)
                return self._vectors[key]
        try:
            vector: Floats = embedder.embed([matter])[0]
        except RecollectError as error:
            log.warning("searched by words only: %s", error)
            return None
        with self._remembering:
            self._vectors[key] = vector
            while len(self._vectors) > QUESTIONS_REMEMBERED:
                self._vectors.popitem(last=False)
        return vector
