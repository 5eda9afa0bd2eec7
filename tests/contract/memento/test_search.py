"""What a search finds, and what it does not."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
from benchmarks.report import Report
from benchmarks.retrieval.memento import calibration

from contract.memento.conftest import FAMILY, Memento
from contract.world import SECOND, Door
from models import FOLDER, needs_model
from promises import last, promise


@pytest.fixture
def family(meaningful: Memento) -> Memento:
    for each in FAMILY:
        meaningful.call("store_memory", **each)
    return meaningful


@needs_model
@promise("memento:search:example")
def test_the_published_example_finds_what_it_should(door: Door) -> None:
    found = door.call(
        "search_memories",
        query="dietary restrictions for the family",
        category_filter="restriction",
        limit=10,
    ).json

    (memory,) = found["memories"]
    assert list(found) == ["memories"]
    assert memory.keys() == {
        *("id", "content", "subject", "category", "tags", "confidence", "created_at"),
        *("updated_at", "relevance_score"),
    }
    assert (memory["content"], memory["subject"], memory["category"]) == (
        "Emma is lactose intolerant",
        "Emma",
        "restriction",
    )
    assert (memory["tags"], memory["confidence"]) == (["dietary", "health"], 1.0)
    assert 0.7 <= memory["relevance_score"] <= 1


FOUND: list[tuple[str, dict[str, object], list[str], str]] = [
    # query, arguments                                found                 because
    (
        "dietary restrictions for the family",
        {},
        ["Emma is lactose intolerant"],
        "the example, bare",
    ),
    ("What can Emma not eat?", {}, ["Emma is lactose intolerant"], "other words, the same matter"),
    ("how does Liam learn best", {}, [str(FAMILY[3]["content"])], "likewise"),
    ("spicy food", {}, ["Gordon loves spicy food"], "the very words"),
    ("who is close to Emma", {"limit": 1}, ["Emma's best friend is Sofia"], "a relationship"),
    ("Gordon loves spicy food", {}, ["Gordon loves spicy food"], "the same text"),
]

NOTHING: list[tuple[str, dict[str, object], str]] = [
    # query                                arguments                         because
    ("stock market prices", {}, "nobody ever said anything about it"),
    ("How do I configure the firewall?", {}, "nor about that"),
    ("Where does Emma work?", {}, "the right person, another matter"),
    ("What car does Gordon drive?", {}, "the right person, another matter"),
    ("Is Gordon lactose intolerant?", {}, "the right matter, another person"),
    ("What can Emma not eat?", {"subject_filter": "Gordon"}, "a filter shuts it out"),
    ("What can Emma not eat?", {"subject_filter": "Nobody"}, "nothing is known of nobody"),
    ("What can Emma not eat?", {"category_filter": "goal"}, "no such category is there"),
    ("What can Emma not eat?", {"threshold": 1}, "only the same text would do"),
    ("?!", {}, "there is no word in it"),
]


@needs_model
@promise("memento:search:example", "memento:search:irrelevant")
def test_what_is_relevant_is_found_and_nothing_else(family: Memento) -> None:
    for query, arguments, found, because in FOUND:
        assert family.found(query, **arguments) == found, because
    for query, arguments, because in NOTHING:
        assert family.found(query, **arguments) == [], because


@needs_model
@promise("memento:search:calibrated")
def test_the_default_threshold_separates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_MODEL_DIR", str(FOLDER))
    report = Report("calibration")

    calibration.measure(report, Namespace(embedder=None))

    (judged,) = (
        row
        for row in report.tables["at the default threshold"]
        if (row["score"], row["half"]) == ("relevance", "judge")
    )
    assert float(str(judged["precision"])) >= 0.9
    assert float(str(judged["recall"])) >= 0.8
    assert report.failures == []


@promise("memento:search:at-once")
@pytest.mark.parametrize("query", ["zanzibar", "Emma's trip to Zanzibar"])
def test_what_was_stored_is_found_at_once(door: Door, query: str) -> None:
    content = f"Emma dreams of Zanzibar, {query}"
    door.call("store_memory", content=content, subject="Emma", category="goal")

    assert content in [each["content"] for each in _memories(door, query=query)]


@needs_model
@promise("memento:search:at-once")
def test_what_was_stored_is_found_at_once_by_meaning(family: Memento) -> None:
    assert family.found("Which instrument does Jake play?") == []
    family.store("Jake practises the violin every day", "Jake", "skill")

    assert family.found("Which instrument does Jake play?") == [
        "Jake practises the violin every day"
    ]


@needs_model
@promise("memento:search:filters")
def test_filters_come_before_the_limit(meaningful: Memento) -> None:
    for number in range(150):
        meaningful.store(f"Jake eats no nuts of kind {number}", "Jake", "restriction")
    meaningful.store("Emma avoids nuts", "Emma", "preference")

    for wanted in ({"subject_filter": "EMMA "}, {"category_filter": "preference"}):
        assert meaningful.found("who eats no nuts", limit=1, **wanted) == ["Emma avoids nuts"]
    assert len(meaningful.found("nuts", limit=20)) == 20


@needs_model
@promise("memento:search:threshold")
def test_the_threshold_holds_for_the_reported_score(family: Memento) -> None:
    every = family.call("search_memories", query="What can Emma not eat?", threshold=0)
    scores = [each["relevance_score"] for each in every["memories"]]

    assert len(scores) == len(FAMILY)
    assert scores == sorted(scores, reverse=True)
    for number, score in enumerate(scores, 1):
        found = family.found("What can Emma not eat?", threshold=score)
        assert len(found) == number, "inclusive"


@promise("memento:search:threshold")
@pytest.mark.parametrize("limit", [1, 3, 20])
def test_zero_cuts_nothing_even_without_a_model(memento: Memento, limit: int) -> None:
    for number in range(30):
        memento.store(f"Emma owns {number} stamps")

    assert len(memento.found("quantum chromodynamics", threshold=0, limit=limit)) == limit


WORDS = [
    # query                            found                                  because
    ("lactose", ["Emma is lactose intolerant"], "a word of it"),
    ("Emma's lactose intolerance", ["Emma is lactose intolerant"], "in another form"),
    ("who is intolerant of milk", ["Emma is lactose intolerant"], "half of the words"),
    ("dietary health", ["Emma is lactose intolerant"], "tags are words as well"),
    ("Gordon", ["Gordon loves spicy food"], "all about somebody"),
    ("Gordon's lactose intolerance", [], "not his"),
    ("stock market prices", [], "no word of it"),
]


@promise("memento:search:words-only")
@pytest.mark.parametrize(("query", "found", "because"), WORDS, ids=last)
def test_without_a_model_words_find(
    memento: Memento, query: str, found: list[str], because: str
) -> None:
    for each in FAMILY:
        memento.call("store_memory", **each)

    assert memento.found(query) == found, because


SCRIPTS = [
    # content               query      because
    ("李雷不吃牛肉", "牛肉", "Chinese, the end"),
    ("李雷不吃牛肉", "不吃", "Chinese, the middle"),
    ("花子は牛乳が飲めない", "牛乳", "Japanese"),
    ("민수는 땅콩을 못 먹는다", "땅콩", "Korean"),
    ("สมชายแพ้ถั่ว", "แพ้ถั่ว", "Thai"),
]


@promise("memento:search:scripts")
@pytest.mark.parametrize(("content", "query", "because"), SCRIPTS, ids=last)
def test_text_without_spaces_is_found_by_its_letters(
    memento: Memento, content: str, query: str, because: str
) -> None:
    memento.store("Emma is lactose intolerant", category="restriction")
    memento.store(content, "x", "restriction")

    assert memento.found(query) == [content], because


@promise("memento:search:words-only")
def test_changes_are_followed_by_a_search_that_has_begun_before(memento: Memento) -> None:
    assert memento.found("lilac") == []
    first = memento.store("Emma planted a lilac")
    assert memento.found("lilac") == ["Emma planted a lilac"]
    memento.now += SECOND
    memento.call("update_memory", memory_id=first["id"], new_content="Emma planted a rose")
    assert (memento.found("lilac"), memento.found("rose")) == ([], ["Emma planted a rose"])
    memento.call("update_memory", memory_id=first["id"], mark_outdated=True)
    assert memento.found("rose") == []


def _memories(door: Door, **arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = door.call("search_memories", **arguments).json["memories"]
    return found
