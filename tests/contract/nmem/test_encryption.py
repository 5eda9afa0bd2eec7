"""The store and all that is derived from it, encrypted at rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contract.world import NOW, World
from promises import promise

KEY = "0123456789abcdef" * 4
WORD = b"parsnip"


def record(world: World, command: str, **environ: str) -> int:
    payload = {
        "session_id": "s1",
        "cwd": "/work/alpha",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return world.run("record", stdin=json.dumps(payload).encode(), **environ).returncode


def traces(world: World) -> list[Path]:
    return [path for path in world.home.rglob("*") if path.is_file() and WORD in path.read_bytes()]


@promise("nmem:encryption:at-rest")
@pytest.mark.parametrize("variable", ["RECOLLECT_KEY", "NMEM_KEY"])
def test_with_a_key_nothing_on_disk_can_be_read(world: World, variable: str) -> None:
    world.environ[variable] = KEY

    assert record(world, "echo parsnip") == 0
    assert traces(world) == []  # it waits in the spool, sealed
    found = world.run("search", "parsnip")
    assert traces(world) == []  # and is in the store, encrypted

    assert json.loads(found.stdout)[0]["content_preview"] == "echo parsnip"
    assert "encryption — enabled" in world.run("status").stdout


@promise("nmem:encryption:wrong-key")
def test_without_the_key_the_store_is_refused_and_the_event_kept(world: World) -> None:
    record(world, "echo parsnip", RECOLLECT_KEY=KEY)
    world.run("status", RECOLLECT_KEY=KEY)

    keyless, wrong = world.run("search", "x"), world.run("search", "x", RECOLLECT_KEY="f" * 64)
    assert (keyless.returncode, keyless.stdout) == (1, "")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert record(world, "echo turnip") == 2
    assert len(list(Path(world.settings.spool_dir).glob("*.json"))) == 1


@promise("nmem:encryption:wrong-key")
@pytest.mark.parametrize("key", ["abc", "g" * 64, "0" * 63])
def test_a_key_that_is_none_is_refused_by_name(world: World, key: str) -> None:
    done = world.run("search", "x", RECOLLECT_KEY=key)

    assert done.returncode == 1
    assert "RECOLLECT_KEY" in done.stderr
    assert key not in done.stderr


@promise("nmem:encryption:migrate")
def test_encrypting_a_plain_store_leaves_no_plain_text_behind(world: World) -> None:
    record(world, "echo parsnip")
    world.run("status")
    record(world, "echo parsnip again")
    assert traces(world) != []

    done = world.run("encrypt")

    assert done.returncode == 0
    assert traces(world) == []
    key_file = Path(f"{world.settings.store}.key")
    assert str(key_file) in done.stderr
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert len(json.loads(world.run("search", "parsnip").stdout)) == 2
    assert world.run("doctor").returncode == 0
    assert world.run("encrypt").returncode == 1


@promise("nmem:encryption:migrate")
def test_a_plain_backup_is_kept_only_when_asked_for(world: World) -> None:
    record(world, "echo parsnip")
    world.run("status")
    backup = world.home / "plain.db"

    world.run("encrypt", "--keep-backup", str(backup))

    assert traces(world) == [backup]


@promise("nmem:encryption:plain-store")
def test_a_key_for_a_store_that_is_still_plain_is_told(world: World) -> None:
    record(world, "echo parsnip")
    world.run("status")

    done = world.run("search", "parsnip", RECOLLECT_KEY=KEY)

    assert done.returncode == 1
    assert "recollect encrypt" in done.stderr


@promise("nmem:encryption:migrate")
def test_a_store_in_use_is_not_encrypted_under_its_users(world: World) -> None:
    world.bash("echo parsnip", at=NOW)
    house = world.house()

    refused = world.run("encrypt")
    house.close()
    done = world.run("encrypt")

    assert refused.returncode == 1
    assert "in use" in refused.stderr
    assert done.returncode == 0
    assert json.loads(world.run("search", "parsnip").stdout)[0]["id"] == 1
