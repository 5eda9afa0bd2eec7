"""Hooks that tell a house what happens, and what the house then knows; through the real routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from contract.world import World
from recollect import wiring
from recollect.dialect.spec import Request
from recollect.llm.port import Provider, Reader
from recollect.llm.rules import Rules
from recollect.model.memory import Kind, Memory
from recollect.settings import Settings
from recollect.store.sqlite.store import SqliteStore
from recollect.wiring.provider import ModelReading

CWD = "/code/alpha"
INIT, OBSERVATIONS, SUMMARIZE, COMPLETE, END = (
    f"/api/sessions/{name}" for name in ("init", "observations", "summarize", "complete", "end")
)


@dataclass
class Told:
    """The house of a worker, asked within this process. Nothing is read before it catches up."""

    house: wiring.House

    def post(self, path: str, body: Mapping[str, object]) -> tuple[int, Any]:
        routes = {f"{each.method} {each.path}": each for each in self._routes()}
        response = self.house.serve(routes[f"POST {path}"], Request(body=body))
        return response.status, response.body

    def prompt(self, text: str, session: str = "s1", **more: object) -> Any:
        return self._well(INIT, contentSessionId=session, project="alpha", prompt=text, **more)

    def tool(self, name: str, session: str = "s1", **more: object) -> Any:
        given = {"contentSessionId": session, "tool_name": name, "cwd": CWD, **more}
        return self._well(OBSERVATIONS, **given)

    def bash(self, command: str, session: str = "s1", **more: object) -> Any:
        return self.tool("Bash", session, tool_input={"command": command}, **more)

    def said(self, text: str, session: str = "s1", **more: object) -> Any:
        return self._well(SUMMARIZE, contentSessionId=session, last_assistant_message=text, **more)

    def complete(self, session: str = "s1") -> Any:
        return self._well(COMPLETE, contentSessionId=session)

    def end(self, session: str = "s1", **more: object) -> Any:
        return self._well(END, contentSessionId=session, **more)

    def memories(self, session: str = "s1", kind: Kind = Kind.OBSERVATION) -> list[Memory]:
        found = self.house.store.memories.of_session(session)
        return [memory for memory in found if memory.kind is kind]

    def texts(self, session: str = "s1", kind: Kind = Kind.OBSERVATION) -> list[str]:
        return [memory.text for memory in self.memories(session, kind)]

    def _well(self, path: str, **body: object) -> Any:
        status, answer = self.post(path, body)
        assert status == 200, answer
        return answer

    def _routes(self) -> Any:
        return self.house.dialect("codexmem").routes


def told_of(
    world: World,
    reader: Reader | None = None,
    *,
    make: Callable[[Settings], Provider] | None = None,
) -> Told:
    """A worker's house in this world, with a reader or a provider of one's own if need be."""
    store = SqliteStore(world.settings.store, key=None, clock=lambda: world.now)
    house = wiring.House(
        world.settings, store, reader or Rules(), lambda: world.now, patience_ms=5_000
    )
    if make is not None:
        house.reading = ModelReading(world.settings, make=make)
    house.take_over(on_accepted=lambda: None)
    return Told(house)
