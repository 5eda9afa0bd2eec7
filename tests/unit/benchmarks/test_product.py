"""The product's ways to search answer by the corpus' ids, all from one store of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from benchmarks.retrieval import product
from benchmarks.retrieval.corpus import Item
from benchmarks.scale.questions import questions
from benchmarks.scale.texts import WORDS, texts

ITEMS = [
    Item(id="a", text="The cache is warm", project="one", session="s", speaker="Ada"),
    Item(id="b", text="A warm cache, and nothing else", project="two"),
    Item(id="c", text="Something about sailing boats", project="one"),
]


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("RECOLLECT_MODEL_DIR", raising=False)
    yield
    product.close()


def test_words_are_found_within_the_scope() -> None:
    with product.words_only() as search:
        assert search.index(ITEMS) > 0
        assert list(search.ask("Is the cache warm?", "one", 10)) == ["a"]
        assert sorted(search.ask("Is the cache warm?", None, 10)) == ["a", "b"]
        assert len(search.ask("Is the cache warm?", None, 1)) == 1


def test_all_ways_of_a_run_ask_the_same_store() -> None:
    assert product.stored(ITEMS) is product.stored(ITEMS)
    assert product.stored(list(ITEMS)) is not product.stored(ITEMS)


def test_without_a_model_nothing_is_called_a_search_by_meaning() -> None:
    with product.hybrid() as search:
        search.index(ITEMS)
        with pytest.raises(product.NoModel):
            search.ask("Is the cache warm?", "one", 10)


def test_questions_of_scale_are_as_people_put_them() -> None:
    found = list(texts(1, 50, now=0))
    asked = questions(found, 40, seed="x")
    assert asked == questions(found, 40, seed="x")
    assert len(set(asked)) == 40
    assert {len(question.split()) for question in asked} <= set(range(5, 13))
    vocabulary = set(WORDS)
    assert all(vocabulary & set(question.split()) for question in asked)
