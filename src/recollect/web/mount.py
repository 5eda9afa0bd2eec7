"""Where MCP servers are reached over HTTP: `/mcp/<dialect>`, and the default one at `/mcp`.

Lists of dialects and of single tools (`/mcp/nmem,codemem:memory_explain`) are doors as well. A door
is opened when it is first asked for: what all of them need takes 35 MB and half a second.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route

from recollect.model.errors import UnknownDialect
from recollect.web.problems import AlwaysJson

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection
    from contextlib import AbstractAsyncContextManager

    from anyio.abc import TaskGroup, TaskStatus
    from starlette.types import ASGIApp, Receive, Scope, Send

MOST_LISTS = 64
"""Different lists of dialects that are kept open: nobody needs more, and a stranger could ask."""


class Door(Protocol):
    """An MCP server over HTTP."""

    @property
    def lines(self) -> ASGIApp:
        """Takes what a stdio bridge carries."""

    def run(self) -> AbstractAsyncContextManager[None]:
        """Must be entered while the door serves."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Doors:
    """All doors by the dialects behind them. `run` must be entered while they serve.

    `make` builds a door for a dialect or for several; it is called in a thread, when somebody first
    comes, and raises `UnknownDialect`. The `named` ones are always let in, of lists so many.
    """

    def __init__(self, named: Collection[str], make: Callable[[str], Door]) -> None:
        self._named = frozenset(named)
        self._make = make
        self._open: dict[str, Door] = {}
        self._opening = anyio.Lock()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def door(self, listed: str) -> Door:
        door = self._open.get(listed)
        if door is not None:
            return door
        async with self._opening:
            if listed not in self._open:
                self._open[listed] = await self._opened(listed)
            return self._open[listed]

    async def _opened(self, listed: str) -> Door:
        if listed not in self._named:
            if "," not in listed and ":" not in listed:
                raise HTTPException(404)
            if len(self._open.keys() - self._named) >= MOST_LISTS:
                raise HTTPException(503, "too many different lists of dialects; use /mcp/<dialect>")
        assert self._tasks is not None, "doors are opened while they run"
        try:
            door = await anyio.to_thread.run_sync(self._make, listed)
        except UnknownDialect as error:
            raise HTTPException(404, error.message) from error
        await self._tasks.start(_keep_open, door)
        return door


async def _keep_open(
    door: Door, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    async with door.run():
        task_status.started()
        await anyio.sleep_forever()


def mcp_routes(doors: Doors, default: str) -> list[BaseRoute]:
    """The routes of all doors; `default` names the one that `/mcp` stands for."""
    return [
        route
        for path in ("/mcp", "/mcp/{dialects}")
        for route in (
            Route(path, AlwaysJson(_Entrance(doors, default))),
            Route(f"{path}/line", _Entrance(doors, default, is_for_lines=True)),
        )
    ]


class _Entrance:
    """Finds the door that a path means, and goes through it."""

    def __init__(self, doors: Doors, default: str, *, is_for_lines: bool = False) -> None:
        self._doors = doors
        self._default = default
        self._is_for_lines = is_for_lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = await self._doors.door(scope["path_params"].get("dialects", self._default))
        app: ASGIApp = door.lines if self._is_for_lines else door
        await app(scope, receive, send)
