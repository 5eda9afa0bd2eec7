"""What is stored, once, and what is told about it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contract.memento.conftest import Memento
from contract.world import MINUTE, NOW, World
from models import needs_model
from promises import last, promise

ID = re.compile(r"mem_[a-z0-9]{12}\Z")
PROCESSES = 30

CHILD = """
import json, os, sys
from recollect import settings, wiring
house = wiring.open_house(settings.load(os.environ, db=sys.argv[1]))
ask = house.asker("memento", "alpha")
print("ready", flush=True)
sys.stdin.readline()
reply = ask("store_memory", {
    "content": "Emma is lactose intolerant", "subject": "Emma", "category": "restriction",
    "tags": [f"tag{sys.argv[2]}"], "confidence": int(sys.argv[2]) / 100,
})
print(reply.text, flush=True)
"""


@promise("memento:store:item")
def test_the_stored_item_is_told(memento: Memento) -> None:
    stored = memento.store(
        "Emma is lactose intolerant",
        category="restriction",
        tags=["dietary", "health"],
        confidence=0.9,
    )

    assert ID.match(stored.pop("id"))
    assert stored == {
        "content": "Emma is lactose intolerant",
        "subject": "Emma",
        "category": "restriction",
        "tags": ["dietary", "health"],
        "confidence": 0.9,
        "created_at": "2026-09-21T14:13:20Z",
        "updated_at": "2026-09-21T14:13:20Z",
        "created": True,
        "similar": [],
        "action_required": None,
    }


SAME = [
    # content, subject, category                                       is same   because
    ("Emma likes tea", "Emma", "preference", True, "the very same"),
    ("  emma LIKES\n tea ", "Emma", "preference", True, "case and spaces do not matter"),
    ("Emma likes tea", " EMMA ", "preference", True, "nor in the subject"),
    (
        "Emma likes \uff54\uff45\uff41",
        "\uff25mma",
        "preference",
        True,
        "nor do wide letters",
    ),
    ("Emma likes tea.", "Emma", "preference", False, "a full stop does"),
    ("Emma likes tea", "Emma", "fact", False, "another category is another fact"),
    ("Emma likes tea", "Jake", "preference", False, "and so is another subject"),
]


@promise("memento:store:idempotent")
@pytest.mark.parametrize(("content", "subject", "category", "same", "because"), SAME, ids=last)
def test_identical_facts_are_one(
    memento: Memento, content: str, subject: str, category: str, same: bool, because: str
) -> None:
    first = memento.store("Emma likes tea", category="preference", tags=["drinks"], confidence=0.4)
    memento.now += MINUTE
    again = memento.store(content, subject, category, tags=["Drinks", "hot", " "], confidence=0.2)

    assert (again["id"] == first["id"], not again["created"]) == (same, same), because
    if same:
        kept = ["drinks", "hot"]
        assert (again["tags"], again["confidence"], again["subject"]) == (kept, 0.4, "Emma")
        assert again["content"] == "Emma likes tea"
        assert again["created_at"] == first["created_at"] < again["updated_at"]
        assert (again["similar"], again["action_required"]) == ([], None)
    assert memento.call("get_memory_stats")["total_memories"] == (1 if same else 2)


@promise("memento:store:idempotent")
def test_the_higher_confidence_is_kept(memento: Memento) -> None:
    memento.store("Emma sings", confidence=0)

    assert memento.store("Emma sings", confidence=0.8)["confidence"] == 0.8
    assert memento.store("Emma sings", confidence=0)["confidence"] == 0.8


@promise("memento:store:idempotent")
def test_what_is_outdated_may_come_again(memento: Memento) -> None:
    first = memento.store("Emma is ill")
    memento.call("update_memory", memory_id=first["id"], mark_outdated=True)

    again = memento.store("Emma is ill")

    assert again["created"]
    assert again["id"] != first["id"]


@promise("memento:store:crowd")
def test_thirty_processes_store_a_fact_once(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, {"RECOLLECT_EMBEDDER": "none"})
    Memento(world).house.close()
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, world.settings.store, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=world.environ,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in crowd:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [json.loads(process.communicate(timeout=60)[0]) for process in crowd]

    assert len({each["id"] for each in told}) == 1
    assert sum(each["created"] for each in told) == 1
    memento = Memento(world)
    (kept,) = memento.call("list_recent_memories")["memories"]
    assert sorted(kept["tags"]) == sorted(f"tag{number}" for number in range(PROCESSES))
    assert kept["confidence"] == 0.29
    memento.house.close()


@promise("memento:store:confidence")
@pytest.mark.parametrize(
    ("given", "kept"), [({}, 1.0), ({"confidence": 0}, 0.0), ({"confidence": 1}, 1.0)]
)
def test_confidence_is_kept(memento: Memento, given: dict[str, Any], kept: float) -> None:
    assert memento.store("Emma sings", **given)["confidence"] == kept
    (listed,) = memento.call("list_recent_memories")["memories"]
    assert listed["confidence"] == kept


@needs_model
@promise("memento:store:similar")
def test_similar_facts_are_told(meaningful: Memento) -> None:
    seattle = meaningful.store("User lives in Seattle", "user", "fact")
    meaningful.store("User lives in Seattle", "Gordon", "fact")
    meaningful.store("User plays the cello", "user", "skill")
    gone = meaningful.store("User has a flat in Seattle", "user", "fact")
    meaningful.call("update_memory", memory_id=gone["id"], mark_outdated=True)

    austin = meaningful.store("User moved to Austin", "USER", "fact")

    assert [each["id"] for each in austin["similar"]] == [seattle["id"]]
    assert austin["action_required"].startswith(
        f'user has a similar fact already: {seattle["id"]} ("User lives in Seattle").'
    )


@needs_model
@promise("memento:store:similar")
def test_a_similar_fact_of_another_category_asks_for_nothing(meaningful: Memento) -> None:
    meaningful.store("Emma is allergic to peanuts", category="restriction", tags=["food"])

    stored = meaningful.store("Emma hates peanuts", category="preference", tags=["food"])

    assert [each["content"] for each in stored["similar"]] == ["Emma is allergic to peanuts"]
    assert stored["action_required"] is None


@needs_model
@promise("memento:store:similar", "memento:store:never-merged")
def test_at_most_five_are_told_and_none_is_merged(meaningful: Memento) -> None:
    for number in range(8):
        stored = meaningful.store(f"Emma is allergic to {number} kinds of nuts")

    assert len(stored["similar"]) == 5
    assert stored["id"] not in {each["id"] for each in stored["similar"]}
    assert meaningful.call("get_memory_stats")["total_memories"] == 8


@needs_model
@promise("memento:store:never-merged")
def test_the_opposite_is_another_memory(meaningful: Memento) -> None:
    meaningful.store("User likes coffee", "user", "preference")

    assert meaningful.store("User dislikes coffee", "user", "preference")["created"]


@promise("memento:store:subjects")
def test_a_subject_is_shown_as_it_was_first_written(memento: Memento) -> None:
    memento.store("Grandma bakes", "Grandma  Rosa")
    memento.store("Grandma knits", "GRANDMA ROSA", "skill")
    memento.store("Grandma reads", "grandma rosa\t")

    listed = memento.call("list_recent_memories", subject_filter=" \uff27randma rosa ")["memories"]

    assert {each["subject"] for each in listed} == {"Grandma Rosa"}
    assert len(listed) == 3
    assert memento.call("get_memory_stats")["by_subject"] == {"Grandma Rosa": 3}


@promise("memento:store:length")
def test_a_long_content_is_kept_whole(memento: Memento) -> None:
    content = "Emma said: " + "bla " * 24_997 + "z"
    assert len(content) == 100_000

    stored = memento.store(content, tags=[f"tag {number}" for number in range(1_000)])

    (listed,) = memento.call("list_recent_memories")["memories"]
    assert listed["content"] == stored["content"] == content
    assert len(listed["tags"]) == 1_000
    error = memento.refused(
        "store_memory", content=content, subject="Emma", category="fact", tags=["one more"]
    )
    assert error["message"] == "tags would be 1001 with those that it has; at most 1000"


@promise("memento:store:privacy")
def test_what_is_private_or_secret_is_not_written(memento: Memento) -> None:
    key = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD2fG5"
    stored = memento.store(
        f"Emma's token is {key} <private>and she is shy</private>",
        tags=[key, "<private>shy</private>"],
    )
    memento.call(
        "update_memory", memory_id=stored["id"], mark_outdated=True, reason=f"it was {key}"
    )
    memento.house.close()

    for path in memento.world.home.rglob("*"):
        if path.is_file():
            assert key.encode() not in path.read_bytes(), path
            assert b"she is shy" not in path.read_bytes(), path
    assert stored["content"] == "Emma's token is [REDACTED]"
    assert stored["tags"] == ["[REDACTED]"]


@promise("memento:store:privacy")
def test_what_is_wholly_private_is_refused(memento: Memento) -> None:
    error = memento.refused(
        "store_memory", content="<private>all</private>", subject="Emma", category="fact"
    )

    assert error["code"] == "INVALID_PARAMETER"
    assert error["message"] == "content holds nothing but what is private"
    assert memento.call("get_memory_stats")["total_memories"] == 0
