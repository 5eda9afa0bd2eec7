"""What any store must do with memories."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from recollect.model.errors import EntryRefused
from recollect.model.memory import Kind, Origin
from recollect.search import grammar
from recollect.search.grammar import Tree
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from store.drafts import begin, draft, put


def tree(query: str) -> Tree:
    parsed = grammar.parse(query)
    assert parsed is not None
    return parsed


def found(store: Store, query: str, **where: object) -> list[str]:
    given = {"project": None, "type_": None, "limit": 50, "offset": 0, "preview": 120, **where}
    return [memory.text for memory in store.words.search(tree(query), **given)]  # type: ignore[arg-type]


def test_a_memory_comes_back_as_it_was_put(store: Store) -> None:
    given = draft("make", detail={"exit_code": 2, "tags": ["a", None]}, file_path="/a", title="T")

    (kept,) = put(store, given)

    assert store.memories.get([kept.id]) == [kept]
    assert {name: getattr(kept, name) for name in asdict(given)} == asdict(given)
    assert (kept.updated_at, kept.is_pinned, kept.retired_at) == (1_000, False, None)


def test_a_memory_is_found_from_the_commit_on_and_not_after_a_rollback(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        add_and_fail(store)
    assert found(store, "attempt") == []

    put(store, draft("second attempt"))
    assert found(store, "attempt") == ["second attempt"]
    assert store.upkeep.strays() == (0, 0)


def add_and_fail(store: Store) -> None:
    with store.transaction():
        begin(store, "s1")
        store.memories.add(draft("first attempt"))
        assert found(store, "attempt") == ["first attempt"]
        raise ZeroDivisionError


def test_new_words_replace_the_old_and_the_old_text_is_history(store: Store) -> None:
    (kept,) = put(store, draft("an apple"))

    with store.transaction():
        pear = draft("a pear", detail={"fruit": True}, title="Pear", origin=Origin.WEB)
        store.memories.reword(kept.id, pear, at=2_000)

    (now,) = store.memories.get([kept.id])
    assert (now.title, now.text, now.detail) == ("Pear", "a pear", {"fruit": True})
    assert (now.origin, now.created_at, now.updated_at) == (Origin.WEB, 1_000, 2_000)
    assert (found(store, "apple"), found(store, "pear")) == ([], ["a pear"])
    assert store.upkeep.strays() == (0, 0)


def test_ids_are_never_used_again(store: Store) -> None:
    first, last = put(store, draft("one"), draft("two"))
    with store.transaction():
        store.memories.purge(Filter(id=last.id))

    (next_one,) = put(store, draft("three"))

    assert (first.id, last.id, next_one.id) == (1, 2, 3)


def test_a_memory_that_belongs_to_no_session_is_refused_as_a_whole(store: Store) -> None:
    with pytest.raises(EntryRefused), store.transaction():
        store.memories.add(draft("orphan", session_id="nobody"))
    assert found(store, "orphan") == []


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_a_number_that_does_not_fit_is_refused(store: Store, number: int) -> None:
    with pytest.raises(EntryRefused):
        put(store, draft("late", created_at=number))


def test_thoughts_are_in_the_trace_and_in_no_search(store: Store) -> None:
    put(store, draft("make"), draft("make it better", kind=Kind.THOUGHT, type="agent_thinking"))

    assert found(store, "make") == ["make"]
    assert [memory.text for memory in store.memories.of_session("s1")] == ["make", "make it better"]


def test_a_purged_prompt_leaves_its_session_able_to_go_on(store: Store) -> None:
    (prompt,) = put(store, draft("Fix it", kind=Kind.PROMPT, type="user_prompt"))
    put(store, draft("make", prompt_id=prompt.id))
    with store.transaction():
        store.sessions.turn("s1", prompt_id=prompt.id, is_private=False)
        store.memories.purge(Filter(id=prompt.id))

    session = store.sessions.find("s1")
    assert session is not None
    assert session.prompt_id is None
    assert store.memories.get([2])[0].prompt_id is None


def test_a_purge_tells_beforehand_what_it_will_remove(store: Store) -> None:
    put(store, draft("make"), draft("make", session_id="s2"))
    put(store, draft("Fix", kind=Kind.PROMPT, type="user_prompt", session_id="s2"))
    wanted = Filter(session_id="s2")

    told = store.memories.count_for_purge(wanted)
    with store.transaction():
        removed = store.memories.purge(wanted)

    assert told == removed
    assert (told.observations, told.prompts, told.sessions) == (1, 1, 1)


def test_the_newest_actions_come_by_type_and_side(store: Store) -> None:
    put(
        store,
        draft("a", created_at=1),
        draft("b", created_at=3, project="beta"),
        draft("c", created_at=2),
        draft("d", type="file_read", file_path="/d"),
        draft("startup", kind=Kind.LIFECYCLE, type="session_start"),
        draft("compact", kind=Kind.LIFECYCLE, type="session_compact"),
        draft("Fix it", kind=Kind.PROMPT, type="user_prompt"),
    )

    def newest(*, is_elsewhere: bool, project: str | None = "alpha") -> list[int]:
        traces = store.memories.newest_actions(
            "command", project=project, is_elsewhere=is_elsewhere, limit=9, offset=0
        )
        return [trace.id for trace in traces]

    assert store.memories.action_types() == ["command", "file_read", "session_compact"]
    assert newest(is_elsewhere=False) == [3, 1]
    assert newest(is_elsewhere=True) == [2]
    assert newest(is_elsewhere=True, project=None) == [2, 3, 1]


def test_a_rebuilt_index_finds_the_same(store: Store) -> None:
    put(store, *(draft(f"make target {number}") for number in range(30)), draft("数据库"))
    before = found(store, "target"), found(store, "据库")

    with store.transaction():
        store.words.rebuild()

    assert (found(store, "target"), found(store, "据库")) == before
    assert store.upkeep.strays() == (0, 0)
    assert store.upkeep.problems() == []


def test_folding_the_index_removes_nothing_that_is_there(store: Store) -> None:
    put(store, draft("make"), draft("build"))
    with store.transaction():
        store.memories.purge(Filter(id=1))
        store.words.fold()

    assert (found(store, "make"), found(store, "build")) == ([], ["build"])


def test_the_newest_of_some_kinds(store: Store) -> None:
    old = draft("old", kind=Kind.NOTE, type="decision", created_at=1_000)
    new = draft("new", kind=Kind.OBSERVATION, type="decision", created_at=3_000)
    other = draft("other", kind=Kind.NOTE, type="marker", project="beta", created_at=2_000)
    prompt = draft("prompt", kind=Kind.PROMPT, type="user_prompt", created_at=4_000)
    gone = put(store, old, new, other, prompt, draft("gone", kind=Kind.NOTE, created_at=9_000))[-1]
    with store.transaction():
        store.memories.retire(gone.id, at=9_500)

    def newest(**where: Any) -> list[str]:
        given = {"project": None, "limit": 10, **where}
        kinds = frozenset({Kind.NOTE, Kind.OBSERVATION})
        return [memory.text for memory in store.memories.newest(kinds, **given)]

    assert newest() == ["new", "other", "old"]
    assert newest(limit=2) == ["new", "other"]
    assert newest(project="alpha") == ["new", "old"]
    assert newest(types=["decision"]) == ["new", "old"]
    assert newest(but_types=["decision"]) == ["other"]
    assert newest(types=[]) == []
