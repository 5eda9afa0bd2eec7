"""The five tools over stdio and HTTP, with a worker and without one, and over its restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from contract.codexmem.past import CodexMem, fill
from contract.world import NOW, Door, HttpDoor, World
from promises import promise

FIVE = ["__IMPORTANT", "search", "timeline", "get_observations", "save_memory"]


@pytest.fixture(scope="module", params=["stdio", "http", "bridge"])
def world_and_door(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, Door]]:
    """`bridge` is stdio while a worker runs."""
    world = World(tmp_path_factory.mktemp(request.param), NOW)
    fill(world)
    cwd = str(world.home / "alpha")
    worker = world.door("http", cwd=cwd, dialect="codexmem") if request.param == "bridge" else None
    kind = "http" if request.param == "http" else "stdio"
    opened = world.door(kind, cwd=cwd, dialect="codexmem")
    yield world, opened
    opened.close()
    if worker is not None:
        worker.close()


@pytest.fixture
def door(world_and_door: tuple[World, Door]) -> Door:
    return world_and_door[1]


@promise("codexmem:tools:listed")
def test_the_five_tools_are_listed_with_their_schemas(door: Door) -> None:
    listed = {tool["name"]: tool for tool in door.ask("tools/list", {})["result"]["tools"]}

    assert sorted(listed) == sorted(FIVE)
    properties = {name: set(tool["inputSchema"]["properties"]) for name, tool in listed.items()}
    assert properties == {
        "__IMPORTANT": set(),
        "search": {
            *("query", "limit", "offset", "project", "type", "obs_type", "concepts", "files"),
            *("dateStart", "dateEnd", "orderBy", "format"),
        },
        "timeline": {"anchor", "query", "depth_before", "depth_after", "project"},
        "get_observations": {
            *("ids", "orderBy", "limit", "project", "type", "concepts", "files"),
        },
        "save_memory": {"text", "title", "project"},
    }
    writers = [name for name, tool in listed.items() if not tool["annotations"]["readOnlyHint"]]
    assert writers == ["save_memory"]


@promise("codexmem:tools:important")
@pytest.mark.parametrize("arguments", [{}, {"any": ["thing"], "limit": "x"}])
def test_important_names_the_three_steps_in_order(door: Door, arguments: dict[str, Any]) -> None:
    text = door.call("__IMPORTANT", **arguments).text

    steps = [text.index(f"{place}. {name}") for place, name in enumerate(FIVE[1:4], 1)]
    assert steps == sorted(steps)


@promise("codexmem:tools:search")
def test_search_answers_as_text_or_as_json(door: Door) -> None:
    text = door.call("search", query="login", project="alpha").text
    raw = door.ask(
        "tools/call",
        {"name": "search", "arguments": {"query": "login", "project": "alpha", "format": "json"}},
    )["result"]

    assert text.startswith('Found 5 result(s) matching "login" (3 obs, 1 sessions, 1 prompts)')
    assert raw["structuredContent"] == json.loads(raw["content"][0]["text"])
    assert raw["structuredContent"]["searchMode"] == "lexical-only"
    assert [row["id"] for row in raw["structuredContent"]["observations"]] == [3, 4, 2]


SEARCHES: list[tuple[dict[str, Any], str, str]] = [
    ({"type": ["observations"], "files": ["session.py"]}, "(2 obs, 0", "arrays"),
    ({"type": "observations", "limit": 1, "offset": 1}, "(1 obs, 0", "a page"),
    ({"type": "execution", "dateStart": NOW, "dateEnd": "2026-09-21"}, "(0 obs, 0", "dates"),
    ({"type": "execution", "dateStart": 0.5}, "(1 obs, 0", "a fraction of a second"),
    ({"query": None, "type": "change"}, "(1 obs, 0", "null is absent"),
    ({"type": "change", "unknown": {"deep": 1}}, "(1 obs, 0", "what is not known is ignored"),
]


@promise("codexmem:tools:search")
@pytest.mark.parametrize(
    ("arguments", "said", "because"), SEARCHES, ids=[row[-1] for row in SEARCHES]
)
def test_search_takes_every_form(
    door: Door, arguments: dict[str, Any], said: str, because: str
) -> None:
    assert said in door.call("search", **arguments).text


@promise("codexmem:tools:timeline")
def test_timeline_takes_a_number_a_text_or_a_query(door: Door) -> None:
    said = [
        door.call("timeline", **arguments).text
        for arguments in ({"anchor": 3}, {"anchor": "#3"}, {"query": "pytest test_login"})
    ]

    assert said[0] == said[1] == said[2]
    assert [line.split()[1] for line in said[0].split("\n")[2:]] == ["#2", "#3", "#4"]
    assert door.call("timeline", anchor=99).text == "Anchor #99 not found."


@promise("codexmem:tools:observations")
def test_get_observations_answers_with_rows(door: Door) -> None:
    assert [row["id"] for row in door.call("get_observations", ids=[2, 4]).json] == [4, 2]
    assert door.call("get_observations", ids=[]).json == []
    assert door.call("get_observations", ids=[4], type="discovery").json == []


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("get_observations", {}, "ids must be an array of numbers"),
    ("get_observations", {"ids": "2"}, "ids must be an array of numbers"),
    ("get_observations", {"ids": [2.5]}, "All ids must be integers"),
    ("get_observations", {"ids": ["2"]}, "All ids must be integers"),
    ("get_observations", {"ids": [True]}, "All ids must be integers"),
    ("get_observations", {"ids": [2], "orderBy": "relevance"}, "orderBy must be one of"),
    ("search", {"query": 5}, "query must be a string"),
    ("search", {"limit": "abc"}, "limit must be an integer"),
    ("search", {"limit": 1.5}, "limit must be an integer"),
    ("search", {"type": [5]}, "type[0] must be a string"),
    ("search", {"dateStart": "nonsense"}, "dateStart must be"),
    ("search", {"format": "xml"}, "format must be one of"),
    ("timeline", {"anchor": 1.5}, "anchor must be an integer or a string"),
    ("save_memory", {}, "text is required and must be non-empty"),
    ("save_memory", {"text": " "}, "text is required and must be non-empty"),
    ("save_memory", {"text": "a", "title": 1}, "title must be a string"),
]


@promise("codexmem:tools:errors")
@pytest.mark.parametrize(("tool", "arguments", "error"), WRONG)
def test_a_wrong_argument_is_an_error_to_read(
    door: Door, tool: str, arguments: dict[str, Any], error: str
) -> None:
    assert door.call(tool, **arguments).error.startswith(error)


@promise("codexmem:tools:errors")
def test_an_unknown_tool_is_an_error_of_the_protocol(door: Door) -> None:
    answer = door.ask("tools/call", {"name": "searches", "arguments": {}})

    assert answer["error"]["code"] == -32602


@promise("codexmem:tools:save")
def test_what_is_saved_belongs_to_the_current_project(door: Door) -> None:
    """Of a client on stdio; over HTTP nobody knows its folder, and the worker's is another."""
    saved = door.call("save_memory", text="Zebras need a stable name").json

    assert saved["success"] is True
    assert saved["message"] == f"Memory saved as observation #{saved['id']}"
    assert saved["project"] == ("default" if isinstance(door, HttpDoor) else "alpha")
    assert f"#{saved['id']} |" in door.call("search", query="zebras").text


