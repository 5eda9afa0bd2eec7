"""CodexMem's past: two projects, with something in them from every door; and how to ask for it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from contract.world import DAY, HOUR, MINUTE, NOW, World
from listening import READY, listening
from recollect.dialect import registry
from recollect.dialect.reply import Reply
from recollect.web.app import Published, Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Doors
from recollect.wiring import House

LOGIN = "/code/alpha/src/auth/session.py"


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
class CodexMem:
    """CodexMem's routes over HTTP and its tools in this process, with a fixed clock."""

    world: World
    house: House
    http: httpx.Client

    def get(self, path: str, **query: Any) -> Any:
        answered = self.http.get(path, params=query)
        assert answered.status_code == 200, answered.text
        return answered.json()

    def refused(self, path: str, **query: Any) -> tuple[int, str]:
        answered = self.http.get(path, params=query)
        return answered.status_code, answered.json()["error"]

    def post(self, path: str, /, **body: object) -> Any:
        answered = self.http.post(path, json=body)
        assert answered.status_code == 200, answered.text
        return answered.json()

    def rejected(self, path: str, /, **body: object) -> tuple[int, str]:
        answered = self.http.post(path, json=body)
        return answered.status_code, answered.json()["error"]

    def call(self, tool: str, /, **arguments: object) -> Reply:
        return self.house.asker("codexmem", "alpha")(tool, arguments)

    def found(self, **query: Any) -> dict[str, list[int]]:
        """The ids that a search finds, by sort."""
        found = self.get("/api/search", format="json", **query)
        return {
            sort: [row["id"] for row in found[sort]]
            for sort in ("observations", "sessions", "prompts")
        }

    def titles(self, **query: Any) -> list[str]:
        """Of the observations that a search finds."""
        found = self.get("/api/search", format="json", **query)
        return [row["title"] for row in found["observations"]]

    def ask(self, dialect: str, tool: str, /, **arguments: object) -> Any:
        """Another dialect's tool, on the same memories."""
        reply = self.house.asker(dialect, "alpha")(tool, arguments)
        assert not reply.is_error, reply.text
        return json.loads(reply.text)


@contextlib.contextmanager
def served(world: World) -> Iterator[CodexMem]:
    house = world.house()
    worker = Worker(vitals=lambda: READY, on_start=lambda: None)
    app = application(
        worker,
        Doors({}, make=registry.load),  # type: ignore[arg-type]  # nobody goes through one
        Rules(bound="127.0.0.1"),
        default="codexmem",
        published=Published(registry.load("codexmem").routes, house.serve),
    )
    with (
        listening(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http,
    ):
        yield CodexMem(world, house, http)
    house.close()


__all__ = ["DAY", "HOUR", "LOGIN", "MINUTE", "NOW", "CodexMem", "fill", "served"]
