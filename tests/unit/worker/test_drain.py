"""One spoiled entry must not hold up the others, whatever is wrong with it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from contract.world import NOW, World
from recollect import wiring
from recollect.capture import spool
from recollect.model.errors import StoreError
from recollect.service import observe
from recollect.worker import drain as drains

FIRST = "00000000000000000001-1-a.json"
"""A name that sorts before everything that is captured now."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, NOW)


def spooled(world: World, blob: bytes) -> Path:
    world.bash("make one")
    path = Path(world.settings.spool_dir) / FIRST
    path.write_bytes(blob)
    world.bash("make two")
    return path


SPOILED = [
    # what the entry is                                         the reason, or None: it stays
    (b"", "the entry is not JSON"),
    (b"\xff\xfe", "the entry is not UTF-8"),
    (b"[1]", "the entry is not a JSON object"),
    (b'{"v": "new"}', "the entry has version 'new', not 1"),
    (b'{"v": 1, "key": "k"}', "the entry's session_id is not a text"),
    (b"[" * 100_000, "the entry is not JSON"),
    (b"RCS1" + bytes(64), "the entry is sealed, and no key is set"),
]


@pytest.mark.parametrize(("blob", "reason"), SPOILED)
def test_a_spoiled_entry_is_put_aside_and_the_others_are_stored(
    world: World, blob: bytes, reason: str
) -> None:
    spooled(world, blob)

    house = world.house()

    assert house.store.upkeep.counts().memories == 2
    assert spool.waiting(world.settings.spool_dir) == []
    ((name, why),) = spool.quarantined(world.settings.spool_dir)
    assert name == FIRST
    assert why.startswith(reason)


def test_an_entry_that_the_store_refuses_is_put_aside_alone(world: World) -> None:
    world.bash("make one")
    world.bash("far too late", at=2**70)
    world.bash("make two")

    house = world.house()

    assert house.store.upkeep.counts().memories == 2
    assert len(spool.quarantined(world.settings.spool_dir)) == 1


def test_an_entry_that_cannot_be_read_stays_and_the_others_are_stored(world: World) -> None:
    path = spooled(world, b"")
    path.unlink()
    path.mkdir()

    house = world.house()

    assert house.store.upkeep.counts().memories == 2
    assert spool.waiting(world.settings.spool_dir) == [FIRST]
    assert world.run("status").returncode == 0


def test_an_entry_of_a_newer_version_waits_for_it(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    newer = spooled(world, b"")
    world.bash("make three")
    last = spool.waiting(world.settings.spool_dir)[-1]
    blob = spool.read(world.settings.spool_dir, last)
    newer.write_bytes(blob.replace(b'"v":1', b'"v":2'))
    spool.done(world.settings.spool_dir, last)

    house = world.house()
    house.catch_up()

    assert house.store.upkeep.counts().memories == 2
    assert spool.waiting(world.settings.spool_dir) == [FIRST]
    assert spool.quarantined(world.settings.spool_dir) == []
    told = [text for text in caplog.messages if "stays in the spool" in text]
    assert told == [
        f"{FIRST} stays in the spool: the entry has version 2, and this program knows 1"
    ]

    house.close()
    newer.write_bytes(blob)  # as a program that knows version 2 would read it
    assert world.house().store.upkeep.counts().memories == 3


def test_what_keeps_an_entry_in_the_spool_is_told_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    path = spooled(world, b"")
    path.unlink()
    path.mkdir()

    house = world.house()
    house.catch_up()
    house.catch_up()

    assert len([text for text in caplog.messages if "stays in the spool" in text]) == 1


def test_a_session_start_leaves_a_long_queue_to_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "BATCH", 2)
    monkeypatch.setattr(wiring.house, "HURRY", 0.0)
    for number in range(5):
        world.bash(f"make {number}")
    hurried = wiring.open_house(world.settings, clock=lambda: NOW, patience_ms=100)

    assert hurried.catch_up() == 2
    assert len(spool.waiting(world.settings.spool_dir)) == 3
    hurried.close()
    assert world.house().store.upkeep.counts().memories == 5


def test_a_spool_that_cannot_be_emptied_hinders_no_reading(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    world.bash("make one")
    monkeypatch.setattr(spool, "done", refusing)
    house = wiring.open_house(world.settings, clock=lambda: NOW)

    assert "Permission denied" in str(house.try_to_catch_up())
    assert house.store.upkeep.counts().memories == 1
    monkeypatch.undo()
    assert house.catch_up() == 0
    assert spool.waiting(world.settings.spool_dir) == []


def test_a_fault_of_ours_puts_only_its_entry_aside(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*arguments: object) -> int:
        if any("make two" in str(argument) for argument in arguments):
            raise KeyError("é")
        return real(*arguments)  # type: ignore[arg-type]

    real = observe.keep
    monkeypatch.setattr(observe, "keep", faulty)
    world.bash("make one")
    world.bash("make two")

    house = world.house()

    assert house.store.upkeep.counts().memories == 1
    assert [why for _, why in spool.quarantined(world.settings.spool_dir)] == ["fault: KeyError"]


def test_a_store_that_fails_keeps_every_entry_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise StoreError("disk I/O error")

    world.bash("make one")
    house = world.house()
    world.bash("make two")
    monkeypatch.setattr(observe, "keep", failing)

    with pytest.raises(StoreError, match="disk I/O error"):
        house.catch_up()

    assert len(os.listdir(world.settings.spool_dir)) >= 1
    assert len(spool.waiting(world.settings.spool_dir)) == 1
    assert spool.quarantined(world.settings.spool_dir) == []
