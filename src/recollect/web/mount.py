"""Where MCP servers are reached over HTTP: `/mcp/<dialect>`, and the default one at `/mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starlette.routing import BaseRoute, Route

from recollect.web.problems import AlwaysJson

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractAsyncContextManager

    from starlette.types import ASGIApp, Receive, Scope, Send


class Door(Protocol):
    """An MCP server over HTTP."""

    @property
    def lines(self) -> ASGIApp:
        """Takes what a stdio bridge carries."""

    def run(self) -> AbstractAsyncContextManager[None]:
        """Must be entered while the door serves."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


def mcp_routes(doors: Mapping[str, Door], default: str) -> list[BaseRoute]:
    """The routes of all doors by dialect; `default` names the one that `/mcp` stands for."""
    named = [(f"/mcp/{name}", door) for name, door in doors.items()]
    return [
        route
        for path, door in [*named, ("/mcp", doors[default])]
        for route in (Route(path, AlwaysJson(door)), Route(f"{path}/line", door.lines))
    ]
