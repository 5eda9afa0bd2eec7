"""codemem's worlds: one that a whole module reads through each door, and a fresh one for a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.codemem.past import Call, caller, fill
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
    """A session of `alpha` with its summary, a decision, something of `beta`, and what was
    forgotten; see `fill`."""
    world = World(tmp_path_factory.mktemp(door_kind), NOW)
    fill(world)
    return world


@pytest.fixture(scope="module")
def codemem(history: World, door_kind: str) -> Iterator[Door]:
    """A door to the history, opened by a client that works in `alpha`."""
    door = history.door(door_kind, cwd=str(history.home / "alpha"), dialect="codemem")
    yield door
    door.close()


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    """The same history, asked within this process, where it is always the same moment."""
    world = World(tmp_path_factory.mktemp("still"), NOW)
    fill(world)
    house = world.house()
    yield caller(house)
    house.close()


@pytest.fixture
def fresh(world: World) -> Iterator[Call]:
    """An empty store, asked within this process as a client in `alpha` would."""
    house = world.house()
    yield caller(house)
    house.close()
