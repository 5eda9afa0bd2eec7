"""The nearest vectors, held against the plain product, through any row of changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.search import nearest, signs
from recollect.search.halves import Booleans, Floats, Halves, Ids, dots, widened
from recollect.search.nearest import Nearest

DIMENSION = 70
"""No multiple of a word, so that the last word of signs is not full."""


def unit(rows: np.ndarray) -> Halves:
    halves: Halves = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float16)
    return halves


def vectors(count: int, seed: int = 0, dimension: int = DIMENSION) -> Halves:
    """Texts are alike in groups, and so are these."""
    dice = np.random.default_rng(seed)
    topics = dice.standard_normal((max(count // 20, 1), dimension))
    return unit(
        topics[dice.integers(len(topics), size=count)]
        + 0.8 * dice.standard_normal((count, dimension))
    )


def ids(*numbers: int) -> Ids:
    return np.array(numbers, dtype=np.int64)


def filled(count: int, exact: int = nearest.EXACT) -> tuple[Nearest, Halves]:
    index, rows = Nearest(DIMENSION, exact=exact), vectors(count)
    index.put(np.arange(1, count + 1), rows)
    return index, rows


def brute(known: dict[int, Halves], query: Floats, most: int) -> list[tuple[int, float]]:
    scored = [(id_, float(dots(widened(row[None, :]), query)[0])) for id_, row in known.items()]
    return sorted(scored, key=lambda pair: (-pair[1], -pair[0]))[:most]


def found(
    index: Nearest, query: Floats, allowed: Booleans | None, most: int
) -> list[tuple[int, float]]:
    rows, cosines = index.now.nearest(query, allowed, most)
    return list(zip(index.now.ids[rows].tolist(), cosines.tolist(), strict=True))


steps = st.lists(
    st.tuples(
        st.sampled_from(["put", "remove"]),
        st.lists(st.integers(0, 60), min_size=1, max_size=30, unique=True),
        st.integers(0, 10**6),
    ),
    max_size=12,
)


@pytest.mark.parametrize("exact", [10**6, 0], ids=["exact", "by signs"])
@given(steps=steps, scope=st.none() | st.sets(st.integers(0, 60)), most=st.integers(0, 40))
@example(steps=[("put", [0], 0), ("put", [1], 0), ("put", [0], 0)], scope=None, most=1)
@settings(max_examples=150, deadline=None)
def test_it_finds_what_the_plain_product_finds_after_any_changes(
    exact: int,
    steps: list[tuple[str, list[int], int]],
    scope: set[int] | None,
    most: int,
) -> None:
    index = Nearest(DIMENSION, exact=exact)
    known: dict[int, Halves] = {}
    smallest, nearest.SMALLEST = nearest.SMALLEST, 8  # so that small ones are compacted too
    few, nearest.FEW = nearest.FEW, 4
    try:
        for what, numbers, seed in steps:
            if what == "put":
                rows = vectors(len(numbers), seed)
                index.put(ids(*numbers), rows)
                known.update(zip(numbers, rows, strict=True))
            else:
                index.remove(ids(*numbers))
                known = {id_: row for id_, row in known.items() if id_ not in numbers}
        query = widened(vectors(1, 99))[0]
        snapshot = index.now
        allowed = None if scope is None else np.isin(snapshot.ids, list(scope))
        within = {i: row for i, row in known.items() if scope is None or i in scope}

        assert snapshot.count == len(known)
        assert found(index, query, allowed, most) == brute(within, query, most)
        asked = ids(*range(70))
        expected = dict(brute(known, query, 100))
        cosines = snapshot.cosines(query, asked)
        assert {
            int(i): float(c) for i, c in zip(asked, cosines, strict=True) if not np.isnan(c)
        } == expected
    finally:
        nearest.SMALLEST, nearest.FEW = smallest, few


@pytest.mark.parametrize("share", [1.0, 0.5, 0.01])
def test_signs_miss_next_to_nothing(share: float) -> None:
    """Among 30,000 vectors that are alike in groups: 20 of the 20 nearest, but for one in 100."""
    index, rows = Nearest(384, exact=1_000), vectors(30_000, dimension=384)
    index.put(np.arange(1, 30_001), rows)
    assert index.now.signs is not None
    dice = np.random.default_rng(5)
    allowed = None if share == 1.0 else dice.random(len(rows)) < share
    same = 0
    queries = 40
    for place in dice.integers(len(rows), size=queries):
        noise = 0.03 * dice.standard_normal(384)
        query = widened(unit((widened(rows[place : place + 1])[0] + noise)[None, :]))[0]
        products = dots(widened(rows), query)
        if allowed is not None:
            products[~allowed] = -1
        best = set((np.argsort(-products)[:20] + 1).tolist())
        same += len(best & {id_ for id_, _ in found(index, query, allowed, 20)})
    assert same >= 0.99 * 20 * queries


def test_the_filter_comes_before_the_cut() -> None:
    """The one row in scope is found, however far from the query it is."""
    for exact in (10**6, 100):
        index, rows = filled(9_000, exact=exact)
        query = widened(rows)[0]
        farthest = int(np.argmin(dots(widened(rows), query)))
        allowed = np.zeros(len(rows), dtype=np.bool_)
        allowed[farthest] = True
        assert [id_ for id_, _ in found(index, query, allowed, 5)] == [farthest + 1]


def test_the_same_text_ten_thousand_times_is_cut_off_at_the_newest() -> None:
    same = np.repeat(vectors(1), 20_000, axis=0)
    for exact in (10**6, 100):
        index = Nearest(DIMENSION, exact=exact)
        index.put(np.arange(1, len(same) + 1), same)
        best = found(index, widened(same)[0], None, 3)
        assert [id_ for id_, _ in best] == [20_000, 19_999, 19_998]


def test_a_cosine_is_the_same_to_the_bit_wherever_it_is_asked_for() -> None:
    """Exact or by signs, alone or among others, before and after the others have moved."""
    query = widened(vectors(1, 7))[0]
    few, rows = filled(9_000)
    many, _ = filled(9_000, exact=100)
    many.remove(ids(*range(1, 5_000)))
    asked = ids(8_999, 6_000, 7_001)

    expected = dots(widened(rows), query)[asked - 1]

    for index in (few, many):
        assert index.now.cosines(query, asked).tolist() == expected.tolist()
        assert index.now.cosines(query, asked[1:2]).tolist() == expected[1:2].tolist()


def test_a_snapshot_does_not_notice_what_happens_after_it() -> None:
    index, rows = filled(3_000)
    query = widened(rows)[10]
    before = index.now
    expected = [part.tolist() for part in before.nearest(query, None, 50)]

    index.put(np.arange(2_000, 4_000), vectors(2_000, 3))
    index.remove(np.arange(1, 1_500))
    index.put(np.arange(5_000, 9_000), vectors(4_000, 4))

    assert [part.tolist() for part in before.nearest(query, None, 50)] == expected
    assert before.count == 3_000
    assert index.now.count == 6_500


def test_the_dead_do_not_take_room_for_ever() -> None:
    index, rows = filled(4_000)
    for _ in range(30):
        index.put(np.arange(1, 4_001), rows)
    assert index.now.count == 4_000
    assert len(index.now.ids) < 4_000 * 4 / 3 + 4_000


def test_it_becomes_large_and_small_again() -> None:
    index, rows = filled(1_000, exact=2_000)
    assert index.now.signs is None
    index.put(np.arange(2_000, 5_000), vectors(3_000, 3))
    assert index.now.signs is not None
    index.remove(np.arange(2_000, 5_000))
    assert index.now.signs is None
    query = widened(rows)[0]
    assert found(index, query, None, 1)[0][0] == 1


def test_an_empty_one_finds_nothing() -> None:
    index = Nearest(DIMENSION)
    query = widened(vectors(1))[0]
    index.remove(ids(1, -1, 10**9))
    index.put(ids(), vectors(0))
    assert found(index, query, None, 5) == []
    assert np.isnan(index.now.cosines(query, ids(1, -1, 2**62))).all()
    assert index.now.vectors(ids(3)).shape == (1, DIMENSION)


def test_half_floats_become_single_floats_to_the_bit() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)][None, :]
    assert (widened(finite).view(np.uint32) == finite.astype(np.float32).view(np.uint32)).all()


def test_distances_count_differing_signs() -> None:
    rows = vectors(500)
    query = widened(vectors(1, 8))[0]
    expected = ((rows > 0) != (query > 0)).sum(axis=1)
    assert signs.distances(signs.signs_of(rows), query).tolist() == expected.tolist()
