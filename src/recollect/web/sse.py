"""`GET /api/events`: notices as server-sent events, for as long as somebody listens.

A stream holds no thread and no list of its own: it is woken, reads what came after the last notice
it sent, and waits for its client. One that reads slowly misses what `service.notices` keeps no
more, and is told how much that was; it holds nobody up.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import orjson
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from recollect.model.errors import RecollectError
from recollect.service.notices import Notice, Topic
from recollect.web.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.types import Receive, Scope, Send

    from recollect.service.notices import Notices

HEARTBEAT = 15.0
"""Seconds between two comments that tell a client, and whatever is between, that we are there."""
MOST = 64
"""Streams at a time; nobody has more windows open, and each one costs a connection."""
AT_ONCE = 100
"""Notices in one chunk."""
FAREWELL = 0.2
"""Seconds that a client has to take the end of its stream."""
_DIGITS = 18
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back
]


@dataclass(frozen=True, slots=True)
class Told:
    """What the streams of a worker tell: its notices, and on connecting how deep the queue is."""

    notices: Notices
    depth: Callable[[], Mapping[str, object]]
    clock: Callable[[], int]


class Streams:
    """All streams of a worker, as an ASGI application. `told` may wait for the store to open."""

    def __init__(
        self, told: Callable[[], Told], *, heartbeat: float = HEARTBEAT, most: int = MOST
    ) -> None:
        self._told = told
        self._heartbeat = heartbeat
        self._most = most
        self._open: set[_Stream] = set()
        self._is_over = False

    def end(self) -> None:
        """Let every stream end, and none begin; from any thread."""
        self._is_over = True
        for stream in tuple(self._open):
            stream.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send({"type": "http.response.body"})
            return
        try:
            told = await run_in_threadpool(self._told)
            newest, greeting = await run_in_threadpool(_greeting, told)
        except RecollectError as error:
            await problem(503, error.message)(scope, receive, send)
            return
        if self._is_over or len(self._open) >= self._most:
            words = "the worker is stopping" if self._is_over else "too many streams are open"
            await problem(503, words)(scope, receive, send)
            return
        asked = _last_id(Headers(scope=scope).get("last-event-id", ""))
        last = newest if asked is None else told.notices.seen(asked)
        stream = _Stream(told.notices, send, self._heartbeat, last)
        self._open.add(stream)
        try:
            await stream.run(receive, newest, greeting)
        finally:
            self._open.discard(stream)


@dataclass(eq=False, slots=True)
class _Stream:
    """One client's stream; `last` is the newest notice that it was sent."""

    notices: Notices
    send: Send
    heartbeat: float
    last: int
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    bell: _Bell = field(default_factory=lambda: _Bell(asyncio.get_running_loop()))

    def end(self) -> None:
        self.bell.call(self.scope.cancel)

    async def run(self, receive: Receive, newest: int, greeting: bytes) -> None:
        with self.scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._until_gone, receive)
                await self._tell(newest, greeting)
        with anyio.move_on_after(FAREWELL):
            await self.send({"type": "http.response.body"})

    async def _until_gone(self, receive: Receive) -> None:
        with suppress(HTTPException):  # of a body that is too large; nobody asked for one
            while (await receive())["type"] != "http.disconnect":
                pass
        self.scope.cancel()

    async def _tell(self, newest: int, greeting: bytes) -> None:
        await self.send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        with self.notices.listening(self.bell.ring):
            # What was missed comes before the greeting, so that the last depth told is the newest.
            missed = self.notices.after(self.last)
            await self._pass_on([notice for notice in missed if notice.id <= newest])
            await self._write(greeting)
            self.last = max(self.last, newest)
            beat_at = anyio.current_time() + self.heartbeat
            while True:
                await self._news()
                if not await self.bell.heard(until=beat_at):
                    await self._write(b": heartbeat\n\n")
                    beat_at = anyio.current_time() + self.heartbeat

    async def _news(self) -> None:
        while fresh := self.notices.after(self.last):
            await self._pass_on(fresh)

    async def _pass_on(self, notices: list[Notice]) -> None:
        for start in range(0, len(notices), AT_ONCE):
            some = notices[start : start + AT_ONCE]
            lost = some[0].id - self.last - 1
            if lost:
                await self._write(f": {lost} events are not kept any more\n\n".encode())
            self.last = some[-1].id
            await self._write(b"".join(map(_frame, some)))

    async def _write(self, chunk: bytes) -> None:
        await self.send({"type": "http.response.body", "body": chunk, "more_body": True})


@dataclass(slots=True)
class _Bell:
    """Rung in any thread, heard in the event loop; however often it was rung, it is one ring."""

    loop: asyncio.AbstractEventLoop
    event: asyncio.Event = field(default_factory=asyncio.Event)
    is_rung: bool = False

    def ring(self) -> None:
        if not self.is_rung:
            self.is_rung = True
            self.call(self.event.set)

    def call(self, what: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop has ended, and its streams with it
            self.loop.call_soon_threadsafe(what)

    async def heard(self, *, until: float) -> bool:
        with anyio.move_on_at(until):
            await self.event.wait()
            # Before the news are read: what is told from here on rings again.
            self.event.clear()
            self.is_rung = False
            return True
        return False


def _greeting(told: Told) -> tuple[int, bytes]:
    """The newest notice, and the queue as it is after it. It has that notice's id, so that who
    connects again with it is told what came later."""
    newest = told.notices.newest()
    now = Notice(newest, Topic.QUEUE_DEPTH, told.clock(), told.depth())
    return newest, _frame(now)


def _frame(notice: Notice) -> bytes:
    body = orjson.dumps({"ts": notice.at, "type": notice.topic.value, **notice.facts})
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (notice.id, notice.topic.value.encode(), body)


def _last_id(text: str) -> int | None:
    """What a client has seen last; nonsense is as good as nothing."""
    is_id = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_id else None
