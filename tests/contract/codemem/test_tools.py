"""The tools whose ranking is explained: search, get, recent, timeline, forget."""

from __future__ import annotations

import itertools
import json

import pytest

from contract.codemem.past import (
    DECISION,
    EDIT,
    ELSEWHERE,
    FAILED,
    FORGOTTEN,
    PROMPT,
    READ,
    SUMMARY,
    UNKNOWN,
    Call,
    caller,
)
from contract.world import DAY, MINUTE, NOW, Door, World
from promises import last, promise
from recollect.dialects.codemem.kinds import KINDS, SHOWN, selections
from recollect.model.memory import Draft, Kind, Origin, Type
from recollect.search.profile import codemem_kind

TOOLS = {
    "memory_search": True,
    "memory_explain": True,
    "memory_get": True,
    "memory_recent": True,
    "memory_timeline": True,
    "memory_pack": True,
    "memory_remember": False,
    "memory_forget": False,
}
ROW = [
    *("id", "session_id", "project", "kind", "title", "subtitle", "body_text", "confidence"),
    *("tags_text", "active", "created_at", "updated_at", "metadata_json", "actor_id"),
    *("actor_display_name", "visibility", "workspace_id", "workspace_kind", "origin_device_id"),
    *("origin_source", "trust_state", "facts", "narrative", "concepts", "files_read"),
    *("files_modified", "user_prompt_id", "prompt_number", "import_key", "deleted_at", "rev"),
]


@promise("codemem:tools:listed")
def test_the_tools_are_listed_and_say_whether_they_only_read(codemem: Door) -> None:
    tools = codemem.ask("tools/list", {})["result"]["tools"]

    assert {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in tools} == TOOLS
    for tool in tools:
        assert tool["description"]
        for rule in tool["inputSchema"]["properties"].values():
            assert rule["description"], "every argument says what it is"


@promise("codemem:tools:structured")
def test_results_are_one_text_and_structured_content(codemem: Door) -> None:
    result = codemem.ask("tools/call", {"name": "memory_get", "arguments": {"memory_id": EDIT}})

    (text,) = result["result"]["content"]
    assert json.loads(text["text"]) == result["result"]["structuredContent"]


@promise("codemem:search:shape")
def test_a_search_result_has_the_published_keys(codemem: Door) -> None:
    items = codemem.call("memory_search", query="why forward slashes?").json["items"]

    (item,) = [item for item in items if item["id"] == DECISION]
    score = item.pop("score")
    assert item == {
        "id": DECISION,
        "title": "Picked SQLite path normalization",
        "kind": "decision",
        "body": "Paths are kept with forward slashes, because Windows clients mix both.",
        "confidence": 0.9,
        "session_id": item["session_id"],
        "project": "alpha",
        "created_at": "2026-09-21T14:13:20+00:00",
        "metadata": {},
    }
    assert isinstance(score, float)


@promise("codemem:search:shape")
def test_five_results_unless_asked_for_more_and_fifty_at_most(fresh: Call, world: World) -> None:
    for number in range(60):
        world.bash(f"make target{number}", session=f"s{number}")
    house = world.house()
    call = caller(house)

    found = [len(call("memory_search", query="make", **more).json["items"]) for more in LIMITS]
    house.close()
    assert found == [5, 1, 7, 50]


LIMITS: list[dict[str, object]] = [{}, {"limit": 0}, {"limit": 7}, {"limit": 51}]


@promise("codemem:search:hides")
@pytest.mark.parametrize("query", ["sqlite slow", "Normalise", "startup"])
def test_what_is_not_shown_is_never_found(still: Call, query: str) -> None:
    found = still("memory_search", query=query, project="*", limit=50).json["items"]

    assert not {item["id"] for item in found} & {FORGOTTEN, PROMPT, 1, 6}


@promise("codemem:search:privacy")
@pytest.mark.parametrize("tool", ["memory_search", "memory_explain", "memory_pack"])
def test_a_secret_in_a_query_is_written_nowhere(world: World, tool: str) -> None:
    secret = "ghp_" + "a1B2" * 9
    world.bash("make deploy")
    house = world.house()
    query = f"deploy with {secret} <private>at my house</private>"
    name = "context" if tool == "memory_pack" else "query"

    assert caller(house)(tool, **{name: query}).json["items"] != []

    (entry,) = house.store.ledger.newest(1)
    assert entry.question["text"] == "deploy with [REDACTED] "
    house.close()
    written = b"".join(path.read_bytes() for path in world.home.rglob("*") if path.is_file())
    assert secret.encode() not in written
    assert secret.lower().encode() not in written
    assert b"my house" not in written


