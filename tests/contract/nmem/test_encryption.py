"""The store and all that is derived from it, encrypted at rest."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from contract.world import NOW, World
from promises import promise
from recollect import wiring
from recollect.cli import encryption

KEY = "0123456789abcdef" * 4
WORD = b"parsnip"


def record(world: World, command: str, **environ: str) -> int:
    payload = {
        "session_id": "s1",
        "cwd": "/code/alpha",
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
    aside = Path(world.settings.spool_dir) / "00000000000000000001-1-x.json"
    aside.write_text('{"v": 1, "kind": "parsnip"}', encoding="utf-8")
    world.run("status")
    record(world, "echo parsnip and again")
    assert len(traces(world)) >= 3

    done = world.run("encrypt")

    assert done.returncode == 0
    assert traces(world) == []
    key_file = Path(f"{world.settings.store}.key")
    assert str(key_file) in done.stderr
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert len(json.loads(world.run("search", "parsnip").stdout)) == 3
    assert "integrity" not in world.run("doctor").stdout
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


@promise("nmem:encryption:migrate")
def test_an_encryption_that_fails_leaves_the_plain_store_and_can_be_repeated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(world, "echo parsnip")
    world.run("status")
    key = bytes.fromhex(KEY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        wiring.encrypt(world.settings, key, backup=None, keep_key=full)

    assert not list(world.home.glob("*.encrypting"))
    assert len(json.loads(world.run("search", "parsnip").stdout)) == 1
    assert world.run("encrypt").returncode == 0


@promise("nmem:encryption:migrate")
def test_a_backup_that_cannot_be_written_changes_nothing(world: World) -> None:
    record(world, "echo parsnip")
    world.run("status")
    taken = world.home / "taken"
    taken.write_text("mine", encoding="utf-8")

    done = world.run("encrypt", "--keep-backup", str(taken))

    assert done.returncode == 1
    assert "--keep-backup cannot be written" in done.stderr
    assert taken.read_text(encoding="utf-8") == "mine"
    assert not Path(f"{world.settings.store}.key").exists()
    assert len(json.loads(world.run("search", "parsnip").stdout)) == 1


@promise("nmem:encryption:at-rest")
def test_a_mistyped_setting_does_not_let_the_hook_write_in_plain(world: World) -> None:
    key_file = world.home / "my.key"
    key_file.write_text(KEY, encoding="utf-8")
    config = world.home / "config.toml"
    good = f'[encryption]\nkey_file = "{key_file}"\n'
    config.write_text(good, encoding="utf-8")
    world.environ["RECOLLECT_CONFIG"] = str(config)
    record(world, "echo parsnip")
    world.run("status")

    config.write_text(good + '[retention]\nenabled = "yes"\n', encoding="utf-8")
    assert record(world, "echo parsnip twice") == 0
    config.write_text(good + "[retention\n", encoding="utf-8")
    assert record(world, "echo parsnip thrice") == 1

    assert traces(world) == []
    config.write_text(good, encoding="utf-8")
    assert len(json.loads(world.run("search", "parsnip").stdout)) == 2


@promise("nmem:encryption:migrate")
def test_the_key_is_durable_before_the_store_depends_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noting(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            synced.append(os.listdir(descriptor))

    synced: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", noting)

    encryption._write_key(str(tmp_path / "r.db.key"), b"k" * 32)

    assert synced == [["r.db.key"]]
