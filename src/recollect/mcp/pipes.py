"""Standard streams as lines, read and written by threads of their own.

A blocking read must not keep a process alive that was told to end, and a client that does not
read must not stop the one that would tell us so. Meaning is `line`'s, order is `stdio`'s.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from recollect.mcp.bridge import Leftover

_CHUNK = 65_536
_AHEAD = 64
"""Lines read ahead of what the server took."""


@contextmanager
def claimed_streams() -> Iterator[tuple[int, int]]:
    """stdin and stdout for the protocol alone: a stray print goes to stderr, a stray read ends."""
    stdin, stdout = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if _is_open(2) else nothing, 1)
    os.close(nothing)
    try:
        yield stdin, stdout
    finally:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)


class LineReader:
    """Lines of a descriptor, after those that somebody else had read from it already."""

    def __init__(self, fd: int, leftover: Leftover) -> None:
        self._fd = fd
        self._leftover = leftover
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(_AHEAD)
        self._stopped = asyncio.Event()

    @property
    def was_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the input from outside. Call on the loop."""
        self._stopped.set()

    async def lines(self) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, args=(loop,), name="stdin", daemon=True).start()
        stopped = asyncio.ensure_future(self._stopped.wait())
        try:
            while (text := await self._next(stopped)) is not None:
                yield text
        finally:
            stopped.cancel()

    async def _next(self, stopped: asyncio.Future[Any]) -> bytes | None:
        taken = asyncio.ensure_future(self._lines.get())
        either: set[asyncio.Future[Any]] = {taken, stopped}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if taken.done():
            return taken.result()
        taken.cancel()
        return None

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for text in self._read():
                if text.strip():
                    self._hand(loop, text)
            self._hand(loop, None)
        except (RuntimeError, CancelledError):
            return  # the loop is closed: the session ended before the client's input did

    def _hand(self, loop: asyncio.AbstractEventLoop, text: bytes | None) -> None:
        handing = self._lines.put(text)
        try:
            future = asyncio.run_coroutine_threadsafe(handing, loop)
        except RuntimeError:
            handing.close()
            raise
        future.result()

    def _read(self) -> Iterator[bytes]:
        yield from self._leftover.lines
        begun = [self._leftover.rest]
        while not self._leftover.is_at_end and (chunk := _chunk(self._fd)):
            head, *lines = chunk.split(b"\n")
            begun.append(head)
            if lines:  # joined once a line, so that a huge one costs no more than its length
                yield b"".join(begun)
                yield from lines[:-1]
                begun = [lines[-1]]
        yield b"".join(begun)


class LineWriter:
    """Writes lines whole and in order. A client that went away is not an error."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._pump, name="stdout", daemon=True)
        self._thread.start()

    def write(self, text: bytes) -> None:
        self._lines.put(text)

    def close(self, patience: float = 1.0) -> None:
        """Write what was given; a client that does not read is not waited for any longer."""
        self._lines.put(None)
        self._thread.join(patience)

    def _pump(self) -> None:
        while (text := self._lines.get()) is not None:
            if not write_all(self._fd, text + b"\n"):
                return


def write_all(fd: int, data: bytes) -> bool:
    """Whether all of it could be written."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except (BrokenPipeError, ConnectionResetError):
            return False
    return True


def _chunk(fd: int) -> bytes:
    try:
        return os.read(fd, _CHUNK)
    except OSError:
        return b""  # a terminal or socket that was hung up has ended


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
