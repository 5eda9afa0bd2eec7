"""Portraits and recaps: kept beside memories, searched with them, gone when they are purged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.model.portrait import Portrait, Recap
from recollect.search import grammar
from recollect.search.meaning import TEXT, text_of
from recollect.search.terms import tally
from recollect.store.port.store import Store
from store.drafts import draft, put

PORTRAIT = Portrait(
    type="execution",
    title="pytest failed",
    subtitle=None,
    facts=("exit code 1",),
    narrative="Ran `pytest`. A turnip was expected.",
    concepts=("testing",),
    files_read=(),
    files_modified=("a.py",),
)
RECAP = Recap(
    request="Grow it",
    investigated="the soil",
    learned="Turnips want lime.",
    completed="sowed",
    next_steps="water",
    notes=None,
    files_read=(),
    files_edited=(),
)


@pytest.fixture
def memory_id(store: Store) -> int:
    (memory,) = put(store, draft("pytest -q"))
    return memory.id


def paint(store: Store, memory_id: int, portrait: Portrait = PORTRAIT, **more: int) -> None:
    with store.transaction():
        store.portraits.paint(memory_id, portrait, made_by="m", **more)


def recap(store: Store, memory_id: int) -> None:
    with store.transaction():
        store.portraits.recap(memory_id, RECAP, made_by="m")


def told(store: Store, memory_id: int) -> dict[str, int]:
    (source,) = store.lexicon.sources([memory_id])
    return tally(source.passage).counts


def test_words_of_a_portrait_are_ranked_once_and_only_where_they_are_new(
    store: Store, memory_id: int
) -> None:
    before = told(store, memory_id)
    paint(store, memory_id)
    after = told(store, memory_id)
    assert {"turnip", "exit", "test"} <= after.keys() - before.keys()
    assert after["pytest"] == before["pytest"] == 1, "the text says it already"


def test_words_of_a_recap_are_ranked_as_well(store: Store, memory_id: int) -> None:
    recap(store, memory_id)
    assert {"turnip", "lime", "soil", "water"} <= told(store, memory_id).keys()


def test_a_portrait_is_what_is_embedded(store: Store, memory_id: int) -> None:
    paint(store, memory_id)
    with store.transaction():
        model_id = store.vectors.model_id("m", 4)
    (unread,) = store.vectors.unread(model_id, TEXT, [memory_id])
    assert "A turnip was expected." in text_of(unread.parts)


def test_another_portrait_is_another_version_of_the_memory(store: Store, memory_id: int) -> None:
    paint(store, memory_id)
    (before,) = store.memories.get([memory_id])
    newest = store.lexicon.state().newest
    paint(store, memory_id, replace(PORTRAIT, title="Found it"), at=before.updated_at + 5)
    (after,) = store.memories.get([memory_id])
    assert after == replace(before, updated_at=before.updated_at + 5)
    assert store.lexicon.state().newest > newest
    assert store.portraits.of([memory_id])[memory_id].portrait.title == "Found it"


def test_what_mentions_a_word_is_forgotten_with_its_title(store: Store) -> None:
    first, second, third = put(
        store, draft("a", title="a turnip"), draft("b", title="a leek"), draft("c")
    )
    paint(store, first.id)
    paint(store, second.id, replace(PORTRAIT, narrative="A leek."))
    recap(store, third.id)
    words = grammar.parse("turnip*")
    assert words is not None
    with store.transaction():
        assert store.portraits.forget(words) == [first.id, third.id]
    assert store.portraits.of([first.id, second.id]).keys() == {second.id}
    assert store.portraits.recaps_of([third.id]) == {}
    titles = [memory.title for memory in store.memories.get([first.id, second.id])]
    assert titles == [None, "a leek"]
