"""Nearness follows its store."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from embedders import BagOfWords
from recollect.model.memory import Memory
from recollect.search.meaning import TEXT
from recollect.service import nearness
from recollect.service.embedding import embed_some
from recollect.service.nearness import StoredNearness
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.port.vectors import Made, Tail
from store.catalogues import Listed
from store.drafts import draft, put

EMBEDDER = BagOfWords()


def embed_all(store: Store, embedder: BagOfWords = EMBEDDER) -> None:
    while not embed_some(store, embedder).is_done:
        pass


@pytest.fixture
def near(store: Store) -> StoredNearness:
    return StoredNearness(store, EMBEDDER.name, TEXT)


def found(near: StoredNearness, query: str, catalogue: Listed, *scope: int) -> list[int]:
    near.sync()
    places, _ = near.nearest(
        EMBEDDER.one(query), catalogue, catalogue.scope(scope) if scope else None, 3
    )
    return [int(id_) for id_ in catalogue.ids[places]]


def put_and_embed(store: Store, *texts: str) -> tuple[list[Memory], Listed]:
    memories = put(store, *(draft(text) for text in texts))
    embed_all(store)
    return memories, Listed(memory.id for memory in memories)


def test_before_there_is_a_vector_nothing_is_near(store: Store, near: StoredNearness) -> None:
    assert found(near, "apple", Listed([])) == []
    (memory,) = put(store, draft("an apple"))
    assert found(near, "apple", Listed([memory.id])) == []
    assert near.count() == 0
    assert np.isnan(near.cosines(EMBEDDER.one("apple"), np.array([memory.id]))).all()

    embed_all(store)

    assert found(near, "apple", Listed([memory.id])) == [memory.id]
    assert near.count() == 1


def test_only_what_is_live_and_in_scope_competes(store: Store, near: StoredNearness) -> None:
    (apple, pear, plum), catalogue = put_and_embed(store, "an apple", "a pear", "a plum")
    assert found(near, "apple", catalogue)[0] == apple.id
    assert set(found(near, "apple", catalogue, pear.id, plum.id)) == {pear.id, plum.id}

    catalogue.is_live[0] = False
    assert apple.id not in found(near, "apple", catalogue)
    assert found(near, "apple", Listed([pear.id])) == [pear.id]


def test_new_words_have_a_new_meaning(store: Store, near: StoredNearness) -> None:
    (first, second), catalogue = put_and_embed(store, "an apple", "a pear")
    assert found(near, "apple", catalogue)[0] == first.id

    with store.transaction():
        store.memories.reword(first.id, draft("a bicycle"), at=2_000)
    assert found(near, "apple", catalogue) == [second.id]

    embed_all(store)
    assert found(near, "bicycle", catalogue)[0] == first.id
    assert near.count() == 2


def test_what_was_retired_or_removed_is_near_nothing(store: Store, near: StoredNearness) -> None:
    (first, second, third), catalogue = put_and_embed(store, "an apple", "a pear", "a plum")
    near.sync()
    with store.transaction():
        store.memories.retire(first.id, at=2_000)
        store.memories.purge(Filter(id=second.id))

    assert found(near, "apple", catalogue) == [third.id]


def test_it_starts_anew_when_changes_are_not_told_any_more(
    store: Store, near: StoredNearness, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, second), catalogue = put_and_embed(store, "an apple", "a pear")
    near.sync()
    with store.transaction():
        store.memories.retire(first.id, at=2_000)
    put(store, draft("a plum"))
    forget_changes(store, keep=1)
    loads: list[Tail] = []
    load = near._load

    def counted(tail: Tail) -> None:
        loads.append(tail)
        load(tail)

    monkeypatch.setattr(near, "_load", counted)

    assert found(near, "apple", catalogue) == [second.id]
    near.sync()
    assert len(loads) == 1


def forget_changes(store: Store, keep: int) -> None:
    writer = store._connections._writer  # type: ignore[attr-defined]
    writer.execute("delete from changes where seq <= (select max(seq) from changes) - ?", (keep,))


def test_nothing_new_costs_one_statement(
    store: Store, near: StoredNearness, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_and_embed(store, "an apple")
    near.sync()
    for name in ("since", "changes", "count"):
        monkeypatch.setattr(store.vectors, name, None)
    near.sync()
    assert near.count() == 1


def test_a_damaged_vector_is_not_near_anything(store: Store, near: StoredNearness) -> None:
    memories, catalogue = put_and_embed(store, "an apple", "an apple", "an apple", "an apple")
    writer = store._connections._writer  # type: ignore[attr-defined]
    nan = np.full(EMBEDDER.dimension, np.nan, np.float16).tobytes()
    long = np.full(EMBEDDER.dimension, 0.5, np.float16).tobytes()
    for memory, blob in zip(memories, (nan, long, b"abc"), strict=False):
        writer.execute("update vectors set vector = ? where memory_id = ?", (blob, memory.id))

    assert found(near, "apple", catalogue) == [memories[3].id]
    near.sync()
    assert near.count() == 1


def test_a_text_that_the_model_cannot_read_is_near_nothing(
    store: Store, near: StoredNearness
) -> None:
    (first, second), catalogue = put_and_embed(store, "an apple", "a pear")
    with store.transaction():
        store.vectors.drop(1, TEXT, [first.id])
        store.vectors.put(1, TEXT, [Made(first.id, first.updated_at, b"")])
    assert found(near, "apple", catalogue) == [second.id]


def test_a_catalogue_that_grows_or_is_another_one_is_followed(
    store: Store, near: StoredNearness
) -> None:
    first, _ = put_and_embed(store, "an apple", "a pear")
    small = Listed([first[0].id])
    assert found(near, "apple", small) == [first[0].id]
    more, _ = put_and_embed(store, "a plum")
    large = Listed([*(memory.id for memory in first), more[0].id])
    assert found(near, "apple", large)[0] == first[0].id
    assert len(found(near, "apple", large)) == 3
    assert found(near, "plum", Listed([more[0].id])) == [more[0].id]
    assert len(found(near, "apple", large)) == 3


def test_a_model_that_was_forgotten_finds_nothing_after_the_search_that_goes_on(
    store: Store, near: StoredNearness
) -> None:
    (first, *_), catalogue = put_and_embed(store, "an apple", "a pear")
    assert found(near, "apple", catalogue)[0] == first.id
    other = BagOfWords("other", 16)
    embed_all(store, other)

    # The search under way has its own object and goes on with it.
    assert len(near.nearest(EMBEDDER.one("apple"), catalogue, None, 3)[0]) == 2
    assert found(near, "apple", catalogue) == []
    after = StoredNearness(store, other.name, TEXT)
    after.sync()
    assert after.count() == 2


def test_thirty_threads_search_while_one_changes(
    store: Store, near: StoredNearness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearness, "PAGE", 7)
    put_and_embed(store, *(f"apple {number}" for number in range(40)))
    problems: list[BaseException] = []
    is_over = threading.Event()
    everything = Listed(range(1, 200))
    query = EMBEDDER.one("apple")

    def search() -> None:
        try:
            while not is_over.is_set():
                near.sync()
                places, cosines = near.nearest(query, everything, None, 10)
                assert len(set(places.tolist())) == len(places) == 10
                assert not np.isnan(cosines).any()
        except BaseException as error:  # noqa: BLE001 - told to the test
            problems.append(error)

    threads = [threading.Thread(target=search) for _ in range(30)]
    for thread in threads:
        thread.start()
    for round_ in range(10):
        put_and_embed(store, f"apple and {round_}", f"pear {round_}")
        with store.transaction():
            store.memories.remove(round_ + 1)
            store.memories.reword(round_ + 20, draft(f"plum {round_}"), at=3_000 + round_)
    is_over.set()
    for thread in threads:
        thread.join()
    assert problems == []
    embed_all(store)
    near.sync()
    assert near.count() == store.vectors.wanted(TEXT) == 50
