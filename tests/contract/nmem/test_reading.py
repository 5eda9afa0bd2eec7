"""nmem `get_observations`, `timeline`, `session_trace` and `file_history`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.world import NOW, Door, World
from promises import last, promise

START = (NOW - 3_600_000) // 1000

FAILED_TEST = {
    "id": 6,
    "timestamp": START + 50,
    "session_id": "s1",
    "project": "alpha",
    "obs_type": "command_error",
    "source_event": "PostToolUseFailure",
    "tool_name": "Bash",
    "content": "cargo test -- auth::tests",
    "file_path": None,
    "metadata": {
        "command": "cargo test -- auth::tests",
        "exit_code": 101,
        "failed": True,
        "response": "Exit code 101\nassertion failed",
    },
    "is_pinned": False,
}


@promise("nmem:get:shape", "nmem:record:command-error")
def test_a_full_observation_has_every_field(nmem: Door) -> None:
    assert nmem.call("get_observations", ids=[6]).json == [FAILED_TEST]


IDS = [
    # ids                   found        because
    ([6, 3, 5], [6, 3, 5], "the order is that of the request"),
    ([3, 999, 5], [3, 5], "missing ids are left out"),
    ([3, 3, 5, 3], [3, 5], "a repeated id appears once"),
    ([999], [], "all missing is an empty array, not an error"),
    ([0, -1, 10**30], [], "numbers that cannot be ids are missing"),
    (list(range(3, 53)), list(range(3, 15)), "fifty at once are served"),
]


@promise("nmem:get:order", "nmem:get:missing")
@pytest.mark.parametrize(("ids", "found", "because"), IDS, ids=last)
def test_observations_are_read_by_id(
    nmem: Door, ids: list[int], found: list[int], because: str
) -> None:
    answer = nmem.call("get_observations", ids=ids)

    assert [observation["id"] for observation in answer.json] == found


REFUSED_IDS = [
    # ids            error                                      because
    ([], "ids array must not be empty", "an empty array is the published error"),
    (list(range(51)), "ids array must not exceed 50 elements", "fifty is the limit"),
    ("3", "ids must be an array", "a text is no array"),
    ([1, "2"], "ids[1] must be an integer", "a text is no id"),
    ([1.5], "ids[0] must be an integer", "a fraction is no id"),
    ([True], "ids[0] must be an integer", "a boolean is no number"),
]


@promise("nmem:get:empty", "nmem:get:at-most-50", "nmem:tools:types")
@pytest.mark.parametrize(("ids", "error", "because"), REFUSED_IDS, ids=last)
def test_wrong_ids_are_refused_by_name(nmem: Door, ids: object, error: str, because: str) -> None:
    assert nmem.call("get_observations", ids=ids).error.startswith(error)


WINDOWS = [
    # arguments                            before         after          because
    ({}, [1, 2, 3, 4, 5], [7, 8, 9, 10], "five on each side by default"),
    ({"before": 2, "after": 1}, [4, 5], [7], "as many as asked for, nearest first chosen"),
    ({"before": 0, "after": 0}, [], [], "nothing around is allowed"),
    ({"before": -3, "after": 10**20}, [], [7, 8, 9, 10], "numbers are held to what is there"),
]


@promise("nmem:timeline:window", "nmem:timeline:shape")
@pytest.mark.parametrize(("arguments", "before", "after", "because"), WINDOWS, ids=last)
def test_a_timeline_shows_the_neighbours_in_order(
    nmem: Door, arguments: dict[str, int], before: list[int], after: list[int], because: str
) -> None:
    found = nmem.call("timeline", anchor=6, **arguments).json

    assert found["anchor"] == FAILED_TEST
    assert [entry["id"] for entry in found["before"]] == before
    assert [entry["id"] for entry in found["after"]] == after
    assert all(set(entry) == set(FAILED_TEST) for entry in found["before"] + found["after"])


@promise("nmem:timeline:window")
def test_a_timeline_stays_in_its_session(nmem: Door) -> None:
    found = nmem.call("timeline", anchor=12).json

    assert [entry["id"] for entry in found["before"]] == [11]
    assert found["after"] == []


@promise("nmem:timeline:missing-anchor")
@pytest.mark.parametrize("anchor", [999, 0, -1, 10**30])
def test_a_missing_anchor_is_the_published_error(nmem: Door, anchor: int) -> None:
    assert nmem.call("timeline", anchor=anchor).error == "anchor observation not found"


@promise("nmem:trace:shape", "nmem:trace:orphans")
def test_a_trace_shows_prompts_with_what_followed_them(nmem: Door) -> None:
    found = nmem.call("session_trace", session_id="s1").json

    assert {key: found[key] for key in found if key not in ("prompts", "summary")} == {
        "session_id": "s1",
        "project": "alpha",
        "started_at": START,
        "ended_at": START + 80,
    }
    assert [_outline(prompt) for prompt in found["prompts"]] == [
        (None, "system", None, ["session_start"]),
        (2, "user", "Fix the login bug", ["file_read", "command", "file_edit", "command_error"]),
        (7, "user", "Explain the auth token refresh", ["command"]),
        (None, "system", None, ["session_end"]),
    ]
    assert found["prompts"][1]["observation_count"] == 4
    assert found["prompts"][1]["observations"][0] == {
        "id": 3,
        "timestamp": START + 20,
        "obs_type": "file_read",
        "file_path": "/code/alpha/auth.py",
        "content_preview": "Read /code/alpha/auth.py",
        "is_pinned": False,
    }


@promise("nmem:trace:summary")
def test_a_trace_carries_the_summary_of_a_closed_session(nmem: Door) -> None:
    summary = nmem.call("session_trace", session_id="s1").json["summary"]

    assert summary["intent"] == "Fix the login bug"
    assert summary["files_edited"] == ["/code/alpha/auth.py"]
    assert nmem.call("session_trace", session_id="s2").json["summary"] is None


TRACE_WINDOWS = [
    # window                                     prompts and observations           because
    ({"before": START + 10}, [(None, [1])], "before excludes its bound"),
    ({"after": START + 60}, [(None, [9])], "after excludes its bound"),
    (
        {"after": START + 5, "before": START + 30},
        [(2, [3])],
        "a prompt inside stays, without the observations outside",
    ),
    (
        {"after": START + 20, "before": START + 55},
        [],
        "what belongs to a prompt outside is outside",
    ),
    ({"before": 0}, [], "nothing inside is an empty array"),
    (
        {"before": 10**30, "after": -(10**30)},
        [(None, [1]), (2, [3, 4, 5, 6]), (7, [8]), (None, [9])],
        "endless bounds filter nothing",
    ),
]


@promise("nmem:trace:window")
@pytest.mark.parametrize(("window", "outline", "because"), TRACE_WINDOWS, ids=last)
def test_a_trace_keeps_to_its_window(
    nmem: Door, window: dict[str, int], outline: list[tuple[int | None, list[int]]], because: str
) -> None:
    found = nmem.call("session_trace", session_id="s1", **window).json

    assert [
        (prompt["prompt_id"], [entry["id"] for entry in prompt["observations"]])
        for prompt in found["prompts"]
    ] == outline


@promise("nmem:trace:unknown-session")
def test_an_unknown_session_is_the_published_error(nmem: Door) -> None:
    assert nmem.call("session_trace", session_id="nope").error == "session not found: nope"


@promise("nmem:file:shape", "nmem:file:order")
def test_a_file_history_groups_touches_by_session(nmem: Door) -> None:
    found = nmem.call("file_history", file_path="/code/alpha/auth.py").json

    assert found == {
        "file_path": "/code/alpha/auth.py",
        "sessions": [
            {
                "session_id": "s2",
                "project": "alpha",
                "started_at": (NOW - 1_800_000) // 1000,
                "summary_intent": None,
                "touches": [
                    {
                        "observation_id": 12,
                        "timestamp": (NOW - 1_799_000) // 1000,
                        "obs_type": "file_edit",
                        "content_preview": "Edit /code/alpha/auth.py: token = None",
                        "prompt_content": "登录错误在数据库里",
                        "is_pinned": False,
                    }
                ],
            },
            {
                "session_id": "s1",
                "project": "alpha",
                "started_at": START,
                "summary_intent": "Fix the login bug",
                "touches": [
                    _touch(
                        5, START + 40, "file_edit", "Edit /code/alpha/auth.py: def check(token):"
                    ),
                    _touch(3, START + 20, "file_read", "Read /code/alpha/auth.py"),
                ],
            },
        ],
    }


FILE_WINDOWS = [
    # arguments                             touches     because
    ({"limit": 1}, [12], "the limit counts touches, newest first"),
    ({"limit": 0}, [12], "and is held to 1"),
    ({"limit": 10**30}, [12, 5, 3], "and to what there is"),
    ({"before": START + 40}, [3], "before excludes its bound"),
    ({"after": START + 20, "before": START + 41}, [5], "a window has two sides"),
]


@promise("nmem:file:limit", "nmem:file:window")
@pytest.mark.parametrize(("arguments", "touches", "because"), FILE_WINDOWS, ids=last)
def test_a_file_history_keeps_to_its_numbers(
    nmem: Door, arguments: dict[str, int], touches: list[int], because: str
) -> None:
    found = nmem.call("file_history", file_path="/code/alpha/auth.py", **arguments).json

    assert [
        touch["observation_id"] for session in found["sessions"] for touch in session["touches"]
    ] == touches


@promise("nmem:file:limit")
@pytest.mark.parametrize(
    ("arguments", "count"), [({}, 10), ({"limit": 50}, 50), ({"limit": 51}, 50)]
)
def test_a_file_history_is_10_touches_and_never_more_than_50(
    world: World, arguments: dict[str, int], count: int
) -> None:
    for second in range(60):
        world.edit("/code/alpha/a.py", f"x = {second}", at=NOW - second * 1000)
    ask = world.house().asker("nmem", "alpha")

    found = json.loads(ask("file_history", {"file_path": "/code/alpha/a.py", **arguments}).text)

    assert sum(len(session["touches"]) for session in found["sessions"]) == count


@promise("nmem:file:window", "nmem:trace:window")
def test_a_window_goes_by_the_second_that_is_shown(world: World) -> None:
    world.edit("/code/alpha/a.py", at=NOW - 5_500)
    ask = world.house().asker("nmem", "alpha")
    shown = NOW // 1000 - 6

    def touches(**window: int) -> int:
        found = json.loads(ask("file_history", {"file_path": "/code/alpha/a.py", **window}).text)
        return len(found["sessions"])

    def prompts(**window: int) -> int:
        return len(json.loads(ask("session_trace", {"session_id": "s1", **window}).text)["prompts"])

    for count in (touches, prompts):
        assert (count(after=shown), count(before=shown)) == (0, 0)
        assert (count(after=shown - 1), count(before=shown + 1)) == (1, 1)


@promise("nmem:file:unknown")
def test_an_unknown_file_has_no_sessions(nmem: Door) -> None:
    found = nmem.call("file_history", file_path="/nowhere").json

    assert found == {"file_path": "/nowhere", "sessions": []}


def _outline(prompt: dict[str, Any]) -> tuple[int | None, str, str | None, list[str]]:
    return (
        prompt["prompt_id"],
        prompt["source"],
        prompt["content"],
        [entry["obs_type"] for entry in prompt["observations"]],
    )


def _touch(id_: int, timestamp: int, obs_type: str, preview: str) -> dict[str, Any]:
    return {
        "observation_id": id_,
        "timestamp": timestamp,
        "obs_type": obs_type,
        "content_preview": preview,
        "prompt_content": "Fix the login bug",
        "is_pinned": False,
    }
