"""The measures, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from benchmarks.retrieval.corpus import Corpus, Item, Question
from benchmarks.retrieval.measure import (
    Figures,
    by_group,
    figures,
    mean,
    ndcg,
    recall,
    reciprocal_rank,
    sessions_of,
)

SECOND = 1 / math.log2(3)  # what a place is worth in nDCG; the first is worth 1
THIRD = 1 / math.log2(4)

RANKINGS = [
    # ranked    gold   k  recall  1/rank  nDCG                          because
    ("abcd", "a", 2, 1.0, 1.0, 1.0, "the best answer is first"),
    ("abcd", "b", 2, 1.0, 0.5, SECOND, "the second place is worth less"),
    ("abcd", "c", 2, 0.0, 1 / 3, 0.0, "beyond k there is no recall, but a rank"),
    ("abcd", "ac", 3, 1.0, 1.0, (1 + THIRD) / (1 + SECOND), "two of two, one of them late"),
    ("abcd", "az", 3, 0.5, 1.0, 1 / (1 + SECOND), "one of two"),
    ("abcd", "abc", 2, 2 / 3, 1.0, 1.0, "more gold than k: the best order gains no more"),
    ("abcd", "z", 4, 0.0, 0.0, 0.0, "nothing found"),
    ("", "a", 4, 0.0, 0.0, 0.0, "nothing answered"),
]


@pytest.mark.parametrize(
    ("ranked", "gold", "k", "recalled", "rank", "gain", "because"),
    RANKINGS,
    ids=[row[-1] for row in RANKINGS],
)
def test_a_ranking_is_worth(
    ranked: str, gold: str, k: int, recalled: float, rank: float, gain: float, because: str
) -> None:
    right = frozenset(gold)
    measured = (
        recall(ranked, right, k),
        reciprocal_rank(ranked, right),
        ndcg(ranked, right, k),
    )
    assert measured == pytest.approx((recalled, rank, gain)), because


def test_an_item_that_is_named_twice_takes_one_place() -> None:
    found = figures(["a", "a", "a", "a", "a", "b"], frozenset("b"))
    assert found == Figures(1.0, 1.0, 1.0, 1.0, 0.5, pytest.approx(SECOND))  # type: ignore[arg-type]


def test_every_question_counts_the_same() -> None:
    means = mean([figures(["a"], frozenset("a")), figures(["b", "a"], frozenset("abcd"))])
    assert (means.recall_10, means.hit_5, means.mrr) == pytest.approx((0.75, 1.0, 1.0))


def test_a_session_is_at_the_place_of_its_best_item() -> None:
    session_of = {"1a": "1", "2a": "2", "1b": "1", "3a": "3"}
    assert sessions_of(["2a", "1b", "2a", "1a", "x", "3a"], session_of) == ["2", "1", "3"]


def test_groups_are_categories_and_the_means_that_the_set_reports() -> None:
    questions = [
        Question(id=name, text=name, category=name, gold=frozenset("a"), scope=None)
        for name in ("one", "two", "other")
    ]
    groups = {"both": frozenset({"one", "two"}), "all": None}
    corpus = Corpus(name="c", items=[Item(id="a", text="")], questions=questions, groups=groups)
    ranked = {"one": ["a"], "two": ["b"], "other": ["b"]}
    measured = [(each, figures(ranked[each.id], each.gold)) for each in questions]
    found = {name: (count, one.mrr) for name, (count, one) in by_group(corpus, measured).items()}
    assert found == {
        "one": (1, 1.0),
        "two": (1, 0.0),
        "other": (1, 0.0),
        "both": (2, 0.5),
        "all": (3, pytest.approx(1 / 3)),
    }
