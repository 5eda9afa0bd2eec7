"""From what speaks for a memory to what it adds. Expectations are made of the constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.search import fuse
from recollect.search.fuse import Candidates, Numbers, contributions
from recollect.search.profile import ABOUT_THE_QUESTION, BY_VECTORS, WEIGHTS, Signal

NAN = float("nan")
FULL = dict.fromkeys(ABOUT_THE_QUESTION, 1.0)


def candidates(count: int, **columns: Any) -> Candidates:
    """Memories that nothing speaks for, but for the columns given."""
    nothing: dict[str, Any] = {
        "words": np.zeros(count),
        "window": np.zeros(count),
        "cosines": None,
        "has_neighbour": np.zeros(count, np.bool_),
        "cosines_before": np.full(count, NAN),
        "session": np.full(count, -1),
        "lengths": np.zeros(count),
        "is_speaker": np.zeros(count, np.bool_),
        "says_when": np.zeros(count, np.bool_),
    }
    given_ = {
        name: None if column is None else np.array(column) for name, column in columns.items()
    }
    return Candidates(**{**nothing, **given_})


def added(count: int, **columns: Any) -> dict[Signal, Numbers]:
    return contributions(candidates(count, **columns), FULL)


def test_nothing_adds_nothing() -> None:
    assert {signal: column.tolist() for signal, column in added(2).items()} == {
        signal: [0.0, 0.0] for signal in ABOUT_THE_QUESTION if signal not in BY_VECTORS
    }


ALONE = [
    # columns                                         signal            adds
    ({"words": [1.0, 0.5]}, Signal.WORDS, [1.0, 0.5]),
    ({"window": [1.0, 0.5]}, Signal.WINDOW, [fuse.ALONE, fuse.ALONE / 2]),
    ({"window": [1.0, 0.5], "has_neighbour": [True, True]}, Signal.WINDOW, [1.0, 0.5]),
    ({"lengths": [fuse.SUBSTANTIAL, 0]}, Signal.SUBSTANCE, [1 - np.exp(-1), 0.0]),
]


@pytest.mark.parametrize(("columns", "signal", "adds"), ALONE)
def test_each_signal_by_itself(columns: dict[str, Any], signal: Signal, adds: list[float]) -> None:
    assert added(2, **columns)[signal] == pytest.approx(adds)


ONE_OF_TWO = [
    ({"is_speaker": [True, False]}, Signal.SPEAKER),
    ({"says_when": [True, False]}, Signal.TIME),
    ({"cosines": [0.5, 0.5], "cosines_before": [0.9, 0.1]}, Signal.ANSWER),
    ({"cosines": [0.5, 0.5], "cosines_before": [0.9, NAN]}, Signal.ANSWER),
]


@pytest.mark.parametrize(("columns", "signal"), ONE_OF_TWO)
def test_a_signal_adds_to_whom_it_speaks_for(columns: dict[str, Any], signal: Signal) -> None:
    first, second = added(2, **columns)[signal]
    assert first > 0 == second


@pytest.mark.parametrize("signal", [Signal.WORDS, Signal.SPEAKER, Signal.TIME, Signal.SUBSTANCE])
def test_what_a_signal_adds_goes_with_its_weight(signal: Signal) -> None:
    strong = {
        "words": [1.0, 0.2],
        "is_speaker": [True, False],
        "says_when": [True, False],
        "lengths": [9.0, 1.0],
    }
    weights = {**FULL, signal: 3.0}

    assert contributions(candidates(2, **strong), weights)[signal] == pytest.approx(
        3.0 * added(2, **strong)[signal]
    )


def test_meaning_is_told_only_where_there_is_a_vector() -> None:
    assert not set(BY_VECTORS) & added(2).keys(), "without vectors nothing is said of them"

    found = added(3, cosines=[0.9, NAN, 0.1])[Signal.MEANING]

    assert np.isnan(found).tolist() == [False, True, False]
    assert found[0] > 0 > found[2]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_candidates_give_sane_numbers(count: int) -> None:
    """One candidate has no spread of its own, and equal ones have none either."""
    for cosine in (-1.0, 0.0, 0.15, 0.5, 1.0):
        found = added(count, cosines=[cosine] * count)[Signal.MEANING]
        assert np.isfinite(found).all()
        assert np.abs(found).max() < 10 * fuse.MEANING_UNIT
        assert len(set(found.tolist())) == 1
    near, far = (added(1, cosines=[cosine])[Signal.MEANING][0] for cosine in (0.8, 0.1))
    assert near > 0 > far, "what is near is near even when nothing else is there"


def test_among_many_the_mean_is_their_own() -> None:
    cosines = np.linspace(0.3, 0.7, 5_001)

    found = fuse.standard(cosines)

    ordinary = found[np.abs(found) < fuse.OUTSTANDING * fuse.MEANING_UNIT]
    assert found[2_500] == pytest.approx(0.0, abs=0.01)
    assert ordinary.max() > fuse.MEANING_UNIT


COSINES = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1, 1))


@given(COSINES)
def test_who_is_nearer_never_gets_less(cosines: Numbers) -> None:
    found = fuse.standard(cosines)
    order = np.argsort(cosines, kind="stable")
    assert np.all(np.diff(found[order]) >= -1e-12)


@given(COSINES, st.integers(0, 29))
def test_a_memory_without_a_vector_changes_nothing_for_the_others(
    cosines: Numbers, where: int
) -> None:
    where = min(where, len(cosines))
    with_one = fuse.standard(np.insert(cosines, where, NAN))
    assert np.isnan(with_one[where])
    assert np.delete(with_one, where) == pytest.approx(fuse.standard(cosines))


def test_what_stands_out_counts_more_than_in_proportion() -> None:
    cosines = np.append(np.tile([0.1, 0.2], 500), [0.9])
    far = (cosines[-1] - cosines[:-1].mean()) / cosines[:-1].std()

    assert fuse.standard(cosines)[-1] > 1.2 * fuse.MEANING_UNIT * min(far, fuse.OUTSTANDING)


def test_a_session_with_several_good_memories_beats_one_with_one() -> None:
    scores = np.array([4.0, 4.0, 4.0, 4.0, 0.0, 0.0])
    found = fuse.of_session(scores, np.array([5, 5, 5, 6, -1, -1]))

    assert found[0] == found[2] > found[3] > 0
    assert found[5] == found[4] == 0, "what has no session gets nothing"


def by_hand(scores: list[float], sessions: list[int], place: int, best: int) -> float:
    if sessions[place] < 0:
        return 0.0
    mean = sum(scores) / len(scores)
    same = [
        score - mean
        for score, session in zip(scores, sessions, strict=True)
        if session == sessions[place]
    ]
    return sum(sorted(same)[-best:]) / best


@given(
    arrays(np.float64, 20, elements=st.floats(-5, 5)),
    arrays(np.int64, 20, elements=st.integers(-1, 4)),
)
def test_sessions_are_those_of_a_plain_reckoning(scores: Numbers, sessions: fuse.Places) -> None:
    expected = [
        by_hand(scores.tolist(), sessions.tolist(), place, fuse.BEST_OF_A_SESSION)
        for place in range(20)
    ]
    assert fuse.of_session(scores, sessions) == pytest.approx(expected, abs=1e-9)


def test_windows_are_trusted_as_far_as_memories_have_neighbours() -> None:
    trusts = [
        fuse.trust_in_windows(candidates(10, has_neighbour=[True] * count + [False] * (10 - count)))
        for count in range(11)
    ]
    assert trusts == sorted(trusts)
    assert trusts[0] == pytest.approx(fuse.ALONE)
    assert trusts[-1] == pytest.approx(1.0)
    assert fuse.trust_in_windows(candidates(0)) == pytest.approx(fuse.ALONE)


def test_no_candidates_are_no_problem() -> None:
    for cosines in (None, np.empty(0)):
        assert all(len(column) == 0 for column in added(0, cosines=cosines).values())


@given(arrays(np.float64, (3, 6), elements=st.floats(-9, 9) | st.just(NAN)))
def test_together_is_the_sum_of_what_is_known(columns: Numbers) -> None:
    named = dict(zip((Signal.WORDS, Signal.MEANING, Signal.TIME), columns, strict=True))
    assert fuse.sum_of(named, 6) == pytest.approx(np.nansum(columns, axis=0), abs=1e-9)


def test_the_session_hears_all_that_is_about_the_memory_itself() -> None:
    """The speaker and the time are about one memory, and say nothing about its session."""
    session = [3, 3, -1]
    plain = added(3, session=session, words=[0.0, 1.0, 0.0])
    spoken = added(3, session=session, words=[0.0, 1.0, 0.0], is_speaker=[True, False, True])

    assert plain[Signal.SESSION][0] > 0
    assert spoken[Signal.SESSION] == pytest.approx(plain[Signal.SESSION])


def test_the_weights_are_of_every_signal() -> None:
    assert contributions(candidates(1, cosines=[0.2]), WEIGHTS).keys() == set(ABOUT_THE_QUESTION)
