"""The in-process stdio server: the SDK's server on the process's own standard streams.

The SDK's stdio transport drops unparsable lines without an answer and cancels what is still
being answered when its input ends; a client that pipes its requests in would get nothing. So
the streams are ours here and everything above them is the SDK's.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    PROTOCOL_VERSION_META_KEY,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
)
from mcp_types import JSONRPCResponse as Answer
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from recollect.mcp import line
from recollect.mcp.bridge import Leftover
from recollect.mcp.pipes import LineReader, LineWriter, claimed_streams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel.server import Server

    from recollect.mcp.bare import BareLines

_log = logging.getLogger(__name__)

FAREWELL = 1.5
"""Seconds that requests under way get to be answered after SIGTERM or SIGINT."""

Incoming = SessionMessage | Exception

_STRAIGHT = ("tools/list", "tools/call")
_HELLO = JSONRPCRequest(
    jsonrpc="2.0",
    id="hello-of-recollect",
    method="initialize",
    params={
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "a client that said no hello", "version": "0"},
    },
)


def serve(
    server: Server[Any], leftover: Leftover | None = None, *, bare: BareLines | None = None
) -> None:
    """Serve the process's stdin and stdout until stdin ends or a signal comes.

    `leftover` is what a bridge had read and could not get answered; `bare` answers bare lines,
    where these are taken.
    """
    with claimed_streams() as (stdin, stdout):
        asyncio.run(Session(server, stdin, stdout, leftover or Leftover(), bare).run())


class Session:
    """One client on two file descriptors."""

    def __init__(
        self,
        server: Server[Any],
        stdin: int,
        stdout: int,
        leftover: Leftover,
        bare: BareLines | None = None,
    ) -> None:
        self._server = server
        self._bare = bare
        self._reader = LineReader(stdin, leftover)
        self._writer = LineWriter(stdout)
        self._ledger = _Ledger()
        self._handshake = leftover.handshake
        self._is_greeted = False
        """Whether the client has made its first request."""

    async def run(self) -> None:
        to_server, from_us = anyio.create_memory_object_stream[Incoming](0)
        to_us, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        with self._signals():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read, to_server)
                tasks.start_soon(self._write, from_server)
                options = self._server.create_initialization_options()
                await self._server.run(from_us, to_us, options)
        await asyncio.to_thread(self._writer.close)

    async def _read(self, to_server: MemoryObjectSendStream[Incoming]) -> None:
        async with to_server:
            if self._handshake is not None:
                await self._replay(line.parsed(self._handshake), to_server)
            async for text in self._reader.lines():
                await self._take(text, to_server)
            with anyio.move_on_after(FAREWELL if self._reader.was_stopped else None):
                await self._ledger.all_answered()

    async def _take(self, text: bytes, to_server: MemoryObjectSendStream[Incoming]) -> None:
        message, text = line.read(text)
        if isinstance(message, line.Refusal):
            await self._refuse(text, message)
            return
        await self._greet(message, to_server)
        self._ledger.received(message)
        await to_server.send(SessionMessage(message))

    async def _greet(
        self, message: JSONRPCMessage, to_server: MemoryObjectSendStream[Incoming]
    ) -> None:
        """Say hello for a script that goes straight to the tools: a worker keeps no sessions, so
        through it that is answered, and here it is the same."""
        if self._is_greeted or not isinstance(message, JSONRPCRequest):
            return
        self._is_greeted = True
        is_enveloped = PROTOCOL_VERSION_META_KEY in (message.params or {}).get("_meta", {})
        if message.method in _STRAIGHT and self._handshake is None and not is_enveloped:
            await self._replay(_HELLO, to_server)

    async def _refuse(self, text: bytes, refusal: line.Refusal) -> None:
        bare = line.bare(text) if self._bare else None
        if self._bare is None or bare is None:
            self._writer.write(line.wire(refusal.answer))
            return
        # Awaited here, because answers without an id are told apart by their order.
        answer = await self._bare.answer(bare, {})
        if answer is not None:
            self._writer.write(answer)

    async def _replay(
        self,
        message: JSONRPCMessage | line.Refusal,
        to_server: MemoryObjectSendStream[Incoming],
    ) -> None:
        """Let the server know of a handshake whose answer nobody waits for."""
        if isinstance(message, JSONRPCRequest):
            self._ledger.received(message)
            self._ledger.silence(message)
            await to_server.send(SessionMessage(message))

    async def _write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with from_server:
            async for item in from_server:
                if self._ledger.is_wanted(item.message):
                    self._writer.write(line.wire(item.message))
                self._ledger.answered(item.message)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT end the input, so that what was read is still answered."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._reader.stop)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)


class _Ledger:
    """Which requests are still owed an answer."""

    def __init__(self) -> None:
        self._owed: Counter[str | int] = Counter()
        self._silent: set[str | int] = set()
        self._settled = anyio.Event()

    def received(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._owed[message.id] += 1
        elif isinstance(message, JSONRPCNotification):
            self._forget_cancelled(message)

    def silence(self, request: JSONRPCRequest) -> None:
        self._silent.add(request.id)

    def is_wanted(self, message: JSONRPCMessage) -> bool:
        return not (isinstance(message, Answer | JSONRPCError) and message.id in self._silent)

    def answered(self, message: JSONRPCMessage) -> None:
        if isinstance(message, Answer | JSONRPCError) and message.id is not None:
            self._settle(message.id)

    async def all_answered(self) -> None:
        while self._owed:
            self._settled = anyio.Event()
            await self._settled.wait()

    def _forget_cancelled(self, message: JSONRPCNotification) -> None:
        """A request that its client cancelled is never answered."""
        if message.method == "notifications/cancelled":
            request_id = (message.params or {}).get("requestId")
            if isinstance(request_id, str | int):
                self._settle(request_id)

    def _settle(self, request_id: str | int) -> None:
        self._silent.discard(request_id)
        if self._owed[request_id] > 1:
            self._owed[request_id] -= 1
        else:
            del self._owed[request_id]
        self._settled.set()
