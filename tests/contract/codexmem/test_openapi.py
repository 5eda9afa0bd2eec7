"""The API is as `/api/openapi.json` describes it: schemathesis asks a running worker."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.codexmem.past import fill
from contract.world import NOW, HttpDoor, World
from promises import promise
from recollect.dialect import registry
from recollect.dialects.codexmem import dialect as codexmem
from recollect.web.openapi import document
from recollect.web.viewer.data import data_routes

CONFIGURATION = """
[[operations]]
include-name = "POST /api/settings"
checks.positive_data_acceptance.enabled = false
"""
"""Which value a setting takes depends on its name; the schema does not tell them all."""
EXAMPLES = 4
"""Of each operation, besides those that cover its schemas: over a thousand requests in all."""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    world = World(tmp_path_factory.mktemp("openapi"), NOW)
    fill(world)
    door = HttpDoor(world, cwd=str(world.home), dialect="codexmem")
    yield door.address
    door.close()


@pytest.fixture(scope="module")
def described(worker: tuple[str, int]) -> dict[str, Any]:
    connection = http.client.HTTPConnection(*worker, timeout=30)
    connection.request("GET", "/api/openapi.json")
    document: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return document


@promise("codexmem:openapi")
def test_every_route_is_described(described: dict[str, Any]) -> None:
    told = {
        f"{method.upper()} {path}"
        for path, operations in described["paths"].items()
        for method in operations
    }

    assert told == {
        *(f"{route.method} {route.path}" for name in registry.names() for route in _routes(name)),
        *("GET /health", "GET /api/health", "GET /api/readiness", "GET /api/version"),
        *("GET /api/events", "GET /api/openapi.json"),
        *(f"{route.method} {route.path}" for route in data_routes()),
    }
    names = [each["operationId"] for path in described["paths"].values() for each in path.values()]
    assert len(names) == len(set(names))


@promise("codexmem:openapi")
def test_the_worker_does_what_is_described(worker: tuple[str, int], tmp_path: Path) -> None:
    host, port = worker
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
    asked = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"http://{host}:{port}/api/openapi.json",
            # Events never end; frames, which need a key, and the viewer have tests of their own.
            *("--exclude-path-regex", "^/api/(events|frames|viewer)"),
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

    assert asked.returncode == 0, asked.stdout[-20_000:] + asked.stderr[-5_000:]
    assert "No issues found" in asked.stdout


def test_with_a_token_it_is_told_where_one_is_needed() -> None:
    published = codexmem.dialect()

    told: Any = document(published.routes, published.schemas, has_token=True)

    search, health = told["paths"]["/api/search"]["get"], told["paths"]["/api/health"]["get"]
    assert search["security"] == [{"token": []}]
    assert "401" in search["responses"]
    assert "security" not in health
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def _routes(name: str) -> Any:
    return registry.load(name).routes
