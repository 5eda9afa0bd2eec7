"""A worker that asks for a token: the page is open, its data is not, and a cookie opens it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from contract.viewer.past import NOW, fill
from contract.world import HttpDoor, World
from promises import promise

TOKEN = "correct horse battery staple"
DATA = ["/api/viewer/memories", "/api/viewer/overview", "/api/viewer/told", "/api/stats"]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environ = {"RECOLLECT_EMBEDDER": "none", "RECOLLECT_TOKEN": TOKEN}
    world = World(tmp_path_factory.mktemp("entrance"), NOW, environ=environ)
    fill(world)
    door = HttpDoor(world, cwd=str(world.home), dialect="nmem")
    host, port = door.address
    yield f"http://{host}:{port}"
    door.close()


@pytest.fixture
def visitor(worker: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=worker, trust_env=False) as client:
        yield client


@promise("viewer:page")
def test_the_page_is_open_and_holds_nothing(visitor: httpx.Client) -> None:
    page = visitor.get("/viewer")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "login" not in page.text.lower()


@promise("viewer:entrance")
@pytest.mark.parametrize("path", DATA)
def test_data_is_for_those_who_showed_the_token(visitor: httpx.Client, path: str) -> None:
    refused = visitor.get(path)
    assert (refused.status_code, refused.json()) == (401, {"error": "a Bearer token is needed"})
    assert visitor.post("/viewer/enter", json={"token": TOKEN}).status_code == 200
    assert visitor.get(path).status_code == 200
    visitor.post("/viewer/leave")
    assert visitor.get(path).status_code == 401
    assert visitor.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@promise("viewer:entrance")
def test_events_come_to_whoever_has_the_cookie(visitor: httpx.Client) -> None:
    assert visitor.get("/api/events").status_code == 401
    visitor.post("/viewer/enter", json={"token": TOKEN})
    with visitor.stream("GET", "/api/events") as stream:
        assert stream.status_code == 200
        assert "queue.depth" in next(stream.iter_text())


@promise("viewer:entrance")
def test_writing_needs_it_as_well(visitor: httpx.Client) -> None:
    pin = "/api/viewer/memories/4/pin"
    assert visitor.post(pin, json={"pinned": True}).status_code == 401
    assert visitor.delete("/api/viewer/memories/4").status_code == 401
    visitor.post("/viewer/enter", json={"token": TOKEN})
    foreign = {"Origin": "http://evil.example"}
    assert visitor.post(pin, json={"pinned": True}, headers=foreign).status_code == 403
    assert visitor.post(pin, json={"pinned": True}).json()["is_pinned"] is True


@promise("viewer:entrance")
def test_the_key_of_lex_is_not_replaced_by_the_cookie(visitor: httpx.Client) -> None:
    visitor.post("/viewer/enter", json={"token": TOKEN})
    assert visitor.get("/api/frames").status_code == 401
