"""nmem's six tools as they are listed, and how any call may go wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlite

from contract.world import NOW, Door, World
from promises import last, promise

SIX = [
    "search",
    "get_observations",
    "timeline",
    "recent_context",
    "session_trace",
    "file_history",
]

PARAMETERS = {
    "search": {"query": True, "project": False, "obs_type": False, "limit": False, "offset": False},
    "get_observations": {"ids": True},
    "timeline": {"anchor": True, "before": False, "after": False},
    "recent_context": {"project": False, "limit": False},
    "session_trace": {"session_id": True, "before": False, "after": False},
    "file_history": {"file_path": True, "before": False, "after": False, "limit": False},
}


@promise("nmem:tools:six")
def test_exactly_the_six_published_tools_are_listed(nmem: Door) -> None:
    tools = nmem.ask("tools/list", {})["result"]["tools"]

    assert [tool["name"] for tool in tools] == SIX
    assert {
        tool["name"]: {
            name: name in tool["inputSchema"].get("required", [])
            for name in tool["inputSchema"]["properties"]
        }
        for tool in tools
    } == PARAMETERS


@promise("nmem:tools:read-only")
def test_every_tool_says_that_it_only_reads(nmem: Door) -> None:
    for tool in nmem.ask("tools/list", {})["result"]["tools"]:
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["annotations"]["openWorldHint"] is False


REFUSED = [
    # tool              arguments                                error                     because
    ("search", {}, "query is required", "what is required must be there"),
    ("search", {"query": None}, "query", "null is not there"),
    ("search", {"query": 5}, "query must be a string", "a number is no text"),
    ("search", {"query": "x", "limit": "5"}, "limit must be an integer", "nothing is coerced"),
    ("search", {"query": "x", "limit": 2.5}, "limit must be an integer", "a fraction is refused"),
    ("search", {"query": "x", "limit": True}, "limit must be an integer", "so is a boolean"),
    ("search", {"query": "x", "project": 5}, "project", "a project is a text or null"),
    ("timeline", {"anchor": "3"}, "anchor must be an integer", "a text is no id"),
    ("session_trace", {"session_id": 3}, "session_id must be a string", "a number is no session"),
    ("file_history", {"file_path": ["x"]}, "file_path must be a string", "a list is no path"),
    ("recent_context", {"limit": []}, "limit must be an integer", "a list is no number"),
]


@promise("nmem:tools:types")
@pytest.mark.parametrize(("tool", "arguments", "error", "because"), REFUSED, ids=last)
def test_wrong_arguments_are_refused_by_name(
    nmem: Door, tool: str, arguments: dict[str, object], error: str, because: str
) -> None:
    assert nmem.call(tool, **arguments).error.startswith(error)


@promise("nmem:tools:unknown-arguments")
def test_unknown_arguments_are_ignored(nmem: Door) -> None:
    plain = nmem.call("search", query="pytest")

    assert nmem.call("search", query="pytest", colour="blue", nested={"a": [1]}) == plain


@promise("nmem:tools:unknown-tool")
@pytest.mark.parametrize("name", ["nope", "", "__IMPORTANT", "../search"])
def test_an_unknown_tool_is_a_protocol_error(nmem: Door, name: str) -> None:
    answer = nmem.ask("tools/call", {"name": name, "arguments": {}})

    assert answer["error"]["code"] == -32602


@promise("nmem:tools:unknown-tool")
def test_an_unknown_method_is_a_protocol_error(nmem: Door) -> None:
    assert nmem.ask("memories/forget", {})["error"]["code"] == -32601


@promise("nmem:tools:structured")
def test_objects_are_structured_content_as_well(nmem: Door) -> None:
    result = nmem.ask("tools/call", {"name": "timeline", "arguments": {"anchor": 6}})["result"]

    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@promise("nmem:tools:catch-up")
def test_a_memory_is_found_the_moment_after_it_was_captured(tmp_path: Path, door_kind: str) -> None:
    world = World(tmp_path, NOW)
    door = world.door(door_kind, cwd=str(tmp_path / "alpha"))

    assert door.call("search", query="zanzibar").json == []
    world.bash("echo zanzibar")
    assert len(door.call("search", query="zanzibar").json) == 1
    door.close()


@promise("nmem:tools:database-errors")
def test_a_store_that_fails_is_an_error_with_sqlite_s_words_and_no_path(
    tmp_path: Path,
) -> None:
    world = World(tmp_path, NOW)
    house = world.house()
    breaker = sqlite.connect(world.settings.store)
    breaker.execute("drop table words")
    breaker.close()

    reply = house.asker("nmem", "alpha")("search", {"query": "zanzibar"})

    assert (reply.text, reply.is_error) == ("db: no such table: words", True)
