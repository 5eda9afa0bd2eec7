"""Browsing, over every engine: order, places, conditions and counts, with retired ones apart."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.model.memory import Kind, Origin
from recollect.model.portrait import Portrait
from recollect.store.port.browsing import Place, Wanted
from recollect.store.port.store import Store
from store.drafts import draft, put

ALL = frozenset(Kind)


@pytest.fixture
def filled(store: Store) -> Store:
    """Six memories: two of one moment, one retired, one pinned, one with files of its own."""
    put(
        store,
        draft("one", created_at=1, type="file_read", file_path="/code/a/one.py"),
        draft("two", created_at=5, kind=Kind.PROMPT, type="user_prompt", origin=Origin.USER),
        draft("three", created_at=5, project="beta", session_id="s2"),
        draft("four", created_at=7, files=("/code/a/four.py",)),
        draft("five", created_at=3),
        draft("six", created_at=9, is_pinned=True),
    )
    portrait = Portrait(
        type="change",
        title="t",
        subtitle=None,
        facts=(),
        narrative="n",
        concepts=(),
        files_read=(),
        files_modified=("/code/a/three.py",),
    )
    with store.transaction():
        store.memories.retire(5, at=10)
        store.portraits.paint(3, portrait, made_by="rules")
    return store


FOUND: list[tuple[dict[str, Any], list[int], str]] = [
    ({}, [6, 4, 3, 2, 5, 1], "by time, then by id"),
    ({"is_retired": False}, [6, 4, 3, 2, 1], "live ones"),
    ({"is_retired": True}, [5], "retired ones"),
    ({"is_pinned": True}, [6], "pinned ones"),
    ({"is_pinned": False, "is_retired": False}, [4, 3, 2, 1], "those that are not"),
    ({"project": "beta"}, [3], "of a project"),
    ({"project": "alpha", "is_retired": True}, [5], "retired ones of a project"),
    ({"project": "beta", "is_retired": True}, [], "of another"),
    ({"kinds": frozenset({Kind.PROMPT})}, [2], "of a kind"),
    ({"types": frozenset({"file_read", "user_prompt"})}, [2, 1], "of some types"),
    ({"origins": frozenset({"user"})}, [2], "of an origin"),
    ({"file": "one.py"}, [1], "about a file of its own"),
    ({"file": "a/four.py"}, [4], "about a file besides"),
    ({"file": "/code/a/three.py"}, [3], "about a file of its portrait"),
    ({"file": "ne.py"}, [], "about half a name"),
    ({"since": 5, "until": 7}, [4, 3, 2], "within a time"),
]


@pytest.mark.parametrize(("conditions", "ids", "because"), FOUND, ids=[row[2] for row in FOUND])
def test_what_is_wanted_is_found_and_counted(
    filled: Store, conditions: dict[str, Any], ids: list[int], because: str
) -> None:
    wanted = Wanted(**{"kinds": ALL, **conditions})
    browsing = filled.browsing
    assert [each.id for each in browsing.page(wanted, after=None, limit=9)] == ids
    assert browsing.count(wanted) == len(ids)
    assert sorted(browsing.ids(wanted)) == sorted(ids)
    for place, id_ in enumerate(ids):
        memory = filled.memories.get([id_])[0]
        after = Place(memory.created_at, memory.id)
        rest = [each.id for each in browsing.page(wanted, after=after, limit=9)]
        assert rest == ids[place + 1 :]


def test_retired_ones_are_found_by_their_words(filled: Store) -> None:
    def found(*words: str, **conditions: Any) -> list[int]:
        wanted = Wanted(kinds=ALL, **conditions)
        memories = filled.browsing.with_words(words, wanted, limit=9, offset=0)
        return [each.id for each in memories]

    assert found("five", is_retired=True) == found("five") == [5]
    assert sorted(found("five", "six")) == [5, 6]
    assert found("five", is_retired=False) == found("seven") == found() == []


def test_time_is_counted_in_stretches(filled: Store) -> None:
    def counted(project: str | None) -> dict[int, dict[Kind, int]]:
        return filled.browsing.counts(ALL, project, since=1, until=9, width=4)

    one, prompt = Kind.OBSERVATION, Kind.PROMPT
    assert counted(None) == {0: {one: 1}, 1: {one: 2, prompt: 1}, 2: {one: 1}}
    assert counted("beta") == {1: {one: 1}}
    assert counted("gamma") == {}
    assert filled.browsing.span(None) == (1, 9)
    assert filled.browsing.span("beta") == (5, 5)
    assert filled.browsing.span("gamma") is None


def test_what_is_restored_is_as_it_was(filled: Store) -> None:
    (retired,) = filled.memories.get([5])
    with filled.transaction():
        assert filled.memories.restore(retired, at=11)
        assert not filled.memories.restore(retired, at=12)
    (back,) = filled.memories.get([5])
    assert (back.retired_at, back.updated_at) == (None, 11)
    actions = filled.memories.newest_actions(
        "command", project="alpha", is_elsewhere=False, limit=9, offset=0
    )
    assert 5 in [each.id for each in actions], "it is an action again"
    assert filled.browsing.count(Wanted(kinds=ALL, is_retired=True)) == 0


def test_sorts_are_of_live_memories(filled: Store) -> None:
    told = {
        (each.project, each.kind, each.type): (each.memories, each.latest)
        for each in filled.browsing.sorts()
    }
    assert told == {
        ("alpha", Kind.OBSERVATION, "command"): (2, 9),
        ("alpha", Kind.OBSERVATION, "file_read"): (1, 1),
        ("alpha", Kind.PROMPT, "user_prompt"): (1, 5),
        ("beta", Kind.OBSERVATION, "command"): (1, 5),
    }
    assert sum(each.bytes for each in filled.browsing.sorts()) == len("one two three four six") - 4
    assert filled.browsing.sessions_of_projects() == {"alpha": 1, "beta": 1}
