"""Sessions, files, the timeline, frames, what is told, and the whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.viewer.past import HOUR, LOGIN, NOW, Viewer, served
from contract.world import MINUTE, World
from promises import promise
from recollect.model.frame import FrameDraft, Image, Status
from recollect.model.memory import Origin
from recollect.service import frames

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\0\0\1" * 2 + b"\x08\x06\0\0\0" + b"\0" * 4
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
POLICY = {
    "modules": {
        "ui/panel": {"coords": [0, 0], "allowed_callers": []},
        "auth": {"coords": [1, 0], "allowed_callers": ["ui/panel"], "description": "Who is who"},
        "ledger": {"coords": [2, 1], "forbidden_callers": ["auth"], "notes": "orders only"},
        "far": {"coords": [9, 9], "allowed_callers": ["ledger"]},
    }
}


@promise("viewer:sessions")
def test_sessions_are_listed_by_their_start(past: Viewer) -> None:
    listed = past.get("sessions")
    assert listed == {
        "items": [
            {
                "number": 2,
                "id": "b",
                "project": "beta",
                "platform": "claude-code",
                "started_at": NOW - 2 * HOUR,
                "ended_at": None,
                "prompts": 1,
                "memories": 2,
                "first_prompt": "搜索功能为什么这么慢",
                "summary_title": None,
            },
            {
                "number": 1,
                "id": "a",
                "project": "alpha",
                "platform": "claude-code",
                "started_at": NOW - 9 * HOUR,
                "ended_at": NOW - 5 * HOUR,
                "prompts": 1,
                "memories": 6,
                "first_prompt": "Why does the login page answer 500?",
                "summary_title": "Why does the login page answer 500?",
            },
        ],
        "next": None,
    }


SESSIONS: list[tuple[dict[str, Any], list[int], str]] = [
    ({"project": "alpha"}, [1], "of a project"),
    ({"project": "gamma"}, [], "of none"),
    ({"since": NOW - 3 * HOUR}, [2], "begun since"),
    ({"until": NOW - 3 * HOUR}, [1], "begun until"),
    ({"limit": 1}, [2], "so many"),
]


@promise("viewer:sessions", "viewer:filters")
@pytest.mark.parametrize(
    ("query", "numbers", "because"), SESSIONS, ids=[row[2] for row in SESSIONS]
)
def test_sessions_are_listed_as_asked(
    past: Viewer, query: dict[str, Any], numbers: list[int], because: str
) -> None:
    assert [each["number"] for each in past.get("sessions", **query)["items"]] == numbers


@promise("viewer:sessions")
def test_pages_of_sessions_follow_one_another(past: Viewer) -> None:
    first = past.get("sessions", limit=1)
    second = past.get("sessions", limit=1, cursor=first["next"])
    assert [each["number"] for each in first["items"] + second["items"]] == [2, 1]
    assert second["next"] is None


@promise("viewer:sessions")
def test_a_session_is_told_from_prompt_to_prompt(past: Viewer) -> None:
    told = past.get("sessions/1")
    turns = [
        (turn["prompt"] and turn["prompt"]["id"], [each["id"] for each in turn["items"]])
        for turn in told["turns"]
    ]
    assert turns == [(1, [2, 3, 4]), (None, [5])]
    assert told["turns"][0]["prompt"]["text"] == "Why does the login page answer 500?"
    assert (told["summary"]["id"], told["summary"]["recap"]) == (6, None)
    listed = {each["number"]: each["memories"] for each in past.get("sessions")["items"]}
    assert (told["memories"], past.get("sessions/2")["memories"]) == (listed[1], listed[2])
    assert (told["number"], told["project"], told["ended_at"]) == (1, "alpha", NOW - 5 * HOUR)
    going_on = past.get("sessions/2")
    assert (going_on["summary"], going_on["ended_at"]) == (None, None)


@promise("viewer:files")
def test_the_history_of_a_file_is_all_about_it(past: Viewer) -> None:
    def ids(**query: Any) -> list[int]:
        return [each["id"] for each in past.get("files", **query)["items"]]

    assert ids(path=LOGIN) == ids(path="session.py") == [4, 2]
    assert ids(path="session.py", project="beta") == ids(path="nothing.py") == []
    assert ids(path=LOGIN, limit=1) == [4]


@promise("viewer:timeline")
@pytest.mark.parametrize("buckets", [1, 2, 7, 60, 400])
def test_the_timeline_counts_all_in_stretches_of_one_width(past: Viewer, buckets: int) -> None:
    told = past.get("timeline", buckets=buckets)
    assert (told["since"], told["until"]) == (NOW - 9 * HOUR, NOW - HOUR)
    starts = [each["at"] for each in told["buckets"]]
    assert len(starts) <= buckets
    assert starts == [told["since"] + number * told["width"] for number in range(len(starts))]
    assert starts[-1] <= told["until"] < starts[-1] + told["width"]
    total: dict[str, int] = {}
    for each in told["buckets"]:
        for kind, count in each["counts"].items():
            total[kind] = total.get(kind, 0) + count
    assert total == {"prompt": 2, "observation": 4, "summary": 1}


@promise("viewer:timeline")
def test_the_timeline_is_of_what_was_asked_for(past: Viewer) -> None:
    def counted(**query: Any) -> list[tuple[int, dict[str, int]]]:
        found = past.get("timeline", **query)["buckets"]
        return [(each["at"], each["counts"]) for each in found if each["counts"]]

    assert counted(buckets=1, project="beta") == [(NOW - 2 * HOUR, {"prompt": 1, "observation": 1})]
    assert counted(buckets=1, kind="lifecycle") == [(NOW - 9 * HOUR, {"lifecycle": 1})]
    assert counted(buckets=1, since=NOW - 7 * HOUR, until=NOW - 6 * HOUR) == [
        (NOW - 7 * HOUR, {"observation": 2})
    ]
    assert counted(project="gamma") == counted(since=NOW) == []


@promise("viewer:timeline")
def test_what_is_outdated_is_not_counted(empty: Viewer) -> None:
    for number in range(3):
        empty.world.prompt(f"prompt {number}", at=NOW - number * MINUTE)
    empty.house.catch_up()
    empty.post("memories/2/outdate")
    for query in ({}, {"project": "alpha"}):
        told = empty.get("timeline", buckets=1, **query)
        assert [each["counts"] for each in told["buckets"]] == [{"prompt": 2}]
    assert empty.get("memories")["total"] == 2
    assert empty.get("memories", project="alpha")["total"] == 2
    assert empty.get("memories", outdated="true")["total"] == 1


@promise("viewer:timeline", "viewer:overview", "viewer:told")
def test_an_empty_store_has_nothing_to_show(empty: Viewer) -> None:
    assert [each["counts"] for each in empty.get("timeline")["buckets"]] == [{}]
    assert empty.get("memories")["items"] == empty.get("memories", q="x")["items"] == []
    assert empty.get("sessions") == {"items": [], "next": None}
    assert empty.get("frames") == {"items": [], "next": None, "total": 0}
    told = empty.get("told")
    assert (told["text"], told["tokens"], told["lines"]) == ("", 0, 0)
    whole = empty.get("overview")
    assert (whole["projects"], whole["kinds"], whole["types"]) == ([], {}, [])
    assert whole["health"] == {"is_sound": True, "problems": []}


@pytest.fixture(scope="module")
def framed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A worker that knows a policy, and four frames; whoever reads it adds nothing."""
    home = tmp_path_factory.mktemp("framed")
    (home / "policy.json").write_text(json.dumps(POLICY), encoding="utf-8")
    world = World(home, NOW, environ={"LEX_POLICY_PATH": str(home / "policy.json")})
    with served(world) as viewer:
        for number, (scope, project) in enumerate(
            [(["auth"], "alpha"), (["ledger"], "alpha"), (["gone"], "beta"), (["far"], "beta")]
        ):
            keep(viewer, number, scope, project)
        yield viewer


