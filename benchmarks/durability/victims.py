"""Processes that are there to be killed.

Forked ones run the product's own entry points in a copy of this process, so that thousands of
kills take minutes. Spawned ones are the real commands. A forked one can also be told to die at an
exact step: at the n-th call or return inside our own package, which replays to the letter.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType

import recollect
from benchmarks.home import Home
from recollect import wiring
from recollect.cli import foreground, record
from recollect.service import health

PACKAGE = os.path.dirname(os.path.abspath(recollect.__file__))
HOT = tuple(
    os.path.join(PACKAGE, room) for room in ("capture", "cli", "worker", "service", "store")
)
"""The rooms whose steps count: between them lies every write to the spool and to the store."""

Body = Callable[[], int]


def fork(body: Body, *, dies_at: int | None = None) -> int:
    """A copy of this process that runs `body` and ends; its process id."""
    pid = os.fork()
    if pid:
        return pid
    _become_quiet()
    if dies_at is not None:
        _die_at(dies_at)
    code = 70
    try:
        code = body()
    finally:
        os._exit(code)


def hook(blob: bytes) -> Body:
    """What the wired command runs, without `--exit-zero`: exit 0 is the acknowledgement."""

    def run() -> int:
        sys.stdin = io.TextIOWrapper(io.BytesIO(blob), encoding="utf-8")
        return record.main([])

    return run


def drainer(home: Home, *, compacts: bool) -> Body:
    """A door that catches up, or `maintain`, which folds the log into the store as well."""

    def run() -> int:
        house = wiring.open_house(home.settings)
        house.catch_up()
        if compacts:
            health.compact(house.store)
        house.close()
        return 0

    return run


def worker(home: Home) -> Body:
    def run() -> int:
        return foreground.run(home.settings)

    return run


def spawn_hook(home: Home, blob: bytes) -> int:
    read, write = os.pipe()
    os.write(write, blob)
    os.close(write)
    try:
        return _spawn(home.wired.plain_hook, home, stdin=read)
    finally:
        os.close(read)


def spawn_drainer(home: Home) -> int:
    return _spawn(home.command("maintain", "--catch-up"), home, stdin=subprocess.DEVNULL)


def spawn_worker(home: Home) -> int:
    return _spawn(home.command("up", "--port", "0"), home, stdin=subprocess.DEVNULL)


def steps_of(body: Body) -> int:
    """How many steps a body takes when nobody kills it."""
    read, write = os.pipe()

    def counted() -> int:
        counter = _Counter()
        sys.setprofile(counter)
        try:
            return body()
        finally:
            sys.setprofile(None)
            os.write(write, str(counter.steps).encode())

    pid = fork(counted)
    os.waitpid(pid, 0)
    os.close(write)
    with os.fdopen(read) as told:
        return int(told.read())


def kill(pid: int) -> None:
    """Only for a process that this one started and has not yet waited for."""
    os.kill(pid, signal.SIGKILL)


class _Counter:
    """Counts calls and returns, ours and those of C functions that ours call."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, frame: FrameType, *_: object) -> None:
        if frame.f_code.co_filename.startswith(HOT):
            self.steps += 1
            self.taken()

    def taken(self) -> None:
        """A step was taken."""


class _Executioner(_Counter):
    def __init__(self, last: int) -> None:
        super().__init__()
        self.last = last

    def taken(self) -> None:
        if self.steps >= self.last:
            kill(os.getpid())


def _die_at(step: int) -> None:
    sys.setprofile(_Executioner(step))


def _become_quiet() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _spawn(command: list[str], home: Home, *, stdin: int) -> int:
    process = subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=home.environ,
        cwd=home.folder,
    )
    process.returncode = 0  # it is waited for by its id, with all others
    return process.pid
