"""Vectors on a Chroma server: the published route, and a worker that keeps it up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.chroma import ChromaServer, free_port, serving

from commands import Finished, Home
from contract.world import NOW
from embedders import BagOfWords
from endpoints import Answer, ok
from endpoints import serving as endpoint_serving
from promises import last, promise
from recollect import settings as configuration
from recollect import wiring
from recollect.dialect.spec import Request
from recollect.embed.port import Chosen
from recollect.model.memory import Kind
from recollect.wiring import House
from store.drafts import draft, put

BACKFILL = "/api/ops/backfill/chroma"
EMBEDDER = BagOfWords()
PATIENCE = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    with serving(tmp_path_factory.mktemp("chroma")) as known:
        yield known


def opened(folder: Path, **variables: str) -> House:
    home = Home(folder)
    settings = configuration.load(home.environment(**variables), db=home.store)
    house = wiring.open_house(settings, clock=lambda: NOW)
    house._chosen = Chosen(EMBEDDER, "for this test")
    return house


def chroma(url: str, collection: str, backend: str = "chroma") -> dict[str, str]:
    return {
        "CODEXMEM_VECTOR_BACKEND": backend,
        "CODEXMEM_CHROMA_URL": url,
        "CODEXMEM_CHROMA_COLLECTION": collection,
    }


def post(house: House, body: dict[str, object]) -> tuple[int, Any]:
    routes = {f"{each.method} {each.path}": each for each in house.dialect("codexmem").routes}
    response = house.serve(routes[f"POST {BACKFILL}"], Request(body=body))
    return response.status, response.body


def embed(house: House) -> None:
    while house.embed_some():
        pass


def filled(house: House) -> None:
    put(
        house.store,
        *(draft(f"apple {number}") for number in range(3)),
        draft("a pear", project="beta", session_id=None),
        draft("what about apples?", kind=Kind.PROMPT),
        draft("about apples", kind=Kind.SUMMARY),
    )
    embed(house)


def counted(
    observations: int, summaries: int, prompts: int, project: str | None = None
) -> dict[str, object]:
    return {
        "success": True,
        "project": project,
        "skipped": False,
        "observations": observations,
        "summaries": summaries,
        "prompts": prompts,
    }


BACKFILLS: list[tuple[dict[str, object], dict[str, object], str]] = [
    # body, answer, because
    ({}, counted(4, 1, 1), "everything, as long as it is not too much"),
    ({"project": None, "limit": None}, counted(4, 1, 1), "null is as good as nothing"),
    ({"project": "beta"}, counted(1, 0, 0, "beta"), "one project"),
    ({"project": "/home/me/beta"}, counted(1, 0, 0, "/home/me/beta"), "named by its folder"),
    ({"limit": 2}, counted(2, 1, 1), "two of each sort"),
    ({"limit": 0}, counted(1, 1, 1), "a limit is held to one at least"),
    ({"limit": -7}, counted(1, 1, 1), "whatever it says"),
    ({"limit": 10**20}, counted(4, 1, 1), "and to ten thousand at most"),
    ({"unknown": [1]}, counted(4, 1, 1), "what is not known is ignored"),
]


@promise("codexmem:vectors:backfill", "codexmem:vectors:bad-input")
@pytest.mark.parametrize(("body", "answer", "because"), BACKFILLS, ids=last)
def test_a_backfill_says_what_it_brought(
    tmp_path: Path,
    server: ChromaServer,
    body: dict[str, object],
    answer: dict[str, object],
    because: str,
) -> None:
    house = opened(tmp_path, **chroma(server.url, tmp_path.name))
    filled(house)
    assert post(house, body) == (200, answer)
    expected = sum(many for many in answer.values() if type(many) is int)
    assert len(server.entries(tmp_path.name)) == expected
    house.close()


WRONG: list[tuple[dict[str, object], str, str]] = [
    # body                  error                           because
    ({"limit": "10"}, "limit must be an integer", "a text is no number"),
    ({"limit": 1.5}, "limit must be an integer", "nor is half of one"),
    ({"limit": True}, "limit must be an integer", "nor is yes"),
    ({"limit": [1]}, "limit must be an integer", "nor is a list"),
    ({"project": 7}, "project must be a string", "a project has a name"),
    ({"project": ["a"]}, "project must be a string", "and one only"),
]


@promise("codexmem:vectors:bad-input")
@pytest.mark.parametrize(("body", "error", "because"), WRONG, ids=last)
def test_a_wrong_backfill_is_refused_by_name(
    tmp_path: Path, body: dict[str, object], error: str, because: str
) -> None:
    house = opened(tmp_path)
    assert post(house, body) == (400, {"error": error})
    house.close()


SKIPPED = {**counted(0, 0, 0), "skipped": True}


@promise("codexmem:vectors:backfill")
def test_without_a_server_or_a_model_a_backfill_is_skipped(
    tmp_path: Path, server: ChromaServer
) -> None:
    here = opened(tmp_path)
    filled(here)
    assert post(here, {}) == (200, SKIPPED)
    here.close()
    mute = opened(tmp_path, **chroma(server.url, "nothing"))
    mute._chosen = Chosen(None, "for this test")
    assert post(mute, {}) == (200, SKIPPED)
    mute.close()


@promise("codexmem:vectors:backfill")
def test_a_backfill_that_fails_says_why(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    house = opened(tmp_path, **chroma(url, "nothing"))
    filled(house)
    status, answer = post(house, {})
    assert (status, answer["error"]) == (500, "backfill_failed")
    assert answer["detail"].startswith(f"{url}/nothing does not answer: no answer (Connection")
    house.close()


def test_the_index_tells_where_vectors_are(tmp_path: Path, server: ChromaServer) -> None:
    house = opened(tmp_path, **chroma(server.url, tmp_path.name, "hybrid"))
    filled(house)
    index = house.afar.index()
    assert (index.backend, index.is_configured, index.is_reachable) == ("hybrid", True, True)
    assert index.embedded == {"observation": 4, "summary": 1, "prompt": 1}
    assert f"{tmp_path.name}: 0 of 6 vectors brought" in str(index.standing)
    while house.afar.step():
        pass
    assert f"{tmp_path.name}: 6 of 6 vectors brought" in str(house.afar.index().standing)
    house.close()

    plain = opened(tmp_path)
    index = plain.afar.index()
    assert (index.backend, index.is_configured, index.is_reachable) == ("sqlite", False, None)
    assert (index.embedded["observation"], index.standing) == (4, None)
    plain.close()


# -- the worker


def meaning(asked: dict[str, Any]) -> Answer:
    rows = EMBEDDER.embed(asked["input"]).tolist()
    return ok({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]})


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@promise("codexmem:vectors:worker", "codexmem:vectors:endpoint")
def test_a_worker_keeps_the_server_up_to_date_by_itself(tmp_path: Path) -> None:
    home = Home(tmp_path)

    def say(text: str) -> None:
        done = home.run("mark", text)
        assert done.status == 0, done.stderr

    with endpoint_serving() as endpoint, serving(tmp_path) as server:
        endpoint.script = [meaning]
        variables = chroma(server.url, "ours") | {
            "CODEXMEM_OPENAI_EMBEDDING_MODEL": "small",
            "CODEXMEM_OPENAI_BASE_URL": f"http://127.0.0.1:{endpoint.port}/v1",
            "OPENAI_API_KEY": "sk-inherited-0123456789",
            "CODEXMEM_PROVIDER": "rule-based",
        }

        def run(*command: str) -> Finished:
            return home.run(*command, stdin=b"", **variables)

        with home.worker(**variables):
            home.wait_until_ready()
            say("the first apple")
            until(lambda: set(server.entries("ours")) == {"observation:1"})
            assert endpoint.headers[0]["Authorization"] == "Bearer sk-inherited-0123456789"
            server.kill()
            say("the second apple")
            until(lambda: "the second apple" in str(endpoint.asked))
            server.start()
            until(lambda: len(server.entries("ours")) == 2)
            brought = f"vectors — chroma; {server.url}/ours: 2 of 2 vectors brought\n"
            until(lambda: brought in run("status").stdout)
        # A machine that is busy may take longer than a search waits.
        until(lambda: '"problem":null' in run("find", "apple", "--json").stdout.replace(" ", ""))
        server.kill()
        assert "vectors problem — the server does not" in run("status").stdout
        worse = run("find", "apple", "--json")
        assert worse.status == 0
        assert "the second apple" in worse.stdout
        assert f"searched by words only: {server.url}/ours does not answer" in worse.stdout
