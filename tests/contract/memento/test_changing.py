"""Memories that are listed, changed, retired and counted, and how they look from elsewhere."""

from __future__ import annotations

import json
import re

import pytest

from contract.memento.conftest import Memento
from contract.world import MINUTE
from models import needs_model
from promises import promise
from recollect.model.memory import Kind
from recollect.privacy.clean import Rules
from recollect.service import records, remember, transfer


@promise("memento:list:recent")
def test_the_last_stored_come_first(memento: Memento) -> None:
    for number in range(12):
        memento.store(f"fact {number}", "Emma" if number % 2 else "Jake")
        memento.now += MINUTE
    gone = memento.store("fact 12", "Emma")
    memento.call("update_memory", memory_id=gone["id"], mark_outdated=True)

    def listed(**arguments: object) -> list[str]:
        found = memento.call("list_recent_memories", **arguments)
        assert list(found) == ["memories"]
        return [each["content"] for each in found["memories"]]

    assert listed() == [f"fact {number}" for number in range(11, 1, -1)]
    assert listed(limit=2) == ["fact 11", "fact 10"]
    assert listed(limit=50, subject_filter="emma") == [f"fact {n}" for n in (11, 9, 7, 5, 3, 1)]
    assert listed(subject_filter="nobody") == []


@promise("memento:update:content")
def test_new_content_takes_the_place_of_the_old(memento: Memento) -> None:
    old = memento.store("Emma lives in Berne", tags=["home"], confidence=0.5)
    memento.now += MINUTE

    told = memento.call(
        "update_memory",
        memory_id=old["id"],
        new_content=" Emma lives in Basle ",
        reason="she moved",
        mark_outdated=False,
    )

    assert told == {
        "success": True,
        "memory": {
            "id": old["id"],
            "content": "Emma lives in Basle",
            "subject": "Emma",
            "category": "fact",
            "tags": ["home"],
            "confidence": 0.5,
            "created_at": old["created_at"],
            "updated_at": "2026-09-21T14:14:20Z",
        },
    }
    assert (memento.found("Berne"), memento.found("Basle")) == ([], ["Emma lives in Basle"])
    (former,) = memento.house.store.memories.former(1)
    assert (former.text, former.reason) == ("Emma lives in Berne", "she moved")


@promise("memento:update:content")
def test_the_same_content_again_changes_nothing(memento: Memento) -> None:
    stored = memento.store("Emma sings")
    memento.now += MINUTE

    told = memento.call("update_memory", memory_id=stored["id"], new_content="Emma sings")

    assert told["memory"]["updated_at"] == stored["updated_at"]
    assert memento.house.store.memories.former(1) == []


@promise("memento:update:content")
def test_what_says_the_same_as_another_by_now_stays_itself(memento: Memento) -> None:
    one, other = memento.store("Emma sings"), memento.store("Emma hums")

    told = memento.call("update_memory", memory_id=other["id"], new_content="Emma sings")

    assert told["memory"]["id"] == other["id"]
    assert memento.store("Emma sings")["id"] == one["id"]
    assert memento.call("get_memory_stats")["total_memories"] == 2
    assert memento.store("Emma hums")["created"], "nothing says so any more"


@needs_model
@promise("memento:update:content")
def test_new_content_is_found_by_its_meaning(meaningful: Memento) -> None:
    stored = meaningful.store("Emma lives in a small flat in Berne")
    meaningful.call(
        "update_memory", memory_id=stored["id"], new_content="Emma practises the violin every day"
    )

    assert meaningful.found("Where is Emma's home?") == []
    assert meaningful.found("Which instrument does Emma play?") == [
        "Emma practises the violin every day"
    ]


