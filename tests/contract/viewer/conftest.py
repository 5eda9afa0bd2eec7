"""The viewer's worlds: one that a whole module reads, and an empty one for a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.viewer.past import NOW, Viewer, fill, served
from contract.world import World


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """Filled with `fill`, words only; whoever reads it adds nothing."""
    world = World(tmp_path_factory.mktemp("past"), NOW)
    fill(world)
    with served(world) as viewer:
        yield viewer


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Viewer]:
    with served(World(tmp_path, NOW)) as viewer:
        yield viewer
