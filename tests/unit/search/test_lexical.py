"""Ranking by words, held against BM25 by the book."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.search import lexical
from recollect.search.catalogue import Booleans, Catalogue
from recollect.search.lexical import Term, WordScores, ranked, scored
from recollect.search.roll import Roll
from recollect.search.segment import Entry, columns_of
from recollect.search.terms import Tally

ALPHABET = "abcdef"


class Texts:
    """Some texts, each in a session or in none, as a catalogue with its terms."""

    def __init__(self, rows: list[tuple[str, str | None]], *, is_dense: bool = False) -> None:
        self.rows = rows
        self.is_dense = is_dense
        roll = Roll()
        entries = [
            Entry(
                id=number,
                created_at=number,
                project="p",
                session=session,
                speaker=None,
                type="t",
                kind="note",
                tally=Tally({term: text.count(term) for term in set(text)}, len(text), False),
            )
            for number, (text, session) in enumerate(rows, 1)
        ]
        roll.put(columns_of(entries, roll.names))
        self.catalogue: Catalogue = roll.catalogue()

    def term(self, letter: str) -> Term:
        counts = np.array([text.count(letter) for text, _ in self.rows], np.uint8)
        places = np.flatnonzero(counts).astype(np.int32)
        dense = np.append(counts, np.uint8(0)) if self.is_dense else None
        return Term(len(places), places, counts[places], dense)

    def terms(self, letters: str) -> list[Term]:
        return [self.term(letter) for letter in letters]

    def windows(self) -> list[str]:
        of_session: dict[str, list[int]] = {}
        for place, (_, session) in enumerate(self.rows):
            if session is not None:
                of_session.setdefault(session, []).append(place)
        found = [text for text, _ in self.rows]
        for places in of_session.values():
            for at, place in enumerate(places):
                near = places[max(at - 1, 0) : at + 2]
                found[place] = "".join(self.rows[each][0] for each in near)
        return found

    def by_the_book(self, letters: str) -> list[tuple[float, float]]:
        texts, windows = [text for text, _ in self.rows], self.windows()
        count = len(texts)
        size = sum(map(len_of_window, windows_of(self.rows))) / count
        scores = [(0.0, 0.0)] * count
        for letter in letters:
            df = sum(letter in text for text in texts)
            if df:
                near_df = count * (1 - (1 - df / count) ** size)
                own, near = bm25(letter, texts, df), bm25(letter, windows, near_df)
                scores = [(a + x, b + y) for (a, b), x, y in zip(scores, own, near, strict=True)]
        return scores


def windows_of(rows: list[tuple[str, str | None]]) -> list[list[int]]:
    found = []
    for place, (_, session) in enumerate(rows):
        same = [
            at for at, (_, other) in enumerate(rows) if session is not None and other == session
        ]
        here = same.index(place) if same else 0
        found.append(same[max(here - 1, 0) : here + 2] if same else [place])
    return found


def len_of_window(window: list[int]) -> int:
    return len(window)


def bm25(term: str, documents: list[str], df: float) -> list[float]:
    count = len(documents)
    mean = sum(map(len, documents)) / count
    idf = math.log(1 + (count - df + 0.5) / (df + 0.5))
    return [
        idf
        * tf
        * (lexical.K1 + 1)
        / (tf + lexical.K1 * (1 - lexical.B + lexical.B * length / mean))
        for tf, length in ((each.count(term), len(each)) for each in documents)
    ]


def told(found: WordScores) -> dict[int, tuple[float, float]]:
    pairs = zip(found.own.tolist(), found.window.tolist(), strict=True)
    return dict(zip(found.places.tolist(), pairs, strict=True))


ROWS = st.lists(
    st.tuples(st.text(ALPHABET, min_size=1, max_size=8), st.sampled_from(["s", "t", None])),
    min_size=1,
    max_size=30,
)
ASKED = st.lists(st.sampled_from(ALPHABET + "z"), min_size=1, max_size=4, unique=True).map("".join)


@given(ROWS, ASKED, st.booleans())
def test_scores_are_those_of_the_book(
    rows: list[tuple[str, str | None]], asked: str, is_dense: bool
) -> None:
    texts = Texts(rows, is_dense=is_dense)
    everywhere = np.arange(len(rows), dtype=np.int32)

    found = scored(texts.catalogue, texts.terms(asked), everywhere)

    for place, expected in enumerate(texts.by_the_book(asked)):
        assert told(found)[place] == pytest.approx(expected, abs=1e-4)
        assert found.own[place] < found.own_at_best
        assert found.window[place] < found.window_at_best


@given(ROWS, ASKED, st.lists(st.booleans(), min_size=30, max_size=30), st.integers(1, 8))
def test_below_the_bound_nothing_in_scope_is_missed(
    rows: list[tuple[str, str | None]], asked: str, drawn: list[bool], most: int
) -> None:
    texts = Texts(rows)
    scope = np.array(drawn[: len(rows)], np.bool_)
    every = texts.by_the_book(asked)

    found = told(ranked(texts.catalogue, texts.terms(asked), scope, most))

    assert all(scope[place] for place in found)
    for column in (0, 1):
        matching = [place for place in np.flatnonzero(scope).tolist() if every[place][column] > 0]
        # Of equals the later one, which is the newer memory.
        best = sorted(matching, key=lambda place: (-round(every[place][column], 4), -place))
        sure = [each for each in best[:most] if is_clear(each, best, every, column, most)]
        assert set(sure) <= found.keys()
    assert len(found) <= 2 * most


def is_clear(
    place: int, best: list[int], every: list[tuple[float, float]], column: int, most: int
) -> bool:
    """Not so near to the first one left out that single precision could swap them."""
    if len(best) <= most:
        return True
    return every[place][column] - every[best[most]][column] > 1e-4


@settings(max_examples=50)
@given(ROWS, ASKED, st.booleans(), st.booleans())
def test_looking_at_few_scores_those_as_looking_at_all(
    rows: list[tuple[str, str | None]], asked: str, is_dense: bool, is_scoped: bool
) -> None:
    texts = Texts(rows, is_dense=is_dense)
    scope = np.arange(len(rows)) % 2 == 0 if is_scoped else None
    everything = told(ranked(texts.catalogue, texts.terms(asked), scope, 100))

    few = told(ranked(texts.catalogue, texts.terms(asked), scope, 100, exact=0, budget=3))

    for place, scores in few.items():
        assert everything[place] == pytest.approx(scores, abs=1e-5), "whoever is found is not worse"
        assert scope is None or scope[place]


def test_above_the_bound_the_rarest_words_bring_the_candidates() -> None:
    rows: list[tuple[str, str | None]] = [("a" * (number % 7 + 1), None) for number in range(500)]
    rows[137] = ("ab", None)
    texts = Texts(rows)

    found = ranked(texts.catalogue, texts.terms("ab"), None, 5, exact=0, budget=20)

    assert found.places[np.argmax(found.own)] == 137
    assert len(found.places) >= 5, "and where they are too few, the common ones bring some more"


def test_a_neighbour_of_what_matches_is_found_by_its_window() -> None:
    texts = Texts([("a", "s"), ("b", "s"), ("c", "s"), ("c", None)])

    found = told(ranked(texts.catalogue, texts.terms("b"), None, 10))

    assert found.keys() == {0, 1, 2}
    assert found[0][0] == found[2][0] == 0.0 < found[0][1]


NOTHING: list[tuple[str, Booleans | None, int, str]] = [
    ("z", None, 5, "a word that nobody said"),
    ("", None, 5, "no word"),
    ("a", np.zeros(2, np.bool_), 5, "nothing in scope"),
    ("a", None, 0, "nothing wanted"),
]


@pytest.mark.parametrize(("asked", "scope", "most", "because"), NOTHING)
def test_nothing_is_found(asked: str, scope: Booleans | None, most: int, because: str) -> None:
    texts = Texts([("a", "s"), ("ab", "s")])

    assert len(ranked(texts.catalogue, texts.terms(asked), scope, most).places) == 0, because


def test_an_empty_catalogue_scores_nothing() -> None:
    found = ranked(
        Roll().catalogue(), [Term(0, np.empty(0, np.int32), np.empty(0, np.uint8))], None, 5
    )

    assert len(found.places) == 0


def test_a_scope_that_was_drawn_before_the_catalogue_grew_is_followed() -> None:
    texts = Texts([("a", None), ("a", None), ("a", None)])

    assert ranked(texts.catalogue, texts.terms("a"), np.ones(2, np.bool_), 5).places.tolist() == [
        0,
        1,
    ]


def test_a_word_in_nearly_every_text_still_counts_for_something() -> None:
    texts = Texts([("a", None)] * 10)

    assert (scored(texts.catalogue, texts.terms("a"), np.arange(10, dtype=np.int32)).own > 0).all()
