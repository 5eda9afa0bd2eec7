"""nmem `recent_context`: the composite score, to the digit, and who is in it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from contract.world import DAY, HOUR, NOW, Door, World
from promises import last, promise

WEIGHTS = {"file_edit": 1.0, "command": 0.67, "session_compact": 0.5, "mcp_call": 0.33}
OTHERS = 0.17


def recent(world: World, **arguments: object) -> list[dict[str, Any]]:
    house = world.house()
    found: list[dict[str, Any]] = json.loads(
        house.asker("nmem", "alpha")("recent_context", arguments).text
    )
    house.close()
    return found


def recency(age_ms: int) -> float:
    return math.exp(-math.log(2) * (age_ms / DAY) / 7.0)


AGES = [
    # age        recency    because
    (0, 1.0, "now is 1"),
    (7 * DAY, 0.5, "a week is a half"),
    (14 * DAY, 0.25, "two weeks are a quarter"),
    (21 * DAY, 0.125, "three weeks are an eighth"),
    (-DAY, 1.0, "what comes from the future is now"),
]


@promise("nmem:recent:recency", "nmem:recent:formula")
@pytest.mark.parametrize(("age", "value", "because"), AGES, ids=last)
def test_the_score_falls_with_a_half_life_of_seven_days(
    world: World, age: int, value: float, because: str
) -> None:
    world.bash("make", at=NOW - age)

    (with_project,) = recent(world)
    (without,) = recent(world, project=None)

    assert with_project["score"] == pytest.approx(value * 0.5 + 0.67 * 0.3 + 1.0 * 0.2, abs=1e-12)
    assert without["score"] == pytest.approx(value * 0.6 + 0.67 * 0.4, abs=1e-12)


@promise("nmem:recent:type-weight", "nmem:recent:formula")
def test_each_type_has_its_published_weight(world: World) -> None:
    world.edit("/code/alpha/a.py", at=NOW)
    world.bash("make", at=NOW)
    world.hook("SessionStart", source="compact", at=NOW)
    world.tool("mcp__x__y", at=NOW)
    world.read("/code/alpha/b.py", at=NOW)
    world.bash("git commit -m x", at=NOW)
    world.tool("WebSearch", query="sqlite wal", at=NOW)

    found = {entry["obs_type"]: entry["score"] for entry in recent(world)}

    assert found == {
        obs_type: pytest.approx(0.5 + WEIGHTS.get(obs_type, OTHERS) * 0.3 + 0.2, abs=1e-12)
        for obs_type in (*WEIGHTS, "file_read", "git_commit", "web_search")
    }


@promise("nmem:recent:project")
def test_a_project_is_a_boost_and_not_a_filter(world: World) -> None:
    world.bash("make here", at=NOW - DAY)
    world.bash("make there", cwd="/code/beta", session="s2", at=NOW)

    here = [(entry["content"], entry["score"]) for entry in recent(world)]
    there = [entry["content"] for entry in recent(world, project="beta")]
    anywhere = [entry["content"] for entry in recent(world, project=None)]

    assert here == [
        ("make here", pytest.approx(recency(DAY) * 0.5 + 0.67 * 0.3 + 1.0 * 0.2, abs=1e-12)),
        ("make there", pytest.approx(1.0 * 0.5 + 0.67 * 0.3 + 0.3 * 0.2, abs=1e-12)),
    ]
    assert there == ["make there", "make here"]
    assert anywhere == ["make there", "make here"]


@promise("nmem:recent:dedup")
def test_a_file_appears_once_with_its_best_score(world: World) -> None:
    for hours in range(100):
        world.edit("/code/alpha/a.py", f"x = {hours}", at=NOW - hours * HOUR)
    world.read("/code/alpha/a.py", at=NOW)
    world.edit("/code/alpha/b.py", at=NOW - 200 * HOUR)
    for minute in range(3):
        world.bash("make", at=NOW - minute)

    found = recent(world)

    assert [(entry["obs_type"], entry["file_path"]) for entry in found] == [
        ("file_edit", "/code/alpha/a.py"),
        ("command", None),
        ("command", None),
        ("command", None),
        ("file_edit", "/code/alpha/b.py"),
    ]
    assert found[0]["content"] == "Edit /code/alpha/a.py: x = 0"


@promise("nmem:recent:actions-only")
def test_prompts_and_lifecycle_are_left_out_but_for_a_compaction(world: World) -> None:
    world.hook("SessionStart", source="startup")
    world.hook("SessionStart", source="resume")
    world.hook("SessionStart", source="clear")
    world.hook("SessionStart", source="compact")
    world.prompt("Fix it")
    world.bash("make")
    world.hook("Stop")

    assert sorted(entry["obs_type"] for entry in recent(world)) == ["command", "session_compact"]


LIMITS = [
    # arguments            how many   because
    ({}, 30, "thirty by default"),
    ({"limit": 5}, 5, "as many as asked for"),
    ({"limit": 1000}, 100, "held to 100"),
    ({"limit": 0}, 1, "and to 1"),
]


@promise("nmem:recent:limit")
@pytest.mark.parametrize(("arguments", "count", "because"), LIMITS, ids=last)
def test_recent_context_holds_its_limit(
    world: World, arguments: dict[str, int], count: int, because: str
) -> None:
    for number in range(110):
        world.bash(f"echo {number}", at=NOW - number)

    found = recent(world, **arguments)

    assert len(found) == count
    assert [entry["content"] for entry in found] == [f"echo {number}" for number in range(count)]


@promise("nmem:recent:empty")
def test_an_empty_store_has_no_recent_context(world: World) -> None:
    assert recent(world) == []


@promise("nmem:recent:shape")
def test_each_entry_is_a_full_observation_with_its_score(nmem: Door) -> None:
    best = nmem.call("recent_context").json[0]
    (whole,) = nmem.call("get_observations", ids=[best["id"]]).json

    score = best.pop("score")
    assert 0 < score <= 1
    assert best == whole
