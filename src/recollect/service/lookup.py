"""Look up: memories on several shelves, by what they are, by a question, or by both.

A shelf is a sort of memory with its conditions. Each is answered on its own, so that many of one
sort never hide the few of another; relevance is on one scale, so the shelves can be laid together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from recollect.model.memory import Memory
from recollect.model.question import Found, Hit, Question
from recollect.search.profile import DEFAULT
from recollect.store.port.listings import Listing
from recollect.store.port.store import Store

if TYPE_CHECKING:  # numpy, which a look without a question does without
    from recollect.service.find import Finder

MOST_DATED = 200
"""The best answers that are put in order of time: by time alone, what hardly answers came first."""
DEEP = 10_000
"""No question has more answers; whoever wants the thousandth has everything compete."""
MOST_KEPT = 200
"""Ids that an answer in the ledger may be limited to."""


class Order(Enum):
    RELEVANCE = auto()
    """Without a question, newest first."""
    NEWEST = auto()
    OLDEST = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`limit` and `offset` count on each shelf."""

    text: str | None
    shelves: Mapping[str, Listing]
    order: Order
    limit: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """`score` is None where nothing was asked."""

    memory: Memory
    score: float | None = None
    has_words: bool = False
    """Whether the question's words are in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    rows: tuple[Row, ...] = ()
    near: Mapping[str, int] = field(default_factory=dict)
    """How many were near by meaning, by where their vectors were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    shelves: Mapping[str, Shelf]
    used_vectors: bool
    problem: str | None
    """Why vectors did not take part although they should have."""


def look_up(store: Store, finder: Callable[[], Finder], wanted: Wanted) -> Looked:
    if wanted.text is None:
        listed = {name: _listed(store, each, wanted) for name, each in wanted.shelves.items()}
        return Looked(shelves=listed, used_vectors=False, problem=None)
    shelves: dict[str, Shelf] = {}
    answers: list[Found] = []
    for name, listing in wanted.shelves.items():
        found = _asked(store, finder, wanted, listing, is_kept=not answers)
        shelves[name] = Shelf() if found is None else _shelf(found, wanted)
        answers += [] if found is None else [found]
    return Looked(
        shelves=shelves,
        used_vectors=any(found.used_vectors for found in answers),
        problem=next((found.problem for found in answers if found.problem), None),
    )


def _listed(store: Store, listing: Listing, wanted: Wanted) -> Shelf:
    memories = store.listings.page(
        listing,
        is_ascending=wanted.order is Order.OLDEST,
        limit=wanted.limit,
        offset=wanted.offset,
    )
    return Shelf(rows=tuple(Row(memory) for memory in memories))


def _asked(
    store: Store,
    finder: Callable[[], Finder],
    wanted: Wanted,
    listing: Listing,
    *,
    is_kept: bool,
) -> Found | None:
    """None when nothing is on the shelf, or nothing so far back."""
    assert wanted.text is not None
    ids: tuple[int, ...] = ()
    if listing.portrait_types or listing.concepts or listing.files:
        ids = tuple(store.listings.ids(listing))
        if not ids:
            return None
    most = wanted.offset + wanted.limit if wanted.order is Order.RELEVANCE else MOST_DATED
    if most > DEEP:
        return None
    question = Question(
        text=wanted.text,
        project=listing.project,
        kinds=listing.kinds,
        since=listing.since,
        until=listing.until,
        limit=most,
        ids=ids,
    )
    is_deep = most > DEFAULT.candidates
    profile = replace(DEFAULT, candidates=DEEP) if is_deep else DEFAULT
    return finder().find(question, profile, is_kept=is_kept and len(ids) <= MOST_KEPT)


def _shelf(found: Found, wanted: Wanted) -> Shelf:
    hits = found.hits
    if wanted.order is not Order.RELEVANCE:
        hits = tuple(hit for hit in hits if hit.terms) or hits
        is_backwards = wanted.order is Order.NEWEST
        hits = tuple(sorted(hits, key=_age, reverse=is_backwards))
    page = hits[wanted.offset : wanted.offset + wanted.limit]
    return Shelf(
        rows=tuple(Row(hit.memory, hit.total, bool(hit.terms)) for hit in page),
        near={place: len(ids) for place, ids in found.near.items()},
    )


def _age(hit: Hit) -> tuple[int, int]:
    return hit.memory.created_at, hit.memory.id
