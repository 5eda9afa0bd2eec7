"""Searches whose vectors come and go: the answer says so, and goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import models
from contract.codexmem.past import CodexMem, served
from contract.world import NOW, World
from endpoints import Answer, Server, ok, serving
from promises import promise
from recollect.embed import remote as endpoint

CONTAINERS = {"containers", "docker"}


def meaning(asked: dict[str, Any]) -> Answer:
    """What speaks of containers means one thing, everything else another."""
    near = [bool(CONTAINERS & set(text.lower().split())) for text in asked["input"]]
    vectors = [[1.0, 0.0] if each else [0.0, 1.0] for each in near]
    return ok({"data": [{"index": n, "embedding": each} for n, each in enumerate(vectors)]})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        server.script = [meaning]
        yield server


@pytest.fixture
def remote(server: Server, tmp_path: Path) -> Iterator[CodexMem]:
    environ = {
        "RECOLLECT_EMBEDDER": "remote",
        "RECOLLECT_EMBEDDING_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
        "RECOLLECT_EMBEDDING_MODEL": "small",
        "RECOLLECT_EMBEDDING_API_KEY": "sk-local",
    }
    with served(World(tmp_path, NOW, environ)) as codexmem:
        yield codexmem


@promise("codexmem:search:mode")
def test_vectors_make_a_search_hybrid_and_their_loss_is_told(
    remote: CodexMem, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By words nothing is found; by meaning it is, as long as there is somebody who knows it."""
    monkeypatch.setattr(endpoint, "REST", 0.0)  # else one that failed is left alone for a while
    saved = remote.post("/api/memory/save", text="docker compose starts everything")["id"]
    while remote.house.embed_some():
        pass

    hybrid = remote.get("/api/search", query="containers", format="json")
    server.script = [lambda _: (500, b"out of order", {})]
    degraded = remote.get("/api/search", query="containers please", format="json")
    text = remote.call("search", query="docker containers now")
    server.script = [meaning]
    recovered = remote.get("/api/search", query="about containers", format="json")

    assert (hybrid["searchMode"], [row["id"] for row in hybrid["observations"]]) == (
        "hybrid",
        [saved],
    )
    assert "degraded" not in hybrid
    assert (degraded["searchMode"], degraded["observations"]) == ("lexical-only", [])
    assert "out of order" in degraded["degraded"]
    assert not text.is_error
    assert "Search mode: lexical-only\nNote: searched by words only: " in text.text
    assert f"| #{saved} |" in text.text
    assert (recovered["searchMode"], len(recovered["observations"])) == ("hybrid", 1)
    modes = [trace["mode"] for trace in remote.get("/api/ops/search-traces")["traces"]]
    assert modes == ["hybrid", "lexical-only", "lexical-only", "hybrid"]


@promise("codexmem:search:mode")
@models.needs_model
def test_the_local_model_makes_a_search_hybrid(tmp_path: Path) -> None:
    environ = {"RECOLLECT_MODEL_DIR": str(models.FOLDER)}
    with served(World(tmp_path, NOW, environ)) as codexmem:
        codexmem.post("/api/memory/save", text="The car would not start this morning")
        while codexmem.house.embed_some():
            pass

        answer = codexmem.call("search", query="automobile trouble", format="json")

    found = json.loads(answer.text)
    assert found["searchMode"] == "hybrid"
    assert [row["narrative"] for row in found["observations"]] == [
        "The car would not start this morning"
    ]


@promise("codexmem:search:mode")
def test_without_vectors_it_is_lexical_only(empty: CodexMem) -> None:
    found = empty.get("/api/search", query="anything", format="json")

    assert found == {
        "searchMode": "lexical-only",
        "observations": [],
        "sessions": [],
        "prompts": [],
    }
