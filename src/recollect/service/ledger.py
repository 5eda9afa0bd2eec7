"""The ledger: answers that were given, kept so that they can be explained later.

Nothing here changes an answer or holds one up: when the store cannot be written just now, the
answer is given all the same, and only its entry is missing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from recollect.model.answer import Answer, Told
from recollect.model.errors import AnswerNotFound, StoreError
from recollect.model.memory import Kind
from recollect.model.question import Dropped, Found, Hit, Question
from recollect.privacy.clean import Rules, clean_text
from recollect.search.profile import RankingProfile
from recollect.store.port.ledger import Entry
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

GIST = 160
"""Characters of a memory that an answer shows."""
LONGEST_QUESTION = 2_000
"""Characters of a question that are kept: a thousand answers must not become a second store."""


def answer_of(question: Question, profile: RankingProfile, found: Found) -> Answer:
    """What was found, in the form in which it is told and kept."""
    return Answer(
        id=found.query_id,
        asked_at=found.asked_at,
        question=replace(question, text=question.text[:LONGEST_QUESTION]),
        profile=profile.name,
        model=found.model,
        problem=found.problem,
        terms=found.terms,
        hits=tuple(_told(hit) for hit in found.hits),
        dropped=found.dropped,
    )


def cleaned(answer: Answer, rules: Rules) -> Answer:
    """The answer as it may be kept: people and agents ask with secrets in their questions too."""
    text, _ = clean_text(answer.question.text, rules)
    if text == answer.question.text:
        return answer
    said = text.lower()

    def public(terms: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(term for term in terms if term in said)

    return replace(
        answer,
        question=replace(answer.question, text=text),
        terms=public(answer.terms),
        hits=tuple(replace(hit, terms=public(hit.terms)) for hit in answer.hits),
    )


def keep(store: Store, answer: Answer, *, most: int) -> None:
    """Keep it in place of an earlier one to the same question; only the newest `most` stay."""
    entry = Entry(
        id=answer.id,
        asked_at=answer.asked_at,
        question=_question(answer.question),
        answer=_rest(answer),
        ids=tuple(hit.id for hit in answer.hits),
    )
    try:
        with store.transaction(is_lasting=False):
            store.ledger.keep(entry, most=most)
    except StoreError as error:
        log.warning("answer %s is not in the ledger: %s", answer.id, error)


def read(store: Store, query_id: str) -> Answer:
    """The answer as it was given then."""
    entry = store.ledger.find(query_id)
    if entry is None:
        raise AnswerNotFound(f"there is no answer {query_id}", id=query_id)
    return _answer(entry)


def newest(store: Store, limit: int) -> list[Answer]:
    return [_answer(entry) for entry in store.ledger.newest(limit)]


def _told(hit: Hit) -> Told:
    memory = hit.memory
    return Told(
        id=memory.id,
        rank=hit.rank,
        total=hit.total,
        components=hit.components,
        terms=hit.terms,
        kind=memory.kind.value,
        type=memory.type,
        project=memory.project,
        session_id=memory.session_id,
        created_at=memory.created_at,
        title=memory.title and memory.title[:GIST],
        gist=" ".join(memory.text[: 4 * GIST].split())[:GIST],
    )


def _question(question: Question) -> dict[str, object]:
    """As JSON. `project` and `session_id` are what a purge looks for."""
    listed = {
        name: sorted(values)
        for name, values in (("kinds", question.kinds), ("types", question.types))
        if values is not None
    }
    return asdict(question) | {"kinds": None, "types": None} | listed


def _rest(answer: Answer) -> dict[str, object]:
    return {
        "profile": answer.profile,
        "model": answer.model,
        "problem": answer.problem,
        "terms": answer.terms,
        "hits": [_fields(hit) for hit in answer.hits],
        "dropped": [_fields(each) for each in answer.dropped],
    }


def _fields(each: Told | Dropped) -> dict[str, object]:
    # Nothing in them changes: the copies that asdict makes were a tenth of a whole search.
    return {name: getattr(each, name) for name in each.__slots__}


def _answer(entry: Entry) -> Answer:
    rest: Mapping[str, Any] = entry.answer
    return Answer(
        id=entry.id,
        asked_at=entry.asked_at,
        question=_asked(entry.question),
        profile=rest["profile"],
        model=rest["model"],
        problem=rest["problem"],
        terms=tuple(rest["terms"]),
        hits=tuple(Told(**{**hit, "terms": tuple(hit["terms"])}) for hit in rest["hits"]),
        dropped=tuple(Dropped(**each) for each in rest["dropped"]),
    )


def _asked(question: Mapping[str, Any]) -> Question:
    kinds, types = question["kinds"], question["types"]
    return Question(
        **{
            **question,
            "kinds": None if kinds is None else frozenset(map(Kind, kinds)),
            "types": None if types is None else frozenset(types),
            "ids": tuple(question["ids"]),
        }
    )