@promise("memento:update:content", "memento:store:idempotent")
def test_the_new_words_are_known_from_then_on_and_the_old_ones_are_new_again(
    memento: Memento,
) -> None:
    stored = memento.store("Emma sings alto")
    memento.call("update_memory", memory_id=stored["id"], new_content="Emma sings soprano")

    same, former = memento.store("emma sings  SOPRANO"), memento.store("Emma sings alto")

    assert (same["id"], same["created"]) == (stored["id"], False)
    assert (former["id"] != stored["id"], former["created"]) == (True, True)


@promise("memento:update:content")
def test_what_is_outdated_gets_no_new_content(memento: Memento) -> None:
    stored = memento.store("Emma sings")
    memento.call("update_memory", memory_id=stored["id"], mark_outdated=True)

    error = memento.refused("update_memory", memory_id=stored["id"], new_content="Emma hums")

    assert error["code"] == "INVALID_PARAMETER"
    assert error["message"].startswith("new_content cannot be given to")


@promise("memento:update:outdated")
def test_mark_outdated_beats_new_content(memento: Memento) -> None:
    stored = memento.store("Emma is ill")
    memento.now += MINUTE
    arguments = {"memory_id": stored["id"], "mark_outdated": True}

    told = memento.call("update_memory", **arguments, new_content="x", reason="she is well again")
    memento.now += MINUTE
    again = memento.call("update_memory", **arguments, reason="another reason")

    assert told == again
    assert told["success"] is True
    memory = told["memory"]
    assert (memory["content"], memory["outdated"]) == ("Emma is ill", True)
    assert memory["reason"] == "she is well again"
    assert memory["updated_at"] == "2026-09-21T14:14:20Z"
    assert memento.found("ill", threshold=0) == []
    assert memento.call("list_recent_memories")["memories"] == []
    assert memento.call("get_memory_stats")["total_memories"] == 0


@promise("memento:update:outdated")
def test_no_reason_is_no_reason(memento: Memento) -> None:
    stored = memento.store("Emma is ill")

    told = memento.call("update_memory", memory_id=stored["id"], mark_outdated=True, reason=" ")

    assert told["memory"]["reason"] is None


@promise("memento:update:neither")
@pytest.mark.parametrize("more", [{}, {"mark_outdated": False}, {"reason": "because"}])
def test_nothing_to_do_is_refused(memento: Memento, more: dict[str, object]) -> None:
    stored = memento.store("Emma sings")

    error = memento.refused("update_memory", memory_id=stored["id"], **more)

    assert error == {
        "code": "INVALID_PARAMETER",
        "message": "new_content is required, unless mark_outdated is true",
    }


@promise("memento:update:unknown")
@pytest.mark.parametrize("memory_id", ["mem_xyz789", "1", "mem_" + "é" * 12, "x" * 10_000, "%"])
@pytest.mark.parametrize("how", [{"mark_outdated": True}, {"new_content": "x"}])
def test_an_unknown_id_is_not_found(
    memento: Memento, memory_id: str, how: dict[str, object]
) -> None:
    memento.store("Emma sings")

    assert memento.refused("update_memory", memory_id=memory_id, **how) == {
        "code": "MEMORY_NOT_FOUND",
        "message": f"Memory with ID {memory_id} not found",
    }


NONE = dict.fromkeys(
    (
        *("preference", "restriction", "fact", "skill"),
        *("relationship", "goal", "history", "context"),
    ),
    0,
)


@promise("memento:stats:shape")
def test_an_empty_store_has_zeros(memento: Memento) -> None:
    assert memento.call("get_memory_stats") == {
        "total_memories": 0,
        "by_category": NONE,
        "by_subject": {},
        "oldest_memory": None,
        "newest_memory": None,
    }