def keep(viewer: Viewer, number: int, scope: list[str], project: str) -> None:
    draft = FrameDraft(
        reference_point=f"Point {number} of {scope[0]}",
        summary_caption="Tests are red",
        status=Status(next_action="mend them", blockers=("no key",)),
        module_scope=tuple(scope),
        branch="main" if number % 2 else "topic",
        jira=f"T-{number}",
        keywords=("login",),
        at=NOW - (9 - number) * HOUR,
    )
    images = [Image("image/png", PNG), Image("image/svg+xml", SVG)] if number == 0 else []
    frames.remember(
        viewer.house.store,
        draft,
        project=project,
        origin=Origin.TOOL,
        frame_id=f"frame-{number}",
        is_once=False,
        images=images,
    )


FRAMES: list[tuple[dict[str, Any], list[int], str]] = [
    ({}, [3, 2, 1, 0], "newest first"),
    ({"project": "alpha"}, [1, 0], "of a project"),
    ({"branch": "main"}, [3, 1], "of a branch"),
    ({"module": "ledger"}, [1], "of a module"),
    ({"jira": "T-2"}, [2], "of a ticket"),
    ({"since": NOW - 7 * HOUR}, [3, 2], "since a time"),
    ({"q": "log"}, [3, 2, 1, 0], "by the beginning of a word"),
    ({"q": "ledger"}, [1], "by a word"),
    ({"q": "ledger", "project": "beta"}, [], "by a word, of another project"),
    ({"q": "?!"}, [], "by nothing that is a word"),
    ({"limit": 1}, [3], "so many"),
]


