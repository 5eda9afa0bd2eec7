"""Whatever is wrong with a request is told by name, and nothing is stored by it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.codemem.past import DECISION, EDIT, Call
from contract.world import Door
from promises import last, promise

NOTE: dict[str, object] = {"kind": "note", "title": "Keep cloves dry", "body": "Zanzibar"}

WRONG: list[tuple[str, dict[str, object], str, str]] = [
    # tool              arguments                     error                          because
    ("memory_explain", {"query": 5}, "query must be", "a number is no text"),
    ("memory_explain", {"query": ["x"]}, "query must be", "a list is no text"),
    ("memory_explain", {"query": "x", "project": 5}, "project must be", "nor is it a project"),
    ("memory_explain", {"query": "x", "limit": "5"}, "limit must be", "nothing is coerced"),
    ("memory_explain", {"query": "x", "limit": 2.5}, "limit must be", "a fraction is refused"),
    ("memory_explain", {"query": "x", "limit": True}, "limit must be", "so is a boolean"),
    (
        "memory_explain",
        {"query": "x", "include_pack_context": 1},
        "include_pack_context must be a boolean",
        "a number is no boolean",
    ),
    (
        "memory_explain",
        {"query": "x", "include_pack_context": "true"},
        "include_pack_context must be a boolean",
        "a text is no boolean",
    ),
    ("memory_search", {}, "query is required", "what is required must be there"),
    ("memory_search", {"query": None}, "query is required", "null is not there"),
    ("memory_search", {"query": " \n"}, "query must not be empty", "a blank query asks nothing"),
    ("memory_search", {"query": 5}, "query must be a string", "a number is no query"),
    ("memory_search", {"query": "x", "limit": []}, "limit must be", "a list is no number"),
    ("memory_get", {}, "memory_id is required", "an id is needed"),
    ("memory_get", {"memory_id": "4"}, "memory_id must be an integer", "a text is no id"),
    ("memory_get", {"memory_id": 4.0}, "memory_id must be an integer", "a fraction is no id"),
    ("memory_get", {"memory_id": True}, "memory_id must be an integer", "a boolean is no id"),
    ("memory_forget", {"memory_id": [4]}, "memory_id must be an integer", "a list is no id"),
    ("memory_recent", {"kind": "wisdom"}, "kind must be one of", "an unknown kind is refused"),
    ("memory_recent", {"kind": 5}, "kind must be", "a number is no kind"),
    ("memory_timeline", {"memory_id": "4"}, "memory_id must be", "a text is no anchor"),
    ("memory_timeline", {"memory_id": 4, "depth_after": "1"}, "depth_after", "nor is it a depth"),
    ("memory_pack", {}, "context is required", "a context is needed"),
    ("memory_pack", {"context": " "}, "context must not be empty", "a blank one says nothing"),
    ("memory_pack", {"context": "x", "token_budget": "9"}, "token_budget must", "not coerced"),
    ("memory_pack", {"context": "x", "token_budget": 9.5}, "token_budget must", "no fraction"),
    ("memory_remember", {**NOTE, "kind": None}, "kind is required", "a kind is needed"),
    ("memory_remember", {**NOTE, "kind": 5}, "kind must be a string", "a number is no kind"),
    ("memory_remember", {**NOTE, "title": None}, "title is required", "a title is needed"),
    ("memory_remember", {**NOTE, "title": " "}, "title must not be empty", "blank is none"),
    ("memory_remember", {**NOTE, "body": ""}, "body must not be empty", "a body is needed"),
    ("memory_remember", {**NOTE, "body": 7}, "body must be a string", "a number is no body"),
    ("memory_remember", {**NOTE, "confidence": 1.01}, "confidence must be at most 1", "over 1"),
    ("memory_remember", {**NOTE, "confidence": -0.1}, "confidence must be at least 0", "below 0"),
    ("memory_remember", {**NOTE, "confidence": True}, "confidence must be", "no boolean"),
    ("memory_remember", {**NOTE, "confidence": "1"}, "confidence must be", "no text either"),
    ("memory_remember", {**NOTE, "created_at": "soon"}, "created_at must be", "no time at all"),
    ("memory_remember", {**NOTE, "created_at": True}, "created_at must be", "a boolean is none"),
    ("memory_remember", {**NOTE, "created_at": 1e300}, "created_at must be", "beyond any clock"),
    ("memory_remember", {**NOTE, "session_id": 5}, "session_id must be", "a number is none"),
    ("memory_remember", {**NOTE, "speaker": ["Ada"]}, "speaker must be", "a list is nobody"),
    ("memory_remember", {**NOTE, "speaker": "A" * 201}, "speaker has 201", "too long a name"),
    ("memory_remember", {**NOTE, "session_id": "A" * 201}, "session_id has 201", "as above, too"),
    ("memory_remember", {**NOTE, "project": "A" * 201}, "project has 201", "and once more"),
    ("memory_remember", {**NOTE, "title": "A" * 1_001}, "title has 1001", "too long a title"),
]


@promise("codemem:tools:types", "codemem:remember:refused")
@pytest.mark.parametrize(("tool", "arguments", "error", "because"), WRONG, ids=last)
def test_a_wrong_argument_is_refused_by_name(
    codemem: Door, tool: str, arguments: dict[str, object], error: str, because: str
) -> None:
    answer = codemem.call(tool, **arguments)

    assert json.loads(answer.error)["error"].startswith(error)
    assert not codemem.call("memory_search", query="zanzibar cloves").json["items"]


@promise("codemem:tools:types")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("place", ["confidence", "created_at"])
def test_what_is_no_number_is_refused(fresh: Call, place: str, number: str) -> None:
    answer = fresh("memory_remember", **{**NOTE, place: float(number)})

    assert json.loads(answer.error)["error"].startswith(f"{place} must be")


@promise("codemem:explain:wrong-ids")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_no_id_and_told_as_text(still: Call, number: str) -> None:
    answer = still("memory_explain", ids=[float(number), EDIT])

    assert answer.json["errors"][0]["ids"] == [number]
    assert [item["id"] for item in answer.json["items"]] == [EDIT]


@promise("codemem:tools:unknown-arguments")
def test_unknown_arguments_are_ignored_and_null_is_absent(still: Call) -> None:
    plain = still("memory_explain", query="sqlite").text
    nothing = dict.fromkeys(["ids", "project", "limit", "include_pack_context"])

    assert still("memory_explain", query="sqlite", colour="blue", **nothing).text == plain
    assert (
        still("memory_pack", context="x", limit=None, token_budget=None).json["metrics"]["limit"]
        == 10
    )


@promise("codemem:tools:large")
def test_a_body_of_a_megabyte_is_refused_by_name_or_kept_whole(codemem: Door) -> None:
    most = 1_000_000 - 1_001
    told = {**NOTE, "project": "large"}

    refused = codemem.call("memory_remember", **{**told, "body": "x" * 1_048_576})
    assert refused.error == f'{{"error":"body has 1048576 characters; at most {most}"}}'

    body = ("large " * 170_000)[:most].strip()
    id_ = codemem.call("memory_remember", **{**told, "body": body}).json["id"]
    assert codemem.call("memory_get", memory_id=id_).json["body_text"] == body
    (item,) = codemem.call("memory_search", query="large", project="large").json["items"]
    assert len(item["body"]) == 4_000
    pack = codemem.call("memory_pack", context="large", project="large").json
    assert pack["item_ids"] == [id_]


@promise("codemem:tools:large")
@pytest.mark.parametrize(
    ("tool", "name"),
    [("memory_search", "query"), ("memory_explain", "query"), ("memory_pack", "context")],
)
def test_a_query_of_a_megabyte_is_read_as_far_as_8_000_characters(
    codemem: Door, tool: str, name: str
) -> None:
    long = "sqlite normalization " * 50_000

    answer = codemem.call(tool, **{name: long}).json

    assert DECISION in [item["id"] for item in answer["items"]]


HOSTILE: list[tuple[Any, str]] = [
    ([[[[[[[[[[]]]]]]]]]], "a list in lists"),
    ([10**4_000], "a number of four thousand digits"),
    (["\x00"], "a NUL in a text"),
    ([{"x" * 1_000: ["y"] * 1_000}], "an object with much in it"),
    ([f"x{n}" for n in range(50_000)], "fifty thousand different wrong ones"),
    (list(range(1_000, 100_000)), "more ids than anybody looks up"),
]


@promise("codemem:explain:wrong-ids")
@pytest.mark.parametrize(("ids", "because"), HOSTILE, ids=last)
def test_hostile_ids_are_told_briefly(codemem: Door, ids: list[object], because: str) -> None:
    answer = codemem.call("memory_explain", ids=[EDIT, *ids])

    assert [item["id"] for item in answer.json["items"]] == [EDIT]
    assert answer.json["errors"][0]["field"] == "ids"
    assert len(answer.text) < 5_000
