"""Embedding: everything gets its vector, however often it is cut off."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from embedders import BagOfWords
from recollect.model.errors import EmbedderUnavailable, VectorMisfit
from recollect.model.memory import Kind
from recollect.search.meaning import TEXT
from recollect.service import coverage, embedding
from recollect.service.embedding import Progress, embed_some, embed_while
from recollect.service.meanings import Meanings
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from store.drafts import draft, put
from store.test_nearness import embed_all, forget_changes


def texts(store: Store, count: int, word: str = "text") -> None:
    put(store, *(draft(f"{word} {number}") for number in range(count)))


def covered(store: Store, name: str = "bag-of-words") -> tuple[int, int]:
    (found, _) = coverage.of(store, name)
    return found.covered, found.wanted


def problems(store: Store) -> tuple[str, ...]:
    return coverage.examine(store, "bag-of-words").problems


def test_step_by_step_until_nothing_is_missing(store: Store) -> None:
    texts(store, 10)
    embedder = BagOfWords()
    assert covered(store) == (0, 10)

    steps = [embed_some(store, embedder, 4) for _ in range(4)]

    assert steps == [Progress(4), Progress(4), Progress(2), Progress(is_done=True)]
    assert covered(store) == (10, 10)
    assert problems(store) == ()
    assert len(embedder.seen) == len(set(embedder.seen)) == 10


def test_nothing_to_do_looks_at_no_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    texts(store, 3)
    embed_all(store)
    for name in ("missing", "unread", "count", "wanted"):
        monkeypatch.setattr(store.vectors, name, None)
    assert embed_some(store, BagOfWords()).is_done


def test_what_is_new_comes_before_the_backlog(store: Store) -> None:
    texts(store, 10, "old")
    embedder = BagOfWords()
    embed_some(store, embedder, 3)
    texts(store, 2, "new")

    embed_some(store, embedder, 3)
    embed_some(store, embedder, 3)

    assert embedder.seen[3:] == ["new 0", "new 1", "old 3", "old 4", "old 5"]
    embed_all(store)
    assert covered(store) == (12, 12)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_what_was_reworded_is_embedded_again_and_once(store: Store, limit: int) -> None:
    texts(store, 5)
    embed_all(store)
    with store.transaction():
        for number in range(1, 6):
            store.memories.reword(number, draft(f"other {number}"), at=2_000)
        store.memories.retire(2, at=3_000)
        store.memories.purge(Filter(id=3))
    embedder = BagOfWords()

    while not embed_some(store, embedder, limit).is_done:
        pass

    assert embedder.seen == ["other 1", "other 4", "other 5"]
    assert covered(store) == (3, 3)
    assert problems(store) == ()


def test_words_that_change_while_the_model_thinks_are_read_again(store: Store) -> None:
    texts(store, 3)
    rewordings = iter(["first", "second"])

    def reword(_: Sequence[str]) -> None:
        for word in rewordings:
            with store.transaction():
                store.memories.reword(2, draft(word), at=len(word) * 1_000)
            return

    embedder = BagOfWords(before=reword)
    while not embed_some(store, embedder).is_done:
        pass

    assert embedder.seen == ["text 0", "text 1", "text 2", "first", "second"]
    assert covered(store) == (3, 3)


def test_it_looks_at_everything_again_when_changes_are_not_told_any_more(store: Store) -> None:
    texts(store, 3)
    embed_all(store)
    with store.transaction():
        store.memories.reword(1, draft("pear"), at=2_000)
    texts(store, 1)
    forget_changes(store, keep=1)

    embed_all(store)

    assert covered(store) == (4, 4)
    assert problems(store) == ()


def test_a_text_that_the_model_fails_on_is_found_and_not_tried_again(store: Store) -> None:
    texts(store, 9)
    put(store, draft("poison"), draft("text 9"), draft("poison too"))

    def fail(given: Sequence[str]) -> None:
        if any("poison" in text for text in given):
            raise ZeroDivisionError

    embedder = BagOfWords(before=fail)
    assert embed_some(store, embedder) == Progress(embedded=10, unreadable=2)
    assert embed_some(store, embedder).is_done

    assert covered(store) == (12, 12)
    assert coverage.examine(store, embedder.name).unreadable == (10, 12)
    assert problems(store) == ()

    assert coverage.repair(store, embedder.name) == 2
    embed_all(store)  # with one that can read them
    assert coverage.examine(store, embedder.name).unreadable == ()


def test_numbers_that_are_no_vector_are_not_kept(store: Store) -> None:
    class Broken(BagOfWords):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            rows = super().embed(texts)
            rows[0] = np.nan
            rows[1] *= 2
            rows[2] = 0
            return rows

    texts(store, 5)
    assert embed_some(store, Broken()) == Progress(embedded=2, unreadable=3)
    assert coverage.examine(store, "bag-of-words").unreadable == (1, 2, 3)


def test_a_model_that_is_ill_spoils_no_text(store: Store) -> None:
    texts(store, 4)

    def fail(_: Sequence[str]) -> None:
        raise ZeroDivisionError

    def sleep(_: Sequence[str]) -> None:
        raise EmbedderUnavailable

    with pytest.raises(ZeroDivisionError):
        embed_some(store, BagOfWords(before=fail))
    with pytest.raises(EmbedderUnavailable):
        embed_some(store, BagOfWords(before=sleep))
    assert covered(store) == (0, 4)

    embed_all(store)
    assert covered(store) == (4, 4)


def test_a_model_that_makes_other_vectors_than_it_says_is_refused(store: Store) -> None:
    class Wider(BagOfWords):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return np.zeros((len(texts), self.dimension + 1), np.float32)

    texts(store, 2)
    with pytest.raises(VectorMisfit, match="not 2 vectors of 32"):
        embed_some(store, Wider())
    embed_all(store)
    with pytest.raises(VectorMisfit, match="has made vectors of 32 numbers, not 64"):
        embed_some(store, BagOfWords(dimension=64))
    assert covered(store) == (2, 2)


def test_a_former_model_stays_until_the_next_one_is_complete(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "FORGOTTEN", 4)
    former, current = BagOfWords("former"), BagOfWords("current", 16)
    texts(store, 10)
    embed_all(store, former)
    meanings = Meanings(store, [current, former])

    embed_some(store, current, 4)
    asked = meanings.of()
    assert asked is not None
    assert asked.embedder is former
    asked.nearness.sync()
    assert asked.nearness.count() == 10
    assert [str(each) for each in coverage.former(store, "current")] == ["10 of 10"]

    embed_all(store, current)
    now = meanings.of()
    assert now is not None
    assert now.embedder is current
    now.nearness.sync()
    assert now.nearness.count() == 10
    assert [model.name for model in store.vectors.models()] == ["current"]

    # The search that began before holds what it has.
    assert asked.nearness.count() == 10
    assert not np.isnan(asked.nearness.cosines(former.one("text 1"), np.array([2]))).any()


def test_a_former_model_is_loaded_only_while_it_is_needed(store: Store) -> None:
    former, current = BagOfWords("former"), BagOfWords("current", 16)
    asked_for: list[frozenset[str]] = []

    def load(names: frozenset[str]) -> list[BagOfWords]:
        asked_for.append(names)
        return [former]

    meanings = Meanings(store, [current], former=load)

    def asked() -> str:
        meaning = meanings.of()
        assert meaning is not None
        return meaning.embedder.name

    assert asked() == "current", "nothing is stored yet"
    texts(store, 10)
    embed_all(store, former)
    assert (asked(), asked()) == ("former", "former")
    assert asked_for == [frozenset({"former"})], "once"

    embed_all(store, current)
    assert asked() == "current"
    assert len(asked_for) == 1


def test_who_embeds_for_a_moment_forgets_no_other_model(store: Store) -> None:
    texts(store, 3)
    embed_all(store, BagOfWords("former"))
    embedder = BagOfWords("current")

    assert embed_while(store, embedder, lambda: False) == Progress()
    assert embed_while(store, embedder, lambda: True) == Progress(embedded=3, is_done=True)

    assert [model.name for model in store.vectors.models()] == ["former", "current"]


def test_a_house_without_a_model_has_no_meaning(store: Store) -> None:
    assert Meanings(store, []).of() is None


def test_damaged_vectors_are_told_and_made_again(store: Store) -> None:
    texts(store, 6)
    embed_all(store)
    writer = store._connections._writer  # type: ignore[attr-defined]
    nan = np.full(32, np.nan, np.float16).tobytes()
    long = np.full(32, 0.5, np.float16).tobytes()
    for number, blob in enumerate((nan, long, b"abc"), start=1):
        writer.execute("update vectors set vector = ? where memory_id = ?", (blob, number))
    writer.execute("delete from vectors where memory_id = 5")

    told = problems(store)
    assert len(told) == 2
    assert told[0].startswith("3 vectors are damaged (text: #3, #1, #2)")
    assert told[1].startswith("1 memories have no vector of their text and wait")

    assert coverage.repair(store, "bag-of-words") == 3
    embed_all(store)

    assert problems(store) == ()
    assert covered(store) == (6, 6)


def test_what_waits_for_its_vector_is_no_problem(store: Store) -> None:
    texts(store, 3)
    embed_all(store)
    texts(store, 2)
    assert problems(store) == ()
    assert covered(store) == (3, 5)
    (found, _) = coverage.of(store, "bag-of-words")
    assert str(found) == "3 of 5 (60 %)"


def test_thirty_threads_embed_the_same_and_make_no_doubles(store: Store) -> None:
    texts(store, 60)
    put(store, draft("hm", kind=Kind.THOUGHT, type="agent_thinking"))
    failures: list[BaseException] = []

    def work() -> None:
        try:
            embedder = BagOfWords()
            while not embed_some(store, embedder, 7).is_done:
                pass
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(30)]
    for thread in threads:
        thread.start()
    texts(store, 20, "late")
    for thread in threads:
        thread.join()
    embed_all(store)

    assert failures == []
    assert covered(store) == (80, 80)
    assert problems(store) == ()
    _, ids, _ = store.vectors.since(1, TEXT, 0, 1_000)
    assert len(ids) == len(set(ids)) == 80