@promise("viewer:frames", "viewer:filters")
@pytest.mark.parametrize(("query", "numbers", "because"), FRAMES, ids=[row[2] for row in FRAMES])
def test_frames_are_listed_as_asked(
    framed: Viewer, query: dict[str, Any], numbers: list[int], because: str
) -> None:
    listed = framed.get("frames", **query)["items"]
    assert [each["id"] for each in listed] == [f"frame-{number}" for number in numbers]


@promise("viewer:frames")
@pytest.mark.parametrize("query", [{}, {"q": "login"}], ids=["a list", "a search"])
def test_pages_of_frames_follow_one_another(framed: Viewer, query: dict[str, Any]) -> None:
    first = framed.get("frames", limit=3, **query)
    second = framed.get("frames", limit=3, cursor=first["next"], **query)
    ids = [each["id"] for each in first["items"] + second["items"]]
    assert ids == ["frame-3", "frame-2", "frame-1", "frame-0"]
    assert second["next"] is None


@promise("viewer:frames")
def test_a_frame_is_shown_with_the_modules_around_it(framed: Viewer) -> None:
    shown = framed.get("frames/frame-0")
    assert (shown["reference_point"], shown["next_action"]) == ("Point 0 of auth", "mend them")
    assert (shown["blockers"], shown["module_scope"], shown["jira"]) == (
        ["no key"],
        ["auth"],
        "T-0",
    )
    atlas = shown["atlas"]
    assert (atlas["has_policy"], atlas["problem"], atlas["unknown"]) == (True, None, [])
    assert {each["id"]: each["coords"] for each in atlas["modules"]} == {
        "auth": [1, 0],
        "ui/panel": [0, 0],
        "ledger": [2, 1],
    }
    edges = [(each["from"], each["to"], each["allowed"]) for each in atlas["edges"]]
    assert sorted(edges) == [("auth", "ledger", False), ("ui/panel", "auth", True)]
    wider = framed.get("frames/frame-0", radius=2)["atlas"]
    assert "far" in {each["id"] for each in wider["modules"]}
    assert [each["id"] for each in framed.get("frames/frame-0", radius=0)["atlas"]["modules"]] == [
        "auth"
    ]
    assert framed.get("frames/frame-2")["atlas"]["unknown"] == ["gone"]
    memory = framed.get(f"memories/{shown['memory']}")
    assert memory["frame"]["id"] == memory["public_id"] == "frame-0"


