"""The worker in this process: claim, listen, serve, stop.

Listening begins before the store is open, so that whoever asks gets told that it is starting.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, NoReturn

import uvicorn

from recollect import __version__, wiring
from recollect.capture import spool
from recollect.cli.here import current_project
from recollect.cli.served import DEFAULT_DIALECTS
from recollect.model.clock import wall_clock
from recollect.model.errors import StoreBusy
from recollect.model.worker_errors import AddressTaken
from recollect.service.notices import depth_facts
from recollect.web.app import Published, Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Door, Doors
from recollect.web.sse import Streams, Told
from recollect.web.viewer import data
from recollect.worker import presence
from recollect.worker.embedding import Embedding
from recollect.worker.enriching import Enriching
from recollect.worker.loop import Loop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

    from recollect.dialect.reply import Ask
    from recollect.dialect.spec import Request, Response, Route
    from recollect.mcp.said import Said
    from recollect.mcp.tools import Tools
    from recollect.service.enrichment import Outcome
    from recollect.settings import Settings
    from recollect.wiring import House

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_GRACE = 1
"""Seconds that requests under way get when the worker is told to stop."""
_LONGEST_ABSENCE = 10.0
"""Seconds after which a vector server that was gone is looked for again, at most."""
_LAST = 0.4
"""Seconds for what else is under way then; together they stay below two. What is not done by then
is left as a crash would leave it, and nothing that was acknowledged is lost."""
_NO_GRACE = 0.1
"""The same for a language model: it is asked again after the next start."""


def run(settings: Settings) -> int:
    logging.basicConfig(
        stream=sys.stderr,
        level=settings.log.upper(),
        format="%(asctime)s %(levelname)s %(message)s",
    )
    for number in _SIGNALS:  # until the server takes them over
        signal.signal(number, _leave)
    claim = presence.claim(settings.worker_file)
    try:
        with _listening(settings.host, settings.port) as listener:
            here = _presence(settings, listener)
            claim.announce(here)
            _greet(here, settings)
            _serve(settings, listener)
    finally:
        claim.release()
    print("stopped; nothing was lost", flush=True)
    return 0


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signals call it
    """Told to stop while still starting: give the claim back and go."""
    raise SystemExit(0)


def _serve(settings: Settings, listener: socket.socket) -> None:
    streams = Streams(lambda: _told(loop.opened()))
    enriching = Enriching(lambda: _enrich_one(loop.opened()))

    def follow() -> bool:
        return loop.opened().afar.step()

    def embed() -> bool:
        is_more = loop.opened().embed_some()
        following.wake()
        return is_more

    embedding = Embedding(embed)
    following = Embedding(follow, slowest=_LONGEST_ABSENCE, what="bringing vectors to the server")

    def on_stored() -> None:
        embedding.wake()
        enriching.wake()

    def open_house() -> House:
        house = wiring.open_house(settings)
        house.take_over(on_accepted=loop.wake)
        return house

    loop = Loop(
        open_house,
        lambda: len(spool.waiting(settings.spool_dir)),
        on_stored=on_stored,
    )

    def door(dialects: str) -> Door:
        return _door(dialects, loop, current_project(settings, dialects))

    def start() -> None:
        loop.start()
        embedding.start()
        enriching.start()
        if settings.vectors_backend != "sqlite":
            following.start()

    def end() -> None:
        streams.end()
        embedding.end()
        enriching.end()
        following.end()
        loop.end()

    worker = Worker(vitals=loop.vitals, on_start=start)
    doors = Doors({*wiring.dialect_names(), DEFAULT_DIALECTS}, make=door)
    rules = Rules(bound=settings.host, token=settings.token)
    config = uvicorn.Config(
        application(
            worker,
            doors,
            rules,
            default=DEFAULT_DIALECTS,
            published=_published(loop),
            events=streams,
        ),
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    _Server(config, end).run(sockets=[listener])
    embedding.stop(_LAST)
    enriching.stop(_NO_GRACE)
    following.stop(0)  # it may be asking a server; what it did not mark is brought again
    loop.stop(_LAST)


def _enrich_one(house: House) -> Outcome:
    return house.reading.enrich_one(house.bench)


def _published(loop: Loop[House]) -> Published:
    def serve(route: Route, request: Request) -> Response:
        try:
            house = loop.opened()
        except StoreBusy as error:
            return route.wording(error)
        return house.serve(route, request)

    def let_in(route: Route, request: Request) -> Mapping[str, str] | Response:
        try:
            house = loop.opened()
        except StoreBusy as error:
            return route.wording(error)
        return house.let_in(route, request)

    dialects = [wiring.published(name) for name in wiring.dialect_names()]
    routes = (*(route for each in dialects for route in each.routes), *data.data_routes())
    schemas = {name: schema for each in dialects for name, schema in each.schemas.items()}
    return Published(routes, serve, let_in, {**schemas, **data.schemas()})


def _told(house: House) -> Told:
    return Told(house.notices, lambda: depth_facts(house.store.jobs.depth()), house.clock)


def _door(dialect: str, loop: Loop[House], here: str) -> Door:
    from recollect.cli.clients import ask_of
    from recollect.mcp.plain import PlainDoor
    from recollect.mcp.tools import Tools

    def ask_for(said: Said) -> Ask:
        return ask_of(loop.opened(), dialect, said, here)

    tools = Tools(wiring.published(dialect), ask_for)
    return PlainDoor(tools, lambda: _whole_door(tools))


def _whole_door(tools: Tools) -> Door:
    from recollect.mcp.bare import bare_lines  # 35 MB, for those who come to speak all of MCP
    from recollect.mcp.http import HttpDoor
    from recollect.mcp.server import tool_server

    return HttpDoor(tool_server(tools), bare=bare_lines(tools))


class _Server(uvicorn.Server):
    """uvicorn, but a signal ends it in peace: the original raises the signal again at the end,
    which kills the process before it can withdraw its presence."""

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._on_exit()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        for number in _SIGNALS:
            signal.signal(number, self.handle_exit)
        yield


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else "the name is not known"
            raise AddressTaken(f"cannot listen on {host}:{port}: {reason.lower()}") from error
        listener.listen(128)
        yield listener


def _presence(settings: Settings, listener: socket.socket) -> presence.Presence:
    return presence.Presence(
        pid=os.getpid(),
        host=settings.host,
        port=listener.getsockname()[1],
        version=__version__,
        started_at=wall_clock(),
        store=settings.store,
    )


def _greet(here: presence.Presence, settings: Settings) -> None:
    print(f"Recollect {here.version} listens on {here.url}")
    print(f"  store   {here.store}")
    print(f"  viewer  {here.url}/viewer")
    print(f"  health  {here.url}/api/health")
    print(f"  MCP     {here.url}/mcp, or over stdio: recollect serve")
    if asked := wiring.asked_model(settings):
        print(f"  model   events are sent to {asked}; CODEXMEM_PROVIDER=rule-based ends that")
    print("Next: point your agent at it (see README), then ask it what it remembers.")
    print("Stop it with Ctrl-C or `recollect down`.", flush=True)