KIND_OF = [
    # id          kind               because
    (READ, "discovery", "what was read is a discovery"),
    (EDIT, "change", "what was edited is a change"),
    (FAILED, "discovery", "a failed command is a bugfix only where a model says so"),
    (ELSEWHERE, "discovery", "a command is a change only where a model says so"),
    (SUMMARY, "session_summary", "what a session came to"),
    (DECISION, "decision", "what was remembered as one"),
]


@promise("codemem:kinds:captured")
@pytest.mark.parametrize(("id_", "kind", "because"), KIND_OF, ids=last)
def test_what_hooks_and_people_keep_has_its_kind(
    codemem: Door, id_: int, kind: str, because: str
) -> None:
    assert codemem.call("memory_get", memory_id=id_).json["kind"] == kind


@promise("codemem:kinds:imported")
def test_a_kind_that_an_importer_brings_is_kept(world: World) -> None:
    file = world.home / "in.jsonl"
    lines = [{"text": f"about {kind}", "kind": kind} for kind in KINDS]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    world.run("import", str(file), "--project", "alpha")

    house = world.house()
    rows = caller(house)("memory_recent", limit=50).json["items"]
    house.close()

    assert {row["body_text"]: row["kind"] for row in rows} == {
        f"about {kind}": kind for kind in KINDS
    }


