"""What any store must do with vectors."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.model.errors import VectorMisfit
from recollect.model.memory import Kind
from recollect.search.halves import packed
from recollect.search.meaning import TEXT
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.port.vectors import Made, Mark, Model, Unread
from store.drafts import draft, put

DIMENSION = 4
ONE = packed(np.array([[1, 0, 0, 0]], dtype=np.float32))[0]
OTHER = packed(np.array([[0, 1, 0, 0]], dtype=np.float32))[0]


def model(store: Store, name: str = "m", dimension: int = DIMENSION) -> int:
    with store.transaction():
        return store.vectors.model_id(name, dimension)


def missing(store: Store, model_id: int) -> list[Unread]:
    return store.vectors.missing(model_id, TEXT, 0, 100)


def embed(store: Store, model_id: int, *unread: Unread, vector: bytes = ONE) -> int:
    with store.transaction():
        made = [Made(each.id, each.version, vector) for each in unread]
        return store.vectors.put(model_id, TEXT, made)


def held(store: Store, model_id: int) -> list[tuple[int, bytes]]:
    _, ids, vectors = store.vectors.since(model_id, TEXT, 0, 100)
    return list(zip(ids, vectors, strict=True))


def test_a_vector_comes_back_as_it_was_put_and_once(store: Store) -> None:
    put(store, draft("a"), draft("b"))
    id_ = model(store)
    first, second = missing(store, id_)

    assert embed(store, id_, first, second) == 2
    assert embed(store, id_, first, vector=OTHER) == 0  # one that is there stays

    assert held(store, id_) == [(first.id, ONE), (second.id, ONE)]
    assert missing(store, id_) == []
    assert store.vectors.count(id_, TEXT) == 2
    assert store.vectors.models() == [Model(id_, "m", DIMENSION)]


def test_what_has_no_meaning_or_is_not_found_any_more_is_not_missing(store: Store) -> None:
    kept, gone, *_ = put(
        store,
        draft("a", title="T", file_path="/f", speaker="Ann"),
        draft("gone"),
        draft("hm", kind=Kind.THOUGHT, type="agent_thinking"),
        draft("startup", kind=Kind.LIFECYCLE, type="session_start"),
    )
    with store.transaction():
        store.memories.retire(gone.id, at=2_000)

    (unread,) = missing(store, model(store))

    assert (unread.id, unread.version) == (kept.id, kept.updated_at)
    parts = unread.parts
    assert (parts.text, parts.title, parts.file_path, parts.speaker) == ("a", "T", "/f", "Ann")
    assert store.vectors.wanted(TEXT) == 1


def test_only_the_beginning_of_a_long_text_is_read(store: Store) -> None:
    put(store, draft("x" * 1_000_000))
    assert len(missing(store, model(store))[0].parts.text) == 1_200


@pytest.mark.parametrize("vector", [ONE[:-2], ONE + b"\0\0", ONE[:-1], b"\0"])
def test_a_vector_of_another_dimension_is_refused_with_all_that_came_with_it(
    store: Store, vector: bytes
) -> None:
    put(store, draft("a"), draft("b"))
    id_ = model(store)
    first, second = missing(store, id_)
    made = [Made(first.id, first.version, ONE), Made(second.id, second.version, vector)]

    with pytest.raises(VectorMisfit), store.transaction():
        store.vectors.put(id_, TEXT, made)

    assert held(store, id_) == []


def test_a_model_has_one_dimension(store: Store) -> None:
    id_ = model(store)
    assert model(store) == id_
    with pytest.raises(VectorMisfit):
        model(store, dimension=DIMENSION + 1)


def test_a_vector_of_words_that_have_changed_meanwhile_is_not_kept(store: Store) -> None:
    reworded, retired, removed, kept = put(store, draft("a"), draft("b"), draft("c"), draft("d"))
    id_ = model(store)
    unread = missing(store, id_)
    with store.transaction():
        store.memories.reword(reworded.id, draft("z"), at=2_000)
        store.memories.retire(retired.id, at=2_000)
        store.memories.remove(removed.id)

    assert embed(store, id_, *unread) == 1
    assert held(store, id_) == [(kept.id, ONE)]
    assert [each.parts.text for each in missing(store, id_)] == ["z"]


def test_vectors_go_with_the_words_they_were_made_of(store: Store) -> None:
    reworded, retired, purged = put(store, draft("a"), draft("b"), draft("c"))
    id_ = model(store)
    embed(store, id_, *missing(store, id_))
    before = store.vectors.tail("m").change_seq

    with store.transaction():
        store.memories.reword(reworded.id, draft("z"), at=2_000)
        store.memories.retire(retired.id, at=2_000)
        store.memories.purge(Filter(id=purged.id))

    assert held(store, id_) == []
    changes = store.vectors.changes(id_, TEXT, before, 100)
    assert [(change.memory_id, change.has_vector) for change in changes] == [
        (reworded.id, False),
        (retired.id, False),
        (purged.id, False),
    ]


def test_a_new_vector_for_the_same_memory_is_news(store: Store) -> None:
    (memory,) = put(store, draft("a"))
    id_ = model(store)
    embed(store, id_, *missing(store, id_))
    seen = store.vectors.tail("m").vector_seq
    with store.transaction():
        store.memories.reword(memory.id, draft("z"), at=2_000)
    embed(store, id_, *missing(store, id_), vector=OTHER)

    seqs, ids, vectors = store.vectors.since(id_, TEXT, seen, 100)

    assert (ids, vectors) == ([memory.id], [OTHER])
    assert store.vectors.tail("m").vector_seq == seqs[-1]


def test_the_tail_of_an_empty_store_says_that_nothing_was_missed(store: Store) -> None:
    tail = store.vectors.tail("m")
    assert (tail.model, tail.vector_seq, tail.change_seq, tail.oldest_change) == (None, 0, 0, 1)


def test_models_live_beside_each_other_and_one_is_forgotten_step_by_step(store: Store) -> None:
    put(store, *(draft(f"text {number}") for number in range(5)))
    former, current = model(store, "former"), model(store, "current")
    embed(store, former, *missing(store, former))
    embed(store, current, *missing(store, current))

    gone = []
    for _ in range(3):
        with store.transaction():
            gone.append(store.vectors.forget(former, 2))

    assert gone == [2, 2, 1]
    assert [m.name for m in store.vectors.models()] == ["current"]
    assert len(held(store, current)) == 5


def test_a_forgotten_model_keeps_nothing_more(store: Store) -> None:
    put(store, draft("a"))
    id_ = model(store)
    unread = missing(store, id_)
    with store.transaction():
        store.vectors.forget(id_, 10)

    assert embed(store, id_, *unread) == 0
    assert store.vectors.models() == []


def test_what_cannot_be_read_is_not_missing_and_can_be_listed(store: Store) -> None:
    (memory,) = put(store, draft("a"))
    id_ = model(store)
    embed(store, id_, *missing(store, id_), vector=b"")

    assert missing(store, id_) == []
    assert store.vectors.unreadable(id_, TEXT, 10) == [memory.id]

    with store.transaction():
        store.vectors.drop(id_, TEXT, [memory.id])
    assert [each.id for each in missing(store, id_)] == [memory.id]


def test_the_mark_moves_only_from_where_it_was_read(store: Store) -> None:
    id_ = model(store)
    first, second = Mark(3, 7), Mark(3, None)
    assert store.vectors.mark(id_, TEXT) is None
    with store.transaction():
        assert store.vectors.move_mark(id_, TEXT, None, first)
        assert not store.vectors.move_mark(id_, TEXT, None, second)
        assert not store.vectors.move_mark(id_, TEXT, second, first)
        assert store.vectors.move_mark(id_, TEXT, first, second)
        assert not store.vectors.move_mark(id_, TEXT, first, second)
    assert store.vectors.mark(id_, TEXT) == second
