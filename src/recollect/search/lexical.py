"""How well words match: BM25 of a memory, and of it together with its neighbours.

Both views come from the same postings. In the view of the window a term is as often in a memory as
in the memory, the one before and the one after it in their session together, and so with lengths.
How many windows hold a term is not counted but reckoned, as if memories with the term lay about at
random: n·(1 - (1 - df/n)^w), with w the mean size of a window. Counting would cost a pass over the
store for each common term, and it only moves the weights of terms against each other a little.

Scores of what is found are exact. Which memories are looked at is bounded above `EXACT` places:
the rarest terms bring the candidates, and the common ones only add to the scores of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recollect.search.catalogue import NONE, Booleans, Catalogue, Integers

K1 = 1.2
B = 0.75

EXACT = 20_000
"""Up to so many places everything that holds one of the terms is looked at."""
BUDGET = 8_000
"""Above that: so many postings make the candidates."""
DENSE = 16
"""A term in more than every sixteenth place is kept as a count for each place."""

Floats = NDArray[np.float32]
Counts = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """Where a term is: `places`, ascending, with `counts`; or `dense`, a count for each place.

    `dense` is longer than the catalogue and its last count is 0, so that place -1 counts nothing.
    """

    df: int
    places: Integers
    counts: Counts
    dense: Counts | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """0 where nothing matches."""

    places: Integers
    own: Floats
    window: Floats
    own_at_best: float = 0.0
    """More than any memory can score with these terms, those included that no memory holds."""
    window_at_best: float = 0.0


def ranked(
    catalogue: Catalogue,
    terms: Sequence[Term],
    scope: Booleans | None,
    most: int,
    *,
    exact: int = EXACT,
    budget: int = BUDGET,
) -> WordScores:
    """The `most` best by their own words and the `most` best by their windows; by place."""
    held = sorted((term for term in terms if term.df), key=lambda term: term.df)
    if not held or most < 1:
        return scored(catalogue, terms, np.empty(0, np.int32))
    candidates = _candidates(catalogue, held, scope, most, exact=exact, budget=budget)
    found = scored(catalogue, terms, candidates)
    best = np.union1d(_best(found.own, most), _best(found.window, most))
    return replace(found, places=found.places[best], own=found.own[best], window=found.window[best])


def scored(catalogue: Catalogue, terms: Sequence[Term], places: Integers) -> WordScores:
    """The scores at these places, in their order."""
    own = np.zeros(len(places), np.float32)
    window = np.zeros(len(places), np.float32)
    totals = catalogue.totals
    if not totals.count:
        return WordScores(places, own, window)
    before, after = catalogue.before[places], catalogue.after[places]
    lengths = catalogue.lengths[places].astype(np.float32)
    own_norm = _norm(lengths, totals.length / totals.count)
    around = lengths + _length_at(catalogue, before) + _length_at(catalogue, after)
    window_norm = _norm(around, totals.window_length / totals.count)
    size = 1 + 2 * totals.links / totals.count
    scratch = np.zeros(len(catalogue) + 1, np.uint8)
    own_at_best = window_at_best = 0.0
    for term in terms:
        reckoned = totals.count * (1 - (1 - term.df / totals.count) ** size)
        of_own = _weight(term.df, totals.count) * (K1 + 1)
        of_window = _weight(reckoned, totals.count) * (K1 + 1)
        own_at_best += of_own
        window_at_best += of_window
        if not term.df or not len(places):
            continue
        counts = scratch if term.dense is None else term.dense
        if term.dense is None:
            scratch[term.places] = term.counts
        here = counts[places].astype(np.float32)
        near = here + counts[before] + counts[after]
        if term.dense is None:
            scratch[term.places] = 0
        own += here * np.float32(of_own) / (here + own_norm)
        window += near * np.float32(of_window) / (near + window_norm)
    return WordScores(places, own, window, own_at_best, window_at_best)


def _weight(df: float, count: int) -> float:
    return float(np.log1p((count - df + 0.5) / (df + 0.5)))


def _norm(lengths: Floats, mean: float) -> Floats:
    return np.float32(K1 * (1 - B)) + lengths * np.float32(K1 * B / max(mean, 1e-9))


def _length_at(catalogue: Catalogue, places: Integers) -> Floats:
    lengths = catalogue.lengths[places].astype(np.float32)
    lengths[places == NONE] = 0
    return lengths


def _candidates(
    catalogue: Catalogue,
    terms: Sequence[Term],
    scope: Booleans | None,
    most: int,
    *,
    exact: int,
    budget: int,
) -> Integers:
    """Ascending; all within scope. Terms are given rarest first."""
    size = len(catalogue)
    within = None if scope is None else _fitted(scope, size)
    if within is not None and np.count_nonzero(within) <= budget:
        return np.flatnonzero(within & catalogue.is_live).astype(np.int32)
    is_wanted = np.zeros(size, np.bool_)
    left = size * len(terms) if size <= exact else budget
    rest = list(terms)
    while rest:
        places = _places_of(rest[0], size, within, left)
        if places is None:
            break
        left -= len(places) if within is None else int(np.count_nonzero(within[places]))
        is_wanted[places] = True
        rest.pop(0)
    if rest and np.count_nonzero(is_wanted) < 4 * most:
        is_wanted[_promising(catalogue, rest, within, budget)] = True
    own = np.flatnonzero(is_wanted)
    for neighbours in (catalogue.before[own], catalogue.after[own]):
        is_wanted[neighbours[neighbours != NONE]] = True
    if within is not None:
        is_wanted &= within
    return np.flatnonzero(is_wanted).astype(np.int32)


def _fitted(scope: Booleans, size: int) -> Booleans:
    """A scope may have been drawn before the catalogue grew."""
    if len(scope) == size:
        return scope
    fitted = np.zeros(size, np.bool_)
    fitted[: len(scope)] = scope[:size]
    return fitted


def _places_of(
    term: Term, size: int, within: Booleans | None, left: int
) -> NDArray[np.signedinteger] | None:
    """None when there are more of them, within scope, than are left to be looked at.

    Places outside of the scope are among them, as long as they are few: their neighbours may be
    within.
    """
    if within is None and term.df > left:
        return None
    places: NDArray[np.signedinteger] = (
        term.places if term.dense is None else np.flatnonzero(term.dense[:size])
    )
    if within is None:
        return places
    inside = places[within[places]]
    if len(inside) > left:
        return None
    return places if len(places) <= 8 * left else inside


def _promising(
    catalogue: Catalogue, terms: Sequence[Term], within: Booleans | None, budget: int
) -> NDArray[np.intp]:
    """Where only common terms are left: the places that hold most of their weight, then the short.

    Weights are small whole numbers, so that a pass over all places costs next to nothing.
    """
    size, count = len(catalogue), catalogue.totals.count
    weights = np.array([_weight(term.df, count) for term in terms])
    shares = np.maximum((weights / weights.sum() * 255).astype(np.uint8), 1)
    sums = np.zeros(size, np.uint8)
    for term, share in zip(terms, shares, strict=True):
        if term.dense is None:
            sums[term.places] += share
        else:
            sums += (term.dense[:size] != 0).view(np.uint8) * share
    if within is not None:
        sums *= within.view(np.uint8)
    lowest = 255
    while lowest > 1 and np.count_nonzero(sums >= lowest) < budget:
        lowest -= 8
    lowest = max(lowest, 1)
    found = np.flatnonzero(sums >= lowest)
    if len(found) <= 2 * budget:
        return found
    # The sums first, in steps as fine as they were counted; among equals, short memories.
    value = sums[found].astype(np.float32) - np.minimum(catalogue.lengths[found], 999) / 1000
    return found[np.argpartition(value, len(found) - budget)[-budget:]]


def _best(scores: Floats, most: int) -> NDArray[np.intp]:
    """Where the best are; among equals the later ones, which are the newer memories."""
    found = np.flatnonzero(scores > 0)
    if len(found) <= most:
        return found
    positive = scores[found]
    least = np.partition(positive, len(positive) - most)[len(positive) - most]
    above = found[positive > least]
    equal = found[positive == least]
    return np.concatenate([above, equal[len(equal) - (most - len(above)) :]])