@promise("codexmem:tools:restart")
def test_a_client_on_stdio_survives_the_worker(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The worker goes, and the same client is answered without it; then by the next one."""
    world = World(tmp_path_factory.mktemp("restart"), NOW)
    cwd = str(world.home / "alpha")
    worker: HttpDoor = world.door("http", cwd=cwd, dialect="codexmem")  # type: ignore[assignment]
    client = world.door("stdio", cwd=cwd, dialect="codexmem")
    first = client.call("save_memory", text="Kept while the worker ran").json["id"]
    worker.close()

    second = client.call("save_memory", text="Kept while none ran").json["id"]
    next_worker = world.door("http", cwd=cwd, dialect="codexmem")
    found = next_worker.call("get_observations", ids=[first, second]).json
    again = client.call("get_observations", ids=[first, second]).json

    assert {row["id"] for row in found} == {first, second}
    assert again == found
    client.close()
    next_worker.close()


@promise("codexmem:tools:same")
def test_a_tool_says_what_the_route_says(past: CodexMem) -> None:
    """With a query, each answer is an own one; the routes and the tools share their verbs."""
    tool = past.call("search", query="login", format="json").structured
    rows = json.loads(past.call("get_observations", ids=[2, 3]).text)

    assert tool == past.get("/api/search", query="login", format="json")
    assert rows == past.post("/api/observations/batch", ids=[2, 3])
    assert (
        past.call("timeline", anchor=3).text
        == (past.get("/api/timeline", anchor=3)["content"][0]["text"])
    )
