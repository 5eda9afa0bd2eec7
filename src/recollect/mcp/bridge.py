"""The stdio server of a store that has a worker: lines in, the worker's answers out.

Thin on purpose: it is started with every agent session, so it reads no JSON and imports neither
socket, re nor json (each costs more than half of Python's own start). What a line means is the
worker's business, in `http.LineDoor`. Without a worker the caller goes on in-process with the
`Leftover`, and the client does not notice.
"""

from __future__ import annotations

import os
import select
import time

from recollect.mcp.channel import Channel, ChannelError, Response

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.worker.address import Address

_CHUNK = 65_536
_CHANNELS = 4
"""Lines that are with the worker at once."""
_AHEAD = 64
"""Lines read ahead of their answers."""
PATIENCE = 10.0
"""Seconds until a worker that does not answer counts as gone."""


class Leftover:
    """What was read from the client and not answered, for whoever goes on."""

    def __init__(
        self,
        *,
        handshake: bytes | None = None,
        lines: tuple[bytes, ...] = (),
        rest: bytes = b"",
        is_at_end: bool = False,
    ) -> None:
        self.handshake = handshake
        """The `initialize` request that the worker answered."""
        self.lines = lines
        self.rest = rest
        """The beginning of a line whose end was not read yet."""
        self.is_at_end = is_at_end


class Bridge:
    """`find` tells where the worker is now; `headers` go with every line."""

    def __init__(
        self,
        find: Callable[[], Address | None],
        path: str,
        headers: dict[str, str],
        *,
        stdin: int = 0,
        stdout: int = 1,
        patience: float = PATIENCE,
    ) -> None:
        self._find = find
        self._path = path
        self._headers = headers
        self._stdin = stdin
        self._stdout = stdout
        self._patience = patience
        self._unanswered: list[_Line] = []
        self._busy: dict[Channel, _Line] = {}
        self._idle: list[Channel] = []
        self._begun: list[bytes] = []
        self._handshake: bytes | None = None
        self._is_open = False
        self._is_at_end = False

    def run(self) -> Leftover | None:
        """Carry lines until the client ends. A `Leftover` when the worker is gone."""
        try:
            while self._unanswered or not self._is_at_end:
                self._send()
                self._receive()
        except ChannelError:
            return self._leftover()
        finally:
            for channel in (*self._idle, *self._busy):
                channel.close()
        return None

    def _send(self) -> None:
        for line in self._due():
            self._dispatch(line)

    def _due(self) -> list[_Line]:
        # The first answer says which protocol the client speaks; nothing may overtake it.
        width = _CHANNELS if self._is_open else 1
        due = []
        for place, line in enumerate(self._unanswered[:width]):
            if line.is_bare and place:
                break  # its answer has no id: only its place tells which line it is about
            if not line.is_sent:
                due.append(line)
            if line.is_bare:
                break
        return due

    def _dispatch(self, line: _Line) -> None:
        channel = self._idle.pop() if self._idle else self._connect()
        try:
            channel.send(line.text)
        except ChannelError:
            self._retry(channel, line)
        else:
            line.deadline = time.monotonic() + self._patience
            line.is_sent = True
            self._busy[channel] = line

    def _retry(self, broken: Channel, line: _Line) -> None:
        """Let a line be sent again, once: asking a memory twice changes nothing in it."""
        if line.was_retried:
            raise ChannelError
        line.was_retried = True
        line.is_sent = False
        self._busy.pop(broken, None)
        for channel in (broken, *self._idle):  # those that idle are as old as the broken one
            channel.close()
        self._idle.clear()

    def _connect(self) -> Channel:
        address = self._find()
        if address is None:
            raise ChannelError
        return Channel(address, self._path, self._headers)

    def _receive(self) -> None:
        poll = select.poll()
        channels = {channel.fileno(): channel for channel in self._busy}
        for fd in channels:
            poll.register(fd, select.POLLIN)
        if not self._is_at_end and len(self._unanswered) < _AHEAD:
            poll.register(self._stdin, select.POLLIN)
        for fd, _ in poll.poll(0 if self._due() else self._milliseconds_left()):
            if fd in channels:
                self._take(channels[fd])
            else:
                self._read()
        if any(line.deadline < time.monotonic() for line in self._busy.values()):
            raise ChannelError

    def _take(self, channel: Channel) -> None:
        line = self._busy[channel]
        try:
            response = channel.receive()
        except ChannelError:
            self._retry(channel, line)
            return
        if response is None:
            return
        if response.is_refusal:
            raise ChannelError
        del self._busy[channel]
        self._idle.append(channel)
        self._unanswered.remove(line)
        self._answer(line, response)

    def _answer(self, line: _Line, response: Response) -> None:
        if response.protocol is not None:
            self._handshake = line.text
            self._headers["MCP-Protocol-Version"] = response.protocol
        self._is_open = self._is_open or not line.is_bare
        if response.body:
            _write(self._stdout, response.body + b"\n")

    def _read(self) -> None:
        chunk = os.read(self._stdin, _CHUNK)
        self._is_at_end = not chunk
        head, *lines = chunk.split(b"\n")
        self._begun.append(head)
        if lines or self._is_at_end:
            complete = [b"".join(self._begun), *lines[:-1]]
            self._begun = lines[-1:]
            self._unanswered += [_Line(text) for text in complete if text.strip()]

    def _milliseconds_left(self) -> int | None:
        if not self._busy:
            return None
        first = min(line.deadline for line in self._busy.values())
        return max(0, int((first - time.monotonic()) * 1000) + 1)

    def _leftover(self) -> Leftover:
        return Leftover(
            handshake=self._handshake,
            lines=tuple(line.text for line in self._unanswered),
            rest=b"".join(self._begun),
            is_at_end=self._is_at_end,
        )


class _Line:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.is_bare = b'"jsonrpc"' not in text
        """Without a word about its protocol; `line` says what is really in it."""
        self.is_sent = False
        self.was_retried = False
        self.deadline = 0.0


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
