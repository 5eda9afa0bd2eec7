"""An ASGI application on a real loopback port, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

import uvicorn

from recollect.mcp.http import HttpDoor
from recollect.mcp.plain import PlainDoor
from recollect.mcp.server import tool_server
from recollect.mcp.tools import Tools
from recollect.model.errors import UnknownDialect
from recollect.web.app import Published, Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Doors
from recollect.worker.loop import Vitals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp

READY = Vitals(is_open=True, is_initialized=True, waiting=0, last_error=None)


def parrot_application(
    rules: Rules | None = None, vitals: Vitals = READY, *, is_bare: bool = False
) -> ASGIApp:
    """The worker's application with the parrot behind its doors; `is_bare`: it takes bare lines."""
    from parrot import BARE, PARROT, ask_gate, ask_in, serve
    from recollect.mcp.bare import bare_lines
    from recollect.mcp.said import project

    def door(dialects: str) -> PlainDoor:
        if set(dialects.split(",")) != {"parrot"}:
            raise UnknownDialect(f"unknown dialect: {dialects}")
        dialect = BARE if is_bare else PARROT
        tools = Tools(dialect, lambda said: ask_in(project(said) or "worker", dialect))
        return PlainDoor(tools, lambda: HttpDoor(tool_server(tools), bare=bare_lines(tools)))

    worker = Worker(vitals=lambda: vitals, on_start=lambda: None)
    doors = Doors({"parrot"}, make=door)
    return application(
        worker,
        doors,
        rules or Rules(bound="127.0.0.1"),
        default="parrot",
        published=Published(PARROT.routes, serve, ask_gate),
    )


@contextlib.contextmanager
def listening(app: ASGIApp, port: int = 0) -> Iterator[int]:
    """The port on which the application answers."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(16)
        config = uvicorn.Config(
            app, ws="none", lifespan="on", log_config=None, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive(), "the server did not stop"
