"""nmem's worlds: one that a whole module reads through each door, and a fresh one for a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.world import NOW, Door, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty world with a fixed clock."""
    return World(tmp_path, NOW)


@pytest.fixture(scope="module", params=["stdio", "http"])
def door_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory, door_kind: str) -> World:
    """Two sessions of `alpha` and one of `beta`, as the hooks saw them; see `fill`."""
    world = World(tmp_path_factory.mktemp(door_kind), NOW)
    fill(world)
    world.house().close()
    return world


@pytest.fixture(scope="module")
def nmem(history: World, door_kind: str) -> Iterator[Door]:
    """A door to the history, opened by a client that works in `alpha`."""
    door = history.door(door_kind, cwd=str(history.home / "alpha"))
    yield door
    door.close()


def fill(world: World) -> None:
    """The history. Ids are given in this order, from 1."""
    at = NOW - 3_600_000
    world.hook("SessionStart", source="startup", at=at)  # 1 session_start
    world.prompt("Fix the login bug", at=at + 10_000)  # 2
    world.read("/code/alpha/auth.py", at=at + 20_000)  # 3
    world.bash("pytest tests/auth", "1 passed", at=at + 30_000)  # 4
    world.edit("/code/alpha/auth.py", "def check(token):\n    ...", at=at + 40_000)  # 5
    world.hook(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "cargo test -- auth::tests"},
        error="Exit code 101\nassertion failed",
        at=at + 50_000,
    )  # 6 command_error
    world.prompt("Explain the auth token refresh", at=at + 60_000)  # 7
    world.bash("grep -rn token src", "src/auth.py:3", at=at + 70_000)  # 8
    world.hook("Stop", at=at + 80_000)  # 9 session_end, 10 session_summary
    later = NOW - 1_800_000
    world.prompt("登录错误在数据库里", session="s2", at=later)  # 11
    world.edit("/code/alpha/auth.py", "token = None", session="s2", at=later + 1_000)  # 12
    world.bash("docker compose up", session="s3", cwd="/code/beta", at=later + 2_000)  # 13
    world.tool("mcp__github__list", session="s3", cwd="/code/beta", at=later + 3_000)  # 14
