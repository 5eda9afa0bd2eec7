"""Retention: off by default; when it is on, by type, and never what is pinned."""

from __future__ import annotations

import json
from pathlib import Path

from contract.world import DAY, NOW, World
from promises import promise
from recollect.service import retention


def old_session(world: World, session: str, days: int) -> None:
    at = NOW - days * DAY
    world.prompt("Fix it", session=session, at=at)
    world.read(f"/a/{session}", session=session, at=at + 1)
    world.bash(f"make {session}", session=session, at=at + 2)
    world.edit(f"/b/{session}", session=session, at=at + 3)
    world.hook("Stop", session=session, at=at + 4)


def kinds(world: World, session: str) -> list[str]:
    house = world.house()
    found = [memory.type for memory in house.store.memories.of_session(session)]
    house.close()
    return found


@promise("nmem:retention:by-type", "nmem:retention:pinned")
def test_a_sweep_removes_by_type_and_spares_what_is_pinned(world: World) -> None:
    old_session(world, "s1", 100)
    old_session(world, "s2", 200)
    old_session(world, "s3", 10)
    house = world.house()
    (pinned,) = house.store.memories.of_file("/a/s2", before=None, after=None, limit=1)
    with house.store.transaction():
        house.store.memories.pin(pinned.memory.id, is_pinned=True)

    swept = retention.sweep(house.store, world.settings.retention_days, now=NOW)

    assert swept.observations == 2
    assert kinds(world, "s1") == [
        "user_prompt",
        "command",
        "file_edit",
        "session_end",
        "session_summary",
    ]
    assert kinds(world, "s2") == [
        "user_prompt",
        "file_read",
        "file_edit",
        "session_end",
        "session_summary",
    ]
    assert "file_read" in kinds(world, "s3")
    assert house.store.upkeep.strays() == (0, 0)


@promise("nmem:retention:by-type")
def test_no_days_mean_everything_this_moment_included(world: World) -> None:
    world.bash("make", at=NOW)
    world.hook("Stop", at=NOW)
    house = world.house()

    assert retention.sweep(house.store, {"command": 0}, now=NOW).observations == 1


@promise("nmem:retention:summarised-first")
def test_a_session_without_a_summary_is_never_swept(world: World) -> None:
    world.read("/a", at=NOW - 1000 * DAY)
    house = world.house()

    assert retention.sweep(house.store, {"file_read": 0}, now=NOW).observations == 0
    world.hook("Stop")
    house.catch_up()
    assert retention.sweep(house.store, {"file_read": 0}, now=NOW).observations == 1


@promise("nmem:retention:off")
def test_nothing_is_deleted_by_itself(world: World) -> None:
    old_session(world, "s1", 3000)
    start(world)

    assert "file_read" in kinds(world, "s1")


@promise("nmem:retention:at-session-start")
def test_when_it_is_on_the_context_shows_the_store_after_the_sweep(world: World) -> None:
    old_session(world, "s1", 3000)
    world.bash("make today", session="s2", at=NOW)
    config = world.home / "config.toml"
    config.write_text("[retention]\nenabled = true\n", encoding="utf-8")

    text = start(world, RECOLLECT_CONFIG=str(config))

    assert "make today" in text
    assert "make s1" not in text
    assert "file_read" not in kinds(world, "s1")


@promise("nmem:retention:by-type")
def test_days_of_your_own_replace_the_default_table(world: World, tmp_path: Path) -> None:
    old_session(world, "s1", 3000)
    config = tmp_path / "config.toml"
    config.write_text("[retention.days]\ncommand = 1\n", encoding="utf-8")

    done = world.run("maintain", "--sweep", RECOLLECT_CONFIG=str(config))

    assert "swept 1 observations" in done.stderr
    assert "command" not in kinds(world, "s1")
    assert "file_read" in kinds(world, "s1")


def start(world: World, **environ: str) -> str:
    payload = {
        "session_id": "new",
        "cwd": "/code/alpha",
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    done = world.run("record", stdin=json.dumps(payload).encode(), **environ)
    assert done.returncode == 0
    return done.stdout
