"""The page's data is as `/api/openapi.json` describes it: schemathesis asks a running worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
EXAMPLES = 4


@promise("viewer:data:described")
def test_the_worker_does_what_is_described(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"RECOLLECT_EMBEDDER": "none"})
    fill(world)
    door = HttpDoor(world, cwd=str(tmp_path), dialect="codexmem")
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
    host, port = door.address
    try:
        asked = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                *("run", f"http://{host}:{port}/api/openapi.json"),
                *("--include-path-regex", "^/api/viewer/"),
                *("--phases", "examples,coverage,fuzzing"),
                *("--max-examples", str(EXAMPLES), "--generation-deterministic", "--no-color"),
            ],
            cwd=tmp_path,
            env={"HOME": str(tmp_path), "NO_PROXY": "*", "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        door.close()
    assert asked.returncode == 0, asked.stdout[-20_000:] + asked.stderr[-5_000:]
    assert f"{len(data_routes())} passed" in asked.stdout, "all of them were asked"
