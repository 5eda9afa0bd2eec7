"""`recollect pack`, as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contract.world import DAY, MINUTE, NOW, World
from recollect.search.tokens import tokens


@pytest.fixture
def world(tmp_path: Path) -> World:
    """One session with its summary, a remark, and something else elsewhere; by words only."""
    world = World(tmp_path, NOW)
    at = NOW - 2 * DAY
    world.prompt("Make the token refresh tolerate clock skew", at=at)
    world.bash("pytest tests/test_tokens.py", at=at + MINUTE)
    world.edit("/code/alpha/tokens.py", "LEEWAY = 60", at=at + 2 * MINUTE)
    world.hook("Stop", at=at + 3 * MINUTE)
    world.bash("docker compose up", session="s2", cwd="/code/beta", at=at + 4 * MINUTE)
    world.run("mark", "Tokens tolerate a minute of skew, because clocks differ", "--project=alpha")
    return world


def test_a_pack_has_its_three_sections_and_a_receipt(world: World) -> None:
    done = world.run("pack", "how do tokens tolerate skew?", "--project", "/code/alpha")

    headings = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert headings == ["## Summary", "## Timeline", "## Observations"]
    assert "] (session_summary) Make the token refresh" in done.stdout
    assert "] (command) Ran `pytest tests/test_tokens.py` (tool, " in done.stdout
    assert "] (marker) Tokens tolerate a minute of skew" in done.stdout
    assert "docker" not in done.stdout
    assert f"recollect: {tokens(done.stdout)} of 2000 tokens, 4 memories" in done.stderr


@pytest.mark.parametrize("budget", ["0", "20", "40", "80", "-5"])
def test_a_pack_keeps_to_its_budget(world: World, budget: str) -> None:
    done = world.run("pack", "tokens skew", "--json", f"--budget={budget}")

    pack = json.loads(done.stdout)
    assert tokens(pack["text"]) == pack["tokens"] <= max(int(budget), 0)
    assert pack["left_out"] != []


def test_when_nothing_answers_the_newest_are_told_and_that_is_said(world: World) -> None:
    done = world.run("pack", "zanzibar", "--limit", "2")

    assert "nothing answers the question; these are the newest memories" in done.stderr
    assert "2 memories" in done.stderr


def test_a_store_that_is_missing_is_not_made(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)

    assert world.run("pack", "anything").returncode == 1
    assert not Path(world.settings.store).exists()
