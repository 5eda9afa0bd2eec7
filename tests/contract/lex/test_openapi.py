"""The routes for frames are as they are described: schemathesis asks a worker, with the key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contract.described import asked
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


@promise("lex:http:described")
def test_the_worker_does_what_is_described(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"RECOLLECT_EMBEDDER": "none", "LEX_API_KEY": KEY})
    door = HttpDoor(world, cwd=str(tmp_path), dialect="lex")
    frames = ("--include-path-regex", "^/(health|api/frames)")
    key = ("-H", f"Authorization: Bearer {KEY}")
    try:
        told = asked(
            door.address,
            tmp_path,
            *frames,
            *key,
            configuration=CONFIGURATION,
            phases="coverage,fuzzing",
        )
    finally:
        door.close()
    assert "5 passed" in told, "all of them were asked"


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
