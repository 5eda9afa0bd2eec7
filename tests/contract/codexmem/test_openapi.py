"""The API is as `/api/openapi.json` describes it: schemathesis asks a running worker."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.codexmem.past import fill
from contract.described import asked
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
    # Events never end; frames, which need a key, and the viewer have tests of their own.
    others = ("--exclude-path-regex", "^/api/(events|frames|viewer)")

    told = asked(worker, tmp_path, *others, configuration=CONFIGURATION)

    assert "No issues found" in told


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
