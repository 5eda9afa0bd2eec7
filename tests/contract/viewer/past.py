"""The viewer's past: two projects with something of every kind in them; and how to ask for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from contract.world import DAY, HOUR, MINUTE, NOW, World
from listening import READY, listening
from recollect.dialect import registry
from recollect.web.app import Published, Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Doors
from recollect.web.viewer.data import data_routes
from recollect.wiring import House

LOGIN = "/code/alpha/src/auth/session.py"
HOSTILE = "<img src=x onerror=alert(1)>\"'`${7*7}</script>\u202e\x00[x](javascript:alert(1))"


def fill(world: World) -> None:
    """A session of `alpha` that ended, one of `beta` that goes on. Ids are in order of time."""
    world.prompt("Why does the login page answer 500?", session="a", at=NOW - 9 * HOUR)
    world.read(LOGIN, session="a", at=NOW - 8 * HOUR)
    world.bash("pytest tests/test_login.py", "2 failed", session="a", at=NOW - 7 * HOUR)
    world.edit(LOGIN, "token = refresh(cookie)", session="a", at=NOW - 6 * HOUR)
    world.hook("SessionEnd", session="a", at=NOW - 5 * HOUR, reason="exit")
    world.prompt("搜索功能为什么这么慢", session="b", cwd="/code/beta", at=NOW - 2 * HOUR)
    world.read("/code/beta/README.md", session="b", cwd="/code/beta", at=NOW - HOUR)


@dataclass
class Viewer:
    """The page's data over HTTP, with a fixed clock."""

    world: World
    house: House
    http: httpx.Client

    def get(self, path: str, /, **query: Any) -> Any:
        return _body(self.http.get(f"/api/viewer/{path}", params=query))

    def post(self, path: str, /, **body: object) -> Any:
        return _body(self.http.post(f"/api/viewer/{path}", json=body))

    def delete(self, path: str) -> Any:
        return _body(self.http.delete(f"/api/viewer/{path}"))

    def refused(self, path: str, /, **query: Any) -> tuple[int, str]:
        answered = self.http.get(f"/api/viewer/{path}", params=query)
        return answered.status_code, answered.json()["error"]

    def rejected(self, path: str, /, **body: object) -> tuple[int, str]:
        answered = self.http.post(f"/api/viewer/{path}", json=body)
        return answered.status_code, answered.json()["error"]

    def call(self, dialect: str, tool: str, /, **arguments: object) -> str:
        """A dialect's tool, on the same memories."""
        reply = self.house.asker(dialect, "alpha")(tool, arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def texts(self, **query: Any) -> list[str]:
        """Of the memories that a list or a search shows, with their kinds."""
        found = self.get("memories", **query)
        return [each["text"] for each in found["items"]]


def _body(answered: httpx.Response) -> Any:
    assert answered.status_code == 200, answered.text
    return answered.json()


@contextlib.contextmanager
def served(world: World) -> Iterator[Viewer]:
    house = world.house()
    app = application(
        Worker(vitals=lambda: READY, on_start=lambda: None),
        Doors({}, make=registry.load),  # type: ignore[arg-type]  # nobody goes through one
        Rules(bound="127.0.0.1"),
        default="codexmem",
        published=Published(data_routes(), house.serve),
    )
    with (
        listening(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http,
    ):
        yield Viewer(world, house, http)
    house.close()


__all__ = ["DAY", "HOSTILE", "HOUR", "LOGIN", "MINUTE", "NOW", "Viewer", "fill", "served"]
