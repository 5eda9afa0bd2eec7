"""Browse: memories page by page, by a question, by what they are, or by both.

A question is answered by `find`, as everywhere. What is outdated takes no part in that, so there
words alone are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.model.memory import Memory
from recollect.model.question import Hit, Question
from recollect.search.profile import DEFAULT
from recollect.store.port.browsing import Place, Wanted
from recollect.store.port.store import Store

if TYPE_CHECKING:  # numpy, which a look without a question does without
    from recollect.service.find import Finder

HYBRID, BY_WORDS, LIST = "hybrid", "lexical-only", "list"
DEEPEST = 2_000
"""Answers to one question; nobody reads further."""
DEEP = 10_000
"""Candidates for whoever does read so far."""
MOST_KEPT = 200
"""Ids that an answer in the ledger may be limited to."""


@dataclass(frozen=True, slots=True)
class Row:
    """`total` and `components` are None where nothing was asked, or words alone."""

    memory: Memory
    total: float | None = None
    components: Mapping[str, float | None] | None = None
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    rows: tuple[Row, ...]
    mode: str
    next: Place | int | None = None
    """Where the next page begins: behind a place in time, or at a rank."""
    total: int | None = None
    """How many there are; told with the first page of what can be counted."""
    query_id: str | None = None
    problem: str | None = None


def listed(store: Store, wanted: Wanted, *, after: Place | None, limit: int) -> Page:
    """Newest first."""
    with store.reading():
        found = store.browsing.page(wanted, after=after, limit=limit + 1)
        total = store.browsing.count(wanted) if after is None else None
    shown = found[:limit]
    behind = Place(shown[-1].created_at, shown[-1].id) if len(found) > limit else None
    return Page(rows=tuple(map(Row, shown)), mode=LIST, next=behind, total=total)


def asked(
    store: Store,
    finder: Callable[[], Finder],
    text: str,
    wanted: Wanted,
    *,
    offset: int,
    limit: int,
) -> Page:
    """Best first."""
    limit = min(limit, max(DEEPEST - offset, 0))
    if not limit:
        return Page(rows=(), mode=BY_WORDS)
    if wanted.is_retired is not False:
        return _by_words(store, text, wanted, offset=offset, limit=limit)
    ids: tuple[int, ...] = ()
    if wanted.file is not None or wanted.origins or wanted.is_pinned is not None:
        ids = tuple(store.browsing.ids(wanted))
        if not ids:
            return Page(rows=(), mode=BY_WORDS, total=0)
    question = Question(
        text=text,
        project=wanted.project,
        kinds=wanted.kinds,
        types=wanted.types or None,
        since=wanted.since,
        until=wanted.until,
        limit=offset + limit + 1,
        ids=ids,
    )
    is_deep = question.limit > DEFAULT.candidates
    profile = replace(DEFAULT, candidates=DEEP) if is_deep else DEFAULT
    found = finder().find(question, profile, is_kept=offset == 0 and len(ids) <= MOST_KEPT)
    end = offset + limit
    return Page(
        rows=tuple(map(_row, found.hits[offset:end])),
        mode=HYBRID if found.used_vectors else BY_WORDS,
        next=end if len(found.hits) > end and end < DEEPEST else None,
        query_id=found.query_id,
        problem=found.problem,
    )


def _by_words(store: Store, text: str, wanted: Wanted, *, offset: int, limit: int) -> Page:
    from recollect.search.explain import asked_words, matched  # numpy, as above

    words = asked_words(text)
    found = store.browsing.with_words(list(words), wanted, limit=limit + 1, offset=offset)
    end = offset + limit
    return Page(
        rows=tuple(Row(each, terms=matched(words, each)) for each in found[:limit]),
        mode=BY_WORDS,
        next=end if len(found) > limit and end < DEEPEST else None,
    )


def _row(hit: Hit) -> Row:
    return Row(hit.memory, hit.total, hit.components, hit.terms)
