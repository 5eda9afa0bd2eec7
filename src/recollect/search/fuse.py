"""From what speaks for each candidate to one number: pure arithmetic over columns.

Words count by the share of what they could give at best, meaning by its distance from the
candidates' mean in their own spread; so a few candidates give sane numbers as well as many.
Where words and meaning disagree, the one that is surer wins: what stands out by its meaning counts
more than in proportion, and the window counts less where memories have no neighbours.
Why the numbers are what they are is told in docs/adr/0013-fusion.md.
Where the numbers come from is `service.find`; how they are told is `search.explain`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.search.profile import Signal

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

BEST_OF_A_SESSION = 3
"""So many of its memories say how well a session answers."""

# What a model's cosines are like before any were seen: with few candidates this keeps the numbers
# from meaning nothing (one candidate has no spread), with a hundred it is not felt any more.
_EXPECTED_MEAN, _EXPECTED_SPREAD, _EXPECTED_COUNT = 0.15, 0.1, 10
MEANING_UNIT = 0.1
"""One standard deviation of meaning, measured in whole shares of words."""
OUTSTANDING, EXTRA = 1.5, 0.3
"""Beyond so many standard deviations each counts by so much more."""
NEAR = 1.0
"""So many of them above the mean, a memory has something to do with the question."""
ALONE = 0.45
"""What is left of the window where it is the memory itself, and would only say its words again."""
SUBSTANTIAL = 12.0
"""Terms that give 1 - 1/e of being substantial."""

_EXPECTED_SCORES = 0.2
"""How far the scores of a few candidates are taken to differ; as many as are expected above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What competes: a row for each candidate in every column."""

    words: Numbers
    """BM25 of the memory alone, as a share of what these words could give at best."""
    window: Numbers
    """The same for the memory with its neighbours."""
    cosines: Numbers | None
    """NaN for a memory that has no vector; None when vectors take no part at all."""
    has_neighbour: NDArray[np.bool_]
    """There is a memory before it in its session."""
    cosines_before: Numbers
    """Of that memory; NaN for none."""
    session: Places
    """Which session; -1 for none."""
    lengths: Numbers
    """How many terms each has."""
    is_speaker: NDArray[np.bool_]
    """The question names the one who said it."""
    says_when: NDArray[np.bool_]
    """The question asks when, and it says so."""


def contributions(found: Candidates, weights: Mapping[Signal, float]) -> dict[Signal, Numbers]:
    """What each signal about the question adds for each candidate. NaN: nothing can be said."""
    added: dict[Signal, Numbers] = {}
    added[Signal.WORDS] = weights[Signal.WORDS] * found.words
    added[Signal.WINDOW] = weights[Signal.WINDOW] * trust_in_windows(found) * found.window
    if found.cosines is not None:
        far = _far(found.cosines, found.cosines)
        before = _far(found.cosines_before, found.cosines)
        added[Signal.MEANING] = weights[Signal.MEANING] * standing_out(far)
        added[Signal.ANSWER] = weights[Signal.ANSWER] * beyond(before)
    so_far = sum_of(added, len(found.words))
    added[Signal.SESSION] = weights[Signal.SESSION] * of_session(so_far, found.session)
    added[Signal.SUBSTANCE] = weights[Signal.SUBSTANCE] * substance(found.lengths)
    added[Signal.SPEAKER] = found.is_speaker.astype(np.float64) * (
        weights[Signal.SPEAKER] * spread(so_far)
    )
    added[Signal.TIME] = weights[Signal.TIME] * found.says_when.astype(np.float64)
    return added


def trust_in_windows(found: Candidates) -> float:
    """1 where memories have neighbours, as in a conversation."""
    share = float(found.has_neighbour.mean()) if len(found.has_neighbour) else 0.0
    return ALONE + (1.0 - ALONE) * min(1.2 * share, 1.0)  # each session begins without one


def substance(lengths: Numbers) -> Numbers:
    """Between 0 and 1: a memory of a few words says little."""
    result: Numbers = 1.0 - np.exp(-lengths / SUBSTANTIAL)
    return result


def sum_of(added: Mapping[Signal, Numbers], count: int) -> Numbers:
    """All of them together, for each candidate; what cannot be said counts nothing."""
    total = np.zeros(count)
    for each in added.values():
        total += np.nan_to_num(each, nan=0.0)
    return total


def standard(cosines: Numbers) -> Numbers:
    """What each cosine means among these: above their mean, in their spread. NaN stays NaN."""
    return standing_out(_far(cosines, cosines))


def standing_out(far: Numbers) -> Numbers:
    """In standard deviations, and more than that for what is far beyond the others."""
    result: Numbers = MEANING_UNIT * far * (1.0 + EXTRA * np.maximum(far - OUTSTANDING, 0.0))
    return result


def beyond(far: Numbers) -> Numbers:
    """How much nearer than what has little to do with the question; 0 for NaN."""
    result: Numbers = MEANING_UNIT * np.maximum(np.nan_to_num(far, nan=0.0) - NEAR, 0.0)
    return result


def spread(scores: Numbers) -> float:
    """The standard deviation of what was added so far: a preference is worth as much, or else it
    would decide where words say little, and change nothing where they say much."""
    count = len(scores) + _EXPECTED_COUNT
    squares = ((scores - scores.mean()) ** 2).sum() if len(scores) else 0.0
    return float(np.sqrt((squares + _EXPECTED_COUNT * _EXPECTED_SCORES**2) / count))


def _far(cosines: Numbers, among: Numbers) -> Numbers:
    """How many standard deviations above the mean of the candidates; 0 is neither nor."""
    known = among[~np.isnan(among)]
    count = len(known) + _EXPECTED_COUNT
    mean = (known.sum() + _EXPECTED_COUNT * _EXPECTED_MEAN) / count
    squares = ((known - mean) ** 2).sum() + _EXPECTED_COUNT * _EXPECTED_SPREAD**2
    far: Numbers = (cosines - mean) / np.sqrt(squares / count)
    return far


def of_session(scores: Numbers, session: Places) -> Numbers:
    """How far the best of its session are above the candidates' mean; 0 for what has no session.

    A session with fewer candidates is filled up with average ones: one good memory is not yet
    a session about the question.
    """
    result = np.zeros(len(scores))
    inside = np.flatnonzero(session >= 0)
    if not len(inside):
        return result
    above = scores[inside] - scores.mean()
    _, number = np.unique(session[inside], return_inverse=True)
    order = np.lexsort((-above, number))
    sorted_numbers = number[order]
    starts = np.flatnonzero(np.r_[True, np.diff(sorted_numbers) > 0])
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    best = order[rank < BEST_OF_A_SESSION]
    sums = np.bincount(number[best], weights=above[best], minlength=len(starts))
    result[inside] = (sums / BEST_OF_A_SESSION)[number]
    return result
