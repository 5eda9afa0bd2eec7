"""How good a ranking is: recall, reciprocal rank, nDCG; for one question, and as their means.

Every question counts the same. A ranking that names an item twice is judged without the second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean

from benchmarks.retrieval.corpus import Corpus, Question

DEPTH = 100
"""How many answers are asked for; the reciprocal rank of what is not among them is 0."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions, or the figures of one."""

    recall_5: float
    recall_10: float
    recall_20: float
    hit_5: float
    """1 when any of the gold is among the first five, however much of it there is."""
    mrr: float
    ndcg_10: float


def recall(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """The share of the gold that is among the first k."""
    return len(gold.intersection(ranked[:k])) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """1 / the place of the first gold item, from 1; 0 without one."""
    return next((1 / place for place, id_ in enumerate(ranked, 1) if id_ in gold), 0.0)


def ndcg(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """What the gold among the first k gains by its places, over what the best order would."""
    gained = sum(_discount(place) for place, id_ in enumerate(ranked[:k], 1) if id_ in gold)
    return gained / sum(_discount(place) for place in range(1, min(k, len(gold)) + 1))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)


def figures(ranked: Sequence[str], gold: frozenset[str]) -> Figures:
    ranked = list(dict.fromkeys(ranked))
    return Figures(
        recall_5=recall(ranked, gold, 5),
        recall_10=recall(ranked, gold, 10),
        recall_20=recall(ranked, gold, 20),
        hit_5=float(recall(ranked, gold, 5) > 0),
        mrr=reciprocal_rank(ranked, gold),
        ndcg_10=ndcg(ranked, gold, 10),
    )


def mean(measured: Iterable[Figures]) -> Figures:
    many = list(measured)
    return Figures(*(fmean(getattr(one, each.name) for one in many) for each in fields(Figures)))


def sessions_of(ranked: Iterable[str], session_of: Mapping[str, str]) -> list[str]:
    """The sessions of a ranking, each at its best item's place."""
    return list(dict.fromkeys(session_of[id_] for id_ in ranked if id_ in session_of))


def by_group(
    corpus: Corpus, measured: Sequence[tuple[Question, Figures]]
) -> dict[str, tuple[int, Figures]]:
    """For each category and each reported mean: how many questions, and their figures."""
    categories = sorted({question.category for question, _ in measured})
    wanted: dict[str, frozenset[str] | None] = {}
    if len(categories) > 1:
        wanted = {category: frozenset({category}) for category in categories}
    wanted |= corpus.groups
    found = {}
    for name, group in wanted.items():
        inside = [one for each, one in measured if group is None or each.category in group]
        if inside:
            found[name] = (len(inside), mean(inside))
    return found
