"""The page's data is as `/api/openapi.json` describes it: schemathesis asks a running worker."""

from __future__ import annotations

from pathlib import Path

from contract.described import asked
from contract.viewer.past import NOW, fill
from contract.world import HttpDoor, World
from promises import promise
from recollect.web.viewer.data import data_routes

CONFIGURATION = """
[[operations]]
include-name = "POST /api/viewer/memories/{id}/edit"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path-regex = "^/api/viewer/memories/.id."
parameters = { "path.id" = [1, 2, 3, 4, 6, 7, 8] }

[[operations]]
include-name = "GET /api/viewer/memories"
checks.positive_data_acceptance.enabled = false
"""
"""What is left of a text without what is private, no schema can tell, nor which cursors a list
takes: with a question other ones than without."""


@promise("viewer:data:described")
def test_the_worker_does_what_is_described(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"RECOLLECT_EMBEDDER": "none"})
    fill(world)
    door = HttpDoor(world, cwd=str(tmp_path), dialect="codexmem")
    only = ("--include-path-regex", "^/api/viewer/")
    try:
        told = asked(door.address, tmp_path, *only, configuration=CONFIGURATION)
    finally:
        door.close()
    assert f"{len(data_routes())} passed" in told, "all of them were asked"