@promise("memento:stats:shape")
def test_statistics_count_what_is_live(memento: Memento) -> None:
    gone = memento.store("Jake is ill", "Jake", "context")
    memento.now += MINUTE
    memento.store("Emma sings", "Emma", "skill")
    memento.store("Jake sings", "Jake", "skill")
    memento.now += MINUTE
    memento.store("Emma is tall", "emma", "fact")
    memento.call("update_memory", memory_id=gone["id"], mark_outdated=True)

    assert memento.call("get_memory_stats") == {
        "total_memories": 3,
        "by_category": {**NONE, "skill": 2, "fact": 1},
        "by_subject": {"Emma": 2, "Jake": 1},
        "oldest_memory": "2026-09-21T14:14:20Z",
        "newest_memory": "2026-09-21T14:15:20Z",
    }
    assert memento.call("get_memory_stats", subject_filter=" JAKE") == {
        "total_memories": 1,
        "by_category": {**NONE, "skill": 1},
        "by_subject": {"Jake": 1},
        "oldest_memory": "2026-09-21T14:14:20Z",
        "newest_memory": "2026-09-21T14:14:20Z",
    }


@promise("memento:house:nmem")
def test_a_fact_is_found_by_nmem(memento: Memento) -> None:
    memento.store("Emma is lactose intolerant", category="restriction")
    nmem = memento.house.asker("nmem", "alpha")

    (found,) = json.loads(nmem("search", {"query": "lactose"}).text)
    (of_type,) = json.loads(nmem("search", {"query": "emma", "obs_type": "fact"}).text)

    assert found == of_type
    assert found["obs_type"] == "fact"
    assert found["content_preview"] == "Emma is lactose intolerant"


@promise("memento:house:notes")
def test_a_mark_is_a_memory_about_its_project(memento: Memento) -> None:
    remember.mark(
        memento.house.store,
        "use pnpm, not npm",
        project="alpha",
        at=memento.now,
        public_id="mem_abcdefghijkl",
        is_redacted=False,
    )

    (memory,) = memento.call("search_memories", query="pnpm")["memories"]
    assert (memory["subject"], memory["category"]) == ("alpha", "context")
    assert re.fullmatch(r"mem_[a-z0-9]{12}", memory["id"])
    stats = memento.call("get_memory_stats")
    assert (stats["by_category"]["context"], stats["by_subject"]) == (1, {"alpha": 1})

    memento.call("update_memory", memory_id=memory["id"], new_content="use bun, not npm")
    assert memento.found("bun") == ["use bun, not npm"]
    (note,) = memento.house.store.memories.get([1])
    assert note.kind is Kind.NOTE
    memento.call("update_memory", memory_id=memory["id"], mark_outdated=True)
    assert memento.found("bun", threshold=0) == []


@needs_model
@promise("memento:house:notes")
def test_a_mark_is_found_by_its_meaning(meaningful: Memento) -> None:
    remember.mark(
        meaningful.house.store,
        "releases are cut on Tuesdays only",
        project="alpha",
        at=meaningful.now,
        public_id="mem_abcdefghijkl",
        is_redacted=False,
    )
    meaningful.house.embed_some()
    meaningful.house.embed_some()

    found = meaningful.found("When do we ship a new version?", threshold=0.6)
    assert found == ["releases are cut on Tuesdays only"]


@needs_model
@promise("memento:house:imported")
def test_an_imported_line_about_somebody_is_a_memory_like_any_other(meaningful: Memento) -> None:
    line = {
        "text": "Jon keeps his bicycle in the cellar of the office",
        "kind": "belongings",
        "subject": "Jon",
        "category": "fact",
        "created_at": "2025-01-01",
    }
    record = records.read(line, rules=Rules(), project="alpha", now=meaningful.now)
    transfer.bring(meaningful.house.store, [record], new_id=lambda: "mem_abcdefghijkl")
    while meaningful.house.embed_some():
        pass

    assert meaningful.found("where is the bike of Jon?") == [line["text"]]
    stats = meaningful.call("get_memory_stats")
    assert (stats["total_memories"], stats["by_subject"]) == (1, {"Jon": 1})
    assert stats["oldest_memory"] == stats["newest_memory"] == "2025-01-01T00:00:00Z"
