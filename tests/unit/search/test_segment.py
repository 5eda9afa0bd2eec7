"""Segments: what goes in comes out, of several as of one, and nothing of what is dead."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.memory import Kind
from recollect.search import segment
from recollect.search.catalogue import NONE, Names
from recollect.search.packed import LARGEST, Part, Postings, Segment
from recollect.search.segment import Entry
from recollect.search.terms import Tally

NAMED = ("project", "session", "speaker", "type")
MAYBE = st.one_of(st.none(), st.sampled_from(["Ada", "数", "a\nb", ""]))
COUNTS = st.dictionaries(st.sampled_from(["apple", "pear", "数据", "z"]), st.integers(1, 255))


@st.composite
def entries(draw: st.DrawFn, least: int = 0) -> list[Entry]:
    ids = draw(st.lists(st.integers(1, 2**53), min_size=least, max_size=12, unique=True))
    return [
        Entry(
            id=id_,
            created_at=draw(st.integers(-(2**53), 2**53)),
            project=draw(st.sampled_from(["alpha", "beta"])),
            session=draw(MAYBE),
            speaker=draw(MAYBE),
            type=draw(st.sampled_from(["command", "note"])),
            kind=draw(st.sampled_from(list(Kind))).value,
            tally=Tally(draw(COUNTS), draw(st.integers(0, 20_000)), draw(st.booleans())),
        )
        for id_ in sorted(ids)
    ]


def read(made: tuple[Segment, list[Postings]], dead: frozenset[int] = frozenset()) -> list[Entry]:
    """What a segment says of the places that are alive, as it was put in."""
    kept, postings = made
    names = Names()
    names.keep("a name of somebody else, so that codes differ")
    columns = segment.columns(kept, names)
    counts: list[dict[str, int]] = [{} for _ in range(kept.size)]
    for each in postings:
        places, how_often = segment.places_and_counts(each.places, each.counts)
        assert np.all(np.diff(places) > 0), "ascending"
        for place, count in zip(places.tolist(), how_often.tolist(), strict=True):
            counts[place][each.term] = count

    def name(column: str, place: int) -> str | None:
        code = int(getattr(columns, column)[place])
        return None if code == NONE else names.text_of(code)

    return [
        Entry(
            id=int(columns.ids[place]),
            created_at=int(columns.created_at[place]),
            **{column: name(column, place) for column in NAMED},  # type: ignore[arg-type]
            kind=tuple(Kind)[columns.kind[place]].value,
            tally=Tally(counts[place], int(columns.lengths[place]), bool(columns.has_time[place])),
        )
        for place in range(kept.size)
        if place not in dead
    ]


def packed(given: list[Entry]) -> tuple[Segment, list[Postings]]:
    gathering = segment.Gathering()
    for each in given:
        gathering.add(each)
    return gathering.packed()


def part(given: list[Entry], dead: frozenset[int] = frozenset()) -> Part:
    made, postings = packed(given)
    return Part(made, segment.dead_blob(dead), postings)


@given(entries())
def test_what_was_packed_is_unpacked(given_: list[Entry]) -> None:
    made, postings = packed(given_)

    assert read((made, postings)) == given_
    assert segment.ids(made.ids).tolist() == [each.id for each in given_]
    assert (made.lowest, made.highest) == ((given_[0].id, given_[-1].id) if given_ else (0, 0))
    in_order = [each.term.encode() for each in postings]
    assert in_order == sorted(in_order), "in the order of the store's key"
    assert all(each.counts is None or set(each.counts) != {1} for each in postings)


@given(entries(least=1), st.data())
def test_of_an_entry_that_was_added_twice_the_last_counts(
    given_: list[Entry], data: st.DataObject
) -> None:
    former = replace(
        data.draw(st.sampled_from(given_)), tally=Tally({"plum": 2}, 7, has_time=True), type="note"
    )

    assert read(packed([former, *given_])) == given_


@given(entries(), st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=12, max_size=12))
def test_several_segments_become_one_of_all_that_is_alive(
    given_: list[Entry], drawn: list[tuple[int, bool]]
) -> None:
    """Ids of the parts may lie between one another: a memory that was changed moves on."""
    piles: list[list[Entry]] = [[], [], []]
    dead: list[set[int]] = [set(), set(), set()]
    expected = []
    for each, (pile, is_dead) in zip(given_, drawn, strict=False):
        if is_dead:
            dead[pile].add(len(piles[pile]))
        else:
            expected.append(each)
        piles[pile].append(each)

    merged = segment.merged(
        [part(pile, frozenset(gone)) for pile, gone in zip(piles, dead, strict=True)]
    )

    assert read(merged) == expected
    assert all(each.places for each in merged[1])


@given(entries(least=1), st.sets(st.integers(0, 11)))
def test_scrubbing_leaves_no_word_and_no_name_of_the_dead(
    given_: list[Entry], drawn: set[int]
) -> None:
    dead = frozenset(place for place in drawn if place < len(given_))
    whole = part(given_, dead)

    made, changed = segment.scrubbed(whole)

    written = {each.term: each for each in whole.postings} | {each.term: each for each in changed}
    left = [each for each in written.values() if each.places]
    alive = [each for place, each in enumerate(given_) if place not in dead]
    assert read((made, left), dead) == alive
    names = set(json.loads(made.names)) - set(Kind)
    assert names <= {str(getattr(each, column)) for each in alive for column in NAMED}, (
        "a name of the dead is gone"
    )
    for each in left:
        assert not dead & set(segment.places_and_counts(each.places, each.counts)[0].tolist())
    assert {each.term for each in changed} == {
        term for place in dead for term in given_[place].tally.counts
    }, "nothing is written that has not changed"


def test_the_largest_segment_has_places_for_all() -> None:
    many = [
        Entry(
            id=number + 1,
            created_at=0,
            project="p",
            session=None,
            speaker=None,
            type="t",
            kind=Kind.NOTE.value,
            tally=Tally({"every": 1, f"some{number % 3}": 2}, 3, False),
        )
        for number in range(LARGEST)
    ]
    _, postings = packed(many)

    by_term = {each.term: segment.places_and_counts(each.places, each.counts) for each in postings}
    assert by_term["every"][0].tolist() == list(range(LARGEST))
    assert by_term["some2"][0][-1] == LARGEST - 2
    assert set(by_term["some1"][1].tolist()) == {2}
    assert segment.dead(segment.dead_blob({LARGEST - 1, 0})).tolist() == [0, LARGEST - 1]


def test_a_kind_of_a_later_version_is_no_kind_of_this_one() -> None:
    made, _ = packed([Entry(1, 0, "p", None, None, "t", Kind.NOTE.value, Tally({}, 0, False))])
    strange = {field.name: getattr(made, field.name) for field in fields(made)}
    strange["names"] = made.names.replace("note", "dream")

    assert segment.columns(Segment(**strange), Names()).kind.tolist() == [NONE]


@pytest.mark.parametrize("dead", [frozenset[int](), frozenset({0})])
def test_parts_without_anything_alive_become_an_empty_segment(dead: frozenset[int]) -> None:
    one = [Entry(1, 0, "p", None, None, "t", Kind.NOTE.value, Tally({"x": 1}, 1, False))]
    made, postings = segment.merged([part(one if dead else [], dead)])

    assert (made.size, postings) == (0, [])
