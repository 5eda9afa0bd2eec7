"""Memento's five tools as they are listed, and how any call may go wrong."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlite

from contract.memento.conftest import Memento
from contract.world import MINUTE, NOW, SECOND, Door, World
from promises import last, promise
from recollect.dialects.memento.wording import problem
from recollect.model import errors

CATEGORIES = [
    *("preference", "restriction", "fact", "skill"),
    *("relationship", "goal", "history", "context"),
]

# name → description, {parameter: what the contract says of it but its description}, required
FIVE = {
    "store_memory": (
        (
            "Store a new fact or memory about a person, preference, or situation. Use this when "
            "you learn something new that should be remembered for future conversations."
        ),
        {
            "content": {"type": "string"},
            "subject": {"type": "string"},
            "category": {"type": "string", "enum": CATEGORIES},
            "tags": {"type": "array", "items": {"type": "string"}},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        ["content", "subject", "category"],
    ),
    "search_memories": (
        (
            "Search for relevant memories based on a query. Use this to recall information about "
            "subjects, preferences, or past context."
        ),
        {
            "query": {"type": "string"},
            "subject_filter": {"type": "string"},
            "category_filter": {"type": "string", "enum": CATEGORIES},
            "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
            "threshold": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.7},
        },
        ["query"],
    ),
    "list_recent_memories": (
        (
            "List the most recently stored memories. Useful for reviewing what was just learned or "
            "stored."
        ),
        {
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "subject_filter": {"type": "string"},
        },
        [],
    ),
    "update_memory": (
        "Update an existing memory when information changes or becomes outdated.",
        {
            "memory_id": {"type": "string"},
            "new_content": {"type": "string"},
            "mark_outdated": {"type": "boolean"},
            "reason": {"type": "string"},
        },
        ["memory_id"],
    ),
    "get_memory_stats": (
        "Get statistics about the stored memories for a subject or overall system.",
        {"subject_filter": {"type": "string"}},
        [],
    ),
}

DESCRIBED = {
    "content": "The fact or memory to store. Should be a clear, standalone statement.",
    "confidence": "Confidence level in this memory (0-1). Default 1.0 for explicitly stated facts, "
    "lower for inferred information.",
    "query": "Natural language query to search for",
    "threshold": "Minimum similarity score for results (0-1)",
    "memory_id": "ID of the memory to update",
    "mark_outdated": "If true, mark as outdated rather than updating content",
    "reason": "Reason for the update or why it's outdated",
}
"""Some descriptions of parameters, to the letter."""


@promise("memento:tools:published")
def test_exactly_the_five_published_tools_are_listed(door: Door) -> None:
    tools = door.ask("tools/list", {})["result"]["tools"]

    listed, described = {}, dict[str, str]()
    for tool in tools:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        described |= {name: each["description"] for name, each in schema["properties"].items()}
        properties = {
            name: {key: value for key, value in each.items() if key != "description"}
            for name, each in schema["properties"].items()
        }
        listed[tool["name"]] = (tool["description"], properties, schema.get("required", []))
    assert listed == FIVE
    assert DESCRIBED.items() <= described.items()
    reading = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in tools}
    assert [name for name, only_reads in reading.items() if not only_reads] == [
        "store_memory",
        "update_memory",
    ]


FACT = {"content": "Emma sings", "subject": "Emma", "category": "skill"}
LONG = "x" * 100_001

REFUSED: list[tuple[str, dict[str, object], str, str]] = [
    # tool           arguments                                 error                 because
    ("store_memory", {}, "content is required", "what is required must be there"),
    ("store_memory", {**FACT, "subject": None}, "subject is required", "null is not there"),
    ("store_memory", {**FACT, "content": 5}, "content must be a string", "a number is no text"),
    ("store_memory", {**FACT, "content": " \n"}, "content must not be empty", "blank content"),
    ("store_memory", {**FACT, "subject": "\t"}, "subject must not be empty", "a blank subject"),
    ("store_memory", {**FACT, "subject": "x" * 201}, "subject has 201", "an endless subject"),
    ("store_memory", {**FACT, "content": LONG}, "content has 100001", "one character too many"),
    ("store_memory", {**FACT, "content": "x" * 10**6}, "content has 1000000", "a megabyte of it"),
    ("store_memory", {**FACT, "category": "food"}, "category must be one of", "no such category"),
    ("store_memory", {**FACT, "category": "Fact"}, "category must be one of", "case matters"),
    ("store_memory", {**FACT, "tags": "food"}, "tags must be an array", "a text is no list"),
    ("store_memory", {**FACT, "tags": ["a", 1]}, "tags[1] must be a string", "a number in it"),
    ("store_memory", {**FACT, "tags": ["t"] * 10_000}, "tags has 10000 entries", "too many tags"),
    ("store_memory", {**FACT, "tags": ["x" * 201]}, "tags[0] has 201", "an endless tag"),
    ("store_memory", {**FACT, "confidence": 1.1}, "confidence must be at most 1", "above one"),
    ("store_memory", {**FACT, "confidence": -0.1}, "confidence must be at least 0", "below zero"),
    ("store_memory", {**FACT, "confidence": True}, "confidence must be a number", "a boolean"),
    ("store_memory", {**FACT, "confidence": "1"}, "confidence must be a number", "a text"),
    ("search_memories", {}, "query is required", "no query at all"),
    ("search_memories", {"query": "  "}, "query must not be empty", "a blank query"),
    ("search_memories", {"query": "x", "limit": 0}, "limit must be at least 1", "none wanted"),
    ("search_memories", {"query": "x", "limit": 21}, "limit must be at most 20", "not held to 20"),
    ("search_memories", {"query": "x", "limit": 2.5}, "limit must be an integer", "a fraction"),
    ("search_memories", {"query": "x", "limit": True}, "limit must be an integer", "true is no 1"),
    ("search_memories", {"query": "x", "threshold": 1.01}, "threshold must be", "above one"),
    ("search_memories", {"query": "x", "threshold": "0"}, "threshold must be a number", "a text"),
    ("search_memories", {"query": "x", "subject_filter": 1}, "subject_filter", "a number"),
    ("search_memories", {"query": "x", "subject_filter": " "}, "subject_filter", "a blank filter"),
    ("search_memories", {"query": "x", "category_filter": "x"}, "category_filter", "no category"),
    ("list_recent_memories", {"limit": 51}, "limit must be at most 50", "not held to 50"),
    ("list_recent_memories", {"limit": "5"}, "limit must be an integer", "nothing is coerced"),
    ("update_memory", {}, "memory_id is required", "no id"),
    ("update_memory", {"memory_id": 7, "mark_outdated": True}, "memory_id must", "a number"),
    ("update_memory", {"memory_id": ["mem_x"]}, "memory_id must be a string", "a list"),
    ("update_memory", {"memory_id": {"id": "mem_x"}}, "memory_id must be", "an object"),
    ("update_memory", {"memory_id": True}, "memory_id must be a string", "a boolean is no id"),
    ("update_memory", {"memory_id": " ", "new_content": "x"}, "memory_id must not", "a blank id"),
    ("update_memory", {"memory_id": "mem_x", "mark_outdated": 1}, "mark_outdated must", "1"),
    ("update_memory", {"memory_id": "mem_x", "new_content": ""}, "new_content must not", "blank"),
    ("update_memory", {"memory_id": "mem_x", "new_content": LONG}, "new_content has", "too long"),
    ("get_memory_stats", {"subject_filter": []}, "subject_filter must be a string", "a list"),
]


@promise("memento:tools:refused", "memento:tools:errors")
@pytest.mark.parametrize(("tool", "arguments", "message", "because"), REFUSED, ids=last)
def test_what_is_wrong_is_refused_by_name(
    door: Door, tool: str, arguments: dict[str, object], message: str, because: str
) -> None:
    result = door.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    assert result["isError"] is True
    (block,) = result["content"]
    assert json.loads(block["text"]) == result["structuredContent"]
    error = result["structuredContent"]["error"]
    assert error["code"] == "INVALID_PARAMETER"
    assert error["message"].startswith(message), because


@promise("memento:tools:refused")
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(memento: Memento, number: float) -> None:
    told = memento.refused("store_memory", **FACT, confidence=number)
    assert told["message"] == "confidence must be a number, not NaN or infinity"
    told = memento.refused("search_memories", query="x", threshold=number)
    assert told["message"] == "threshold must be a number, not NaN or infinity"


@promise("memento:tools:structured")
def test_results_are_structured_content_as_well(door: Door) -> None:
    for tool, arguments in (
        ("search_memories", {"query": "Emma"}),
        ("list_recent_memories", {}),
        ("get_memory_stats", {}),
    ):
        result = door.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        (block,) = result["content"]
        assert json.loads(block["text"]) == result["structuredContent"]


@promise("memento:tools:absent")
def test_unknown_arguments_and_nulls_change_nothing(door: Door) -> None:
    plain = door.call("list_recent_memories")

    assert door.call("list_recent_memories", limit=None, subject_filter=None, mood="fine") == plain
    assert len(plain.json["memories"]) >= 4


@promise("memento:tools:storage-error")
def test_a_store_that_fails_is_a_storage_error_and_shows_no_path(memento: Memento) -> None:
    breaker = sqlite.connect(memento.world.settings.store)
    breaker.execute("drop table facts")
    breaker.close()

    error = memento.refused("list_recent_memories")

    assert error == {"code": "STORAGE_ERROR", "message": "no such table: facts"}


CODES = [
    # problem                                        code
    (errors.MemoryNotFound(), "MEMORY_NOT_FOUND"),
    (errors.InvalidArgument("limit", "is wrong"), "INVALID_PARAMETER"),
    (errors.StoreBusy(), "STORAGE_ERROR"),
    (errors.StoreUntrusted(), "STORAGE_ERROR"),
    (errors.EmbedderUnavailable(), "EMBEDDING_ERROR"),
    (errors.RateLimited(retry_after=3), "RATE_LIMIT"),
    (errors.UnknownDialect(), "INTERNAL_ERROR"),
]


@promise("memento:tools:codes")
@pytest.mark.parametrize(("error", "code"), CODES)
def test_every_problem_has_a_code(error: errors.RecollectError, code: str) -> None:
    told = problem(error)["error"]

    assert isinstance(told, dict)
    assert told["code"] == code
    assert told["message"] == error.message


@promise("memento:tools:rate-limit")
def test_beyond_the_rate_a_call_is_refused_until_its_time(tmp_path: Path) -> None:
    limited = Memento(World(tmp_path, NOW, {"RECOLLECT_MEMENTO_RATE_LIMIT": "3/1m"}))
    for _ in range(3):
        limited.call("get_memory_stats")

    error = limited.refused("get_memory_stats")
    assert error == {
        "code": "RATE_LIMIT",
        "message": "too many requests; try again in 20 s",
        "retry_after": 20,
    }
    limited.now += 19 * SECOND
    assert limited.refused("get_memory_stats")["retry_after"] == 1
    limited.now += SECOND
    limited.call("get_memory_stats")
    limited.refused("get_memory_stats")
    limited.now += MINUTE
    limited.call("get_memory_stats")
    limited.house.close()


@promise("memento:tools:rate-limit")
def test_every_tool_counts(tmp_path: Path) -> None:
    limited = Memento(World(tmp_path, NOW, {"RECOLLECT_MEMENTO_RATE_LIMIT": "1/1m"}))
    stored = limited.store("Emma sings")
    calls: dict[str, dict[str, object]] = {
        "store_memory": {"content": "x", "subject": "Emma", "category": "fact"},
        "search_memories": {"query": "Emma"},
        "list_recent_memories": {},
        "update_memory": {"memory_id": stored["id"], "mark_outdated": True},
        "get_memory_stats": {},
    }
    assert [limited.refused(tool, **arguments)["code"] for tool, arguments in calls.items()] == [
        *["RATE_LIMIT"] * len(calls)
    ]
    for tool, arguments in calls.items():
        limited.now += MINUTE
        limited.call(tool, **arguments)
        assert limited.refused("get_memory_stats")["code"] == "RATE_LIMIT"
    limited.house.close()


@promise("memento:tools:rate-limit")
def test_by_default_there_is_no_rate(memento: Memento) -> None:
    for _ in range(200):
        memento.call("list_recent_memories")
