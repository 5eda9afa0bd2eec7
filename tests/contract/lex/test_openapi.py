"""The routes for frames are as they are described: schemathesis asks a worker, with the key."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, HttpDoor, World
from promises import promise
from recollect.dialect import registry
from recollect.web.openapi import document

KEY = "k3y"
CONFIGURATION = """
[[operations]]
include-name = "POST /api/frames"
checks.positive_data_acceptance.enabled = false
"""
"""Whether a text is an image, and how many characters are left of it, no schema can tell."""
EXAMPLES = 4


@promise("lex:http:described")
def test_the_worker_does_what_is_described(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"RECOLLECT_EMBEDDER": "none", "LEX_API_KEY": KEY})
    door = HttpDoor(world, cwd=str(tmp_path), dialect="lex")
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
    host, port = door.address
    try:
        asked = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                *("run", f"http://{host}:{port}/api/openapi.json"),
                *("--include-path-regex", "^/(health|api/frames)", "-H"),
                f"Authorization: Bearer {KEY}",
                *("--phases", "coverage,fuzzing"),
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
    assert "5 passed" in asked.stdout, "all of them were asked"


@promise("lex:http:described")
@pytest.mark.parametrize("has_token", [False, True])
def test_the_key_is_told_where_it_is_needed(has_token: bool) -> None:
    lex = registry.load("lex")
    told: Any = document(lex.routes, lex.schemas, has_token=has_token)
    schemes = set(told["components"]["securitySchemes"])
    assert schemes == ({"key", "token"} if has_token else {"key"})
    for path, operations in told["paths"].items():
        for operation in operations.values():
            is_frame = path.startswith("/api/frames")
            is_open = path in ("/health", "/api/health")
            needed: list[Any] = [{"key": []}] if is_frame else [{"token": []}]
            expected = needed if is_frame or (has_token and not is_open) else None
            assert operation.get("security") == expected
            assert ("401" in operation["responses"]) == (expected is not None)
