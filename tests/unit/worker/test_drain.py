"""One spoiled entry must not hold up the others, whatever is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from contract.world import NOW, World
from recollect.capture import spool
from recollect.model.errors import StoreError
from recollect.service import observe

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
    (b'{"v": 99}', "the entry has version 99"),
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
