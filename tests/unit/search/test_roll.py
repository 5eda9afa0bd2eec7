"""The roll: whatever happens, the catalogue is the one that would be made anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.model.memory import Kind
from recollect.search import roll as rolls
from recollect.search.catalogue import NONE, Catalogue, Totals, of_kinds, places_in
from recollect.search.roll import Roll
from recollect.search.segment import Entry, columns_of
from recollect.search.terms import Tally

SESSIONS = st.sampled_from(["s", "t", None])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.tuples(SESSIONS, st.integers(0, 9)), max_size=4)),
        st.tuples(st.just("change"), st.integers(1, 20), st.integers(0, 9)),
        st.tuples(st.just("drop"), st.lists(st.integers(1, 20), max_size=3)),
        st.tuples(st.just("look")),
    ),
    max_size=25,
)


def entry(id_: int, session: str | None, length: int) -> Entry:
    tally = Tally({}, length, False)
    return Entry(id_, id_ * 10, "p", session, None, "t", Kind.NOTE.value, tally)


class Plain:
    """The same by a dictionary, reckoned anew at each look."""

    def __init__(self) -> None:
        self.entries: dict[int, Entry] = {}
        self.dead: set[int] = set()

    def neighbours(self) -> dict[int, tuple[int, int]]:
        found = {}
        for session in {each.session for each in self.entries.values()} - {None}:
            ids = [id_ for id_ in self.live() if self.entries[id_].session == session]
            for at, id_ in enumerate(ids):
                after = ids[at + 1] if at + 1 < len(ids) else NONE
                found[id_] = (ids[at - 1] if at else NONE, after)
        return found

    def live(self) -> list[int]:
        return sorted(self.entries.keys() - self.dead)

    def totals(self) -> Totals:
        lengths = {id_: self.entries[id_].tally.length for id_ in self.live()}
        near = self.neighbours()
        links = [(id_, before) for id_, (before, _) in near.items() if before != NONE]
        window = sum(lengths.values()) + sum(lengths[a] + lengths[b] for a, b in links)
        return Totals(len(lengths), sum(lengths.values()), window, len(links))


def told(catalogue: Catalogue) -> dict[int, tuple[int, int]]:
    """The neighbours of all in a session, by id."""
    ids = [*catalogue.ids.tolist(), NONE]
    return {
        ids[place]: (ids[catalogue.before[place]], ids[catalogue.after[place]])
        for place in np.flatnonzero(catalogue.is_live & (catalogue.session != NONE)).tolist()
    }


@settings(max_examples=150)
@given(STEPS, st.sampled_from([1, 2, 1_000]))
def test_the_roll_is_what_a_dictionary_says(steps: list[tuple[object, ...]], many: int) -> None:
    """`many` is from where on neighbours are linked by sorting all; both ways must agree."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rolls, "_MANY", many)
        patch.setattr(rolls, "_ROOM", 3)
        roll, plain = Roll(), Plain()
        kept: list[tuple[Catalogue, list[object]]] = []
        for step in steps:
            act(roll, plain, step)
            catalogue = roll.catalogue()
            assert catalogue.ids.tolist() == sorted(plain.entries)
            assert catalogue.ids[catalogue.is_live].tolist() == plain.live()
            assert told(catalogue) == plain.neighbours()
            assert catalogue.totals == plain.totals()
            kept.append((catalogue, shown(catalogue)))
        assert all(shown(catalogue) == before for catalogue, before in kept), (
            "a catalogue that was given stays as it was"
        )


def shown(catalogue: Catalogue) -> list[object]:
    names = ("ids", "session", "lengths", "is_live", "before", "after")
    return [getattr(catalogue, name).tolist() for name in names]


def act(roll: Roll, plain: Plain, step: tuple[object, ...]) -> None:
    match step:
        case ("add", list(rows)):
            first = max(plain.entries, default=0) + 1
            added = [entry(id_, *row) for id_, row in enumerate(rows, first)]
            plain.entries |= {each.id: each for each in added}
            roll.put(columns_of(added, roll.names))
        case ("change", int(id_), int(length)) if id_ in plain.entries:
            # A memory never moves to another session; one that comes back is alive again.
            changed = replace(plain.entries[id_], tally=Tally({}, length, False))
            plain.entries[id_] = changed
            plain.dead.discard(id_)
            roll.put(columns_of([changed], roll.names))
        case ("drop", list(ids)):
            known = [id_ for id_ in ids if id_ in plain.entries]
            plain.dead |= set(known)
            roll.drop(roll.places(np.array(known, np.int64)).tolist())
        case _:
            roll.catalogue()


def test_ids_fit_when_known_or_later_than_all() -> None:
    roll = Roll()
    assert roll.fits(np.array([5, 9]))
    roll.put(columns_of([entry(5, None, 1), entry(9, None, 1)], roll.names))

    assert roll.fits(np.array([5, 9, 10]))
    assert not roll.fits(np.array([7])), "amid those that are there"
    assert roll.fits(np.array([], np.int64))
    assert len(roll) == 2


FOUND = [
    ([], [1], [NONE]),
    ([3, 5], [5, 3], [1, 0]),
    ([3, 5], [1, 4, 9], [NONE, NONE, NONE]),
    ([3, 5], [], []),
]


@pytest.mark.parametrize(("known", "ids", "places"), FOUND)
def test_where_ids_are_in_a_list(known: list[int], ids: list[int], places: list[int]) -> None:
    found = places_in(np.array(known, np.int64), np.array(ids, np.int64))
    assert found.tolist() == places


def test_names_have_one_code_each() -> None:
    names = Roll().names

    assert names.keep(None) == NONE
    assert names.keep("Ada") == names.keep("Ada") == names.code("Ada") == 0
    assert names.keep("Bob") == 1
    assert (names.text_of(1), names.code("Cy"), len(names)) == ("Bob", None, 2)
    assert list(of_kinds([Kind.PROMPT])) == [tuple(Kind).index(Kind.PROMPT)]