@promise("viewer:frames")
def test_a_broken_policy_is_told_and_the_frame_is_shown(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text("{", encoding="utf-8")
    world = World(tmp_path, NOW, environ={"LEX_POLICY_PATH": str(tmp_path / "policy.json")})
    with served(world) as viewer:
        keep(viewer, 0, ["auth"], "alpha")
        atlas = viewer.get("frames/frame-0")["atlas"]
    assert (atlas["has_policy"], [each["id"] for each in atlas["modules"]]) == (False, ["auth"])
    assert "policy" in atlas["problem"].lower()


@promise("viewer:frames")
def test_without_a_policy_there_are_the_frames_own_modules(empty: Viewer) -> None:
    keep(empty, 0, ["auth"], "alpha")
    atlas = empty.get("frames/frame-0")["atlas"]
    assert (atlas["has_policy"], atlas["problem"], atlas["seeds"]) == (False, None, ["auth"])
    assert (atlas["modules"], atlas["edges"]) == ([{"id": "auth"}], [])


@promise("viewer:frames:images")
@pytest.mark.parametrize(
    ("number", "kind", "data"), [(1, "image/png", PNG), (2, "image/svg+xml", SVG)]
)
def test_an_image_comes_as_it_was_and_runs_nowhere(
    framed: Viewer, number: int, kind: str, data: bytes
) -> None:
    answered = framed.http.get(f"/api/viewer/frames/frame-0/images/{number}")
    assert (answered.status_code, answered.content) == (200, data)
    headers = answered.headers
    assert headers["content-type"].partition(";")[0] == kind
    assert headers["content-disposition"].startswith("attachment; ")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "sandbox" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert framed.refused("frames/frame-0/images/3")[0] == 404


@promise("viewer:told")
def test_what_is_told_is_what_a_session_is_told(past: Viewer) -> None:
    told = past.get("told", project="alpha")
    asked = past.world.run("context", "--project", "alpha")
    lines = [line for line in asked.stdout.splitlines() if line.startswith(("#", "| #"))]
    ids = [line.split("|")[1] if line.startswith("|") else line for line in lines]
    shown = [line for line in told["text"].splitlines() if line.startswith(("#", "| #"))]
    assert [line.split("|")[1] if line.startswith("|") else line for line in shown] == ids
    assert any("#4" in each for each in ids)
    assert told["text"].startswith("# nmem context\n")
    assert told["lines"] == len(told["text"].splitlines())
    assert 50 < told["tokens"] < 1000
    assert told["because"] == "this project was asked for"


@promise("viewer:told")
def test_without_a_project_it_is_that_of_the_newest_session(past: Viewer) -> None:
    told = past.get("told")
    assert told["project"] == "beta"
    assert told["because"] == "beta is the project of the newest session"
    assert past.get("told", source="compact")["source"] == "compact"


@promise("viewer:overview")
def test_the_whole_is_told(past: Viewer) -> None:
    whole = past.get("overview")
    assert whole["store"]["path"] == past.world.settings.store
    assert whole["store"]["bytes"] > 0
    assert [(each["name"], each["memories"], each["sessions"]) for each in whole["projects"]] == [
        ("alpha", 6, 1),
        ("beta", 2, 1),
    ]
    assert all(each["bytes"] > 0 for each in whole["projects"])
    assert whole["projects"][0]["latest"] == NOW - 5 * HOUR
    assert whole["kinds"] == {"observation": 4, "prompt": 2, "lifecycle": 1, "summary": 1}
    assert {"name": "file_read", "memories": 2} in whole["types"]
    assert whole["origins"] == [{"name": "tool", "memories": 6}, {"name": "user", "memories": 2}]
    assert whole["health"] == {"is_sound": True, "problems": []}
    assert whole["spool"] == {"waiting": 0, "oldest_at": None, "put_aside": 0, "aside": []}
    assert (whole["index"]["words"], whole["index"]["memories"]) == (8, 8)
    assert whole["queue"] == {"pending": 0, "processing": 0, "failed": 0, "queueDepth": 0}


@promise("viewer:overview")
def test_what_is_wrong_is_told(empty: Viewer) -> None:
    aside = Path(empty.world.settings.spool_dir) / "quarantine"
    aside.mkdir(parents=True)
    (aside / "00001790000000000000-1-a.json").write_text("{", encoding="utf-8")
    (aside / "00001790000000000000-1-a.json.reason").write_text("no event", encoding="utf-8")
    Path(empty.world.settings.store).chmod(0o644)
    whole = empty.get("overview")
    assert whole["spool"]["put_aside"] == 1
    assert whole["spool"]["aside"] == [
        {"name": "00001790000000000000-1-a.json", "reason": "no event"}
    ]
    assert whole["health"]["is_sound"] is False
    assert any("others can read" in each for each in whole["health"]["problems"])
    assert any("no event" in each for each in whole["health"]["problems"])