@promise("codemem:recent:newest", "codemem:recent:kind")
def test_the_newest_come_first_wherever_a_kind_is_found(world: World) -> None:
    house = world.house()
    call = caller(house)
    for number in range(3):
        at = NOW - DAY + number * MINUTE
        world.edit(f"/code/alpha/edited{number}.py", "x = 1", at=at)
        remembered = {"title": f"remembered{number}", "body": "x", "created_at": at + MINUTE // 2}
        call("memory_remember", kind="change", **remembered)

    rows = call("memory_recent", kind="change", limit=4).json["items"]
    house.close()

    names = [row["title"].removeprefix("Edited ").partition(".")[0] for row in rows]
    assert names == ["remembered2", "edited2", "remembered1", "edited1"]


@promise("codemem:recent:kind")
def test_a_kind_is_looked_for_where_it_is_given() -> None:
    """`selections` and `codemem_kind` say the same, from both ends."""
    for kind, type_ in itertools.product(Kind, [*Type, *KINDS, "of an importer"]):
        draft = Draft(
            kind=kind,
            type=type_,
            text="",
            project="",
            session_id=None,
            created_at=0,
            origin=Origin.TOOL,
            source_event="",
        )
        if kind not in SHOWN:
            continue
        chosen = [
            name
            for name in KINDS
            for each in selections(name)
            if kind in each.kinds
            and (each.types is None or type_ in each.types)
            and type_ not in each.but_types
        ]
        assert chosen == [codemem_kind(draft)], (kind, type_)


@promise("codemem:get:row")
def test_a_memory_is_read_whole(codemem: Door) -> None:
    row = codemem.call("memory_get", memory_id=EDIT).json

    assert list(row) == ROW
    assert (row["kind"], row["active"], row["files_modified"], row["files_read"]) == (
        *("change", 1),
        ["/code/alpha/paths.py"],
        [],
    )
    assert row["body_text"] == "Edit /code/alpha/paths.py: def normalised(path):"
    assert (row["user_prompt_id"], row["origin_source"], row["confidence"]) == (PROMPT, "tool", 0.5)


@promise("codemem:get:unknown")
@pytest.mark.parametrize("tool", ["memory_get", "memory_forget"])
@pytest.mark.parametrize("id_", [UNKNOWN, 0, -1, 2**62, 10**30, FORGOTTEN, PROMPT])
def test_an_unknown_memory_is_an_error_with_the_published_object(
    codemem: Door, tool: str, id_: int
) -> None:
    answer = codemem.ask("tools/call", {"name": tool, "arguments": {"memory_id": id_}})["result"]

    assert answer["isError"] is True
    assert answer["structuredContent"] == {"error": "not_found"}
    assert json.loads(answer["content"][0]["text"]) == {"error": "not_found"}


@promise("codemem:recent:newest")
def test_the_newest_come_first(still: Call) -> None:
    assert ids(still, "memory_recent") == [DECISION, SUMMARY, FAILED, EDIT, READ]
    assert ids(still, "memory_recent", limit=2) == [DECISION, SUMMARY]
    assert ids(still, "memory_recent", project="*", limit=3) == [DECISION, ELSEWHERE, SUMMARY]


@promise("codemem:recent:kind")
def test_recent_ones_of_a_kind(still: Call) -> None:
    assert ids(still, "memory_recent", kind="discovery") == [FAILED, READ]
    assert ids(still, "memory_recent", kind=" Change ") == [EDIT]
    assert ids(still, "memory_recent", kind="feature") == []


@promise("codemem:timeline:session")
def test_a_timeline_shows_the_session_around_its_anchor(still: Call) -> None:
    assert ids(still, "memory_timeline", memory_id=EDIT) == [READ, EDIT, FAILED, SUMMARY, DECISION]
    assert ids(still, "memory_timeline", memory_id=EDIT, depth_before=0, depth_after=1) == [
        *(EDIT, FAILED)
    ]
    assert ids(still, "memory_timeline", memory_id=EDIT, depth_before=-5, depth_after=-5) == [EDIT]
    rows = still("memory_timeline", memory_id=EDIT, depth_after=0).json["items"]
    assert list(rows[-1]) == [*ROW, "linked_prompt"]
    assert rows[-1]["linked_prompt"]["id"] == PROMPT
    assert rows[-1]["linked_prompt"]["prompt_text"] == "Normalise the sqlite paths"


@promise("codemem:timeline:session")
def test_what_is_not_shown_takes_no_place_in_a_timeline(world: World) -> None:
    world.bash("make first", at=NOW - 2 * DAY)
    for number in range(40):
        world.prompt(f"prompt {number}", at=NOW - DAY + number * MINUTE)
    world.bash("make anchor")
    house = world.house()

    found = ids(caller(house), "memory_timeline", memory_id=42)
    house.close()
    assert found == [1, 42], "however many stand between"


@promise("codemem:timeline:anchor")
def test_the_anchor_may_be_the_best_answer_to_a_query(still: Call) -> None:
    (best,) = still("memory_search", query="pytest", limit=1).json["items"]
    found = ids(still, "memory_timeline", query="pytest", depth_before=0, depth_after=0)

    assert found == [best["id"]]


@promise("codemem:timeline:anchor")
@pytest.mark.parametrize("arguments", [{}, {"query": "zanzibar"}, {"memory_id": UNKNOWN}])
def test_without_an_anchor_a_timeline_is_empty(codemem: Door, arguments: dict[str, object]) -> None:
    assert codemem.call("memory_timeline", **arguments).json == {"items": []}


@promise("codemem:forget:retires")
def test_what_is_forgotten_is_found_no_more_and_not_deleted(world: World, fresh: Call) -> None:
    told = {"kind": "note", "title": "Zanzibar", "body": "An island of cloves"}
    id_ = fresh("memory_remember", **told).json["id"]

    assert fresh("memory_forget", memory_id=id_).json == {"status": "ok"}

    assert fresh("memory_search", query="cloves").json["items"] == []
    assert fresh("memory_recent").json["items"] == []
    assert fresh("memory_forget", memory_id=id_).is_error
    assert json.loads(world.run("search", "cloves", "--project", "alpha").stdout) == []
    (line,) = [json.loads(line) for line in world.run("export").stdout.splitlines()]
    assert line["text"] == "Zanzibar\nAn island of cloves"
    assert line["recollect"]["retired_at"] is not None


@promise("codemem:tools:clip")
def test_a_long_body_is_shortened_in_lists_and_whole_when_read(fresh: Call) -> None:
    body = "word " * 1_000 + "end"
    id_ = fresh("memory_remember", kind="note", title="Long", body=body).json["id"]

    (item,) = fresh("memory_search", query="word").json["items"]
    assert (len(item["body"]), item["body"][-1]) == (4_000, "…")
    assert fresh("memory_get", memory_id=id_).json["body_text"] == body


def ids(call: Call, tool: str, **arguments: object) -> list[int]:
    return [row["id"] for row in call(tool, **arguments).json["items"]]
