"""One worker per store: the claim that a worker holds for life, and what it tells about itself.

The lock dies with the process that holds it, however that dies, so a file that was left behind
means nothing. Files: `<store>-worker.lock` (lock and address), `<store>-worker.json` (presence).
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from dataclasses import asdict, dataclass

from recollect.model.worker_errors import WorkerRunning
from recollect.worker.address import is_alive, lock_file_of

_PATIENCE = 20
"""Tries to get the lock: whoever looks for a worker holds it shared for some microseconds."""


@dataclass(frozen=True, slots=True)
class Presence:
    """`started_at` is in milliseconds since 1970."""

    pid: int
    host: str
    port: int
    version: str
    started_at: int
    store: str

    @property
    def url(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class Claim:
    """The right to be the worker of a store, until released or until the process ends."""

    def __init__(self, worker_file: str, fd: int) -> None:
        self._worker_file = worker_file
        self._fd = fd

    def announce(self, presence: Presence) -> None:
        """Tell where this worker listens; from here on it is found."""
        _write_private(self._worker_file, json.dumps(asdict(presence), indent=2) + "\n")
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{presence.host} {presence.port}\n".encode(), 0)

    def release(self) -> None:
        """Withdraw what was announced, then the claim itself. The lock file stays: unlinking it
        would let two workers hold two files of one name."""
        os.ftruncate(self._fd, 0)
        _remove(self._worker_file)
        os.close(self._fd)


def claim(worker_file: str) -> Claim:
    """Become the worker of this store, or raise `WorkerRunning` saying who is."""
    os.makedirs(os.path.dirname(worker_file) or ".", mode=0o700, exist_ok=True)
    fd = os.open(lock_file_of(worker_file), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if not _locked(fd):
        os.close(fd)
        raise _running(find(worker_file))
    os.ftruncate(fd, 0)
    _remove(worker_file)  # left behind by a worker that was killed
    return Claim(worker_file, fd)


def find(worker_file: str) -> Presence | None:
    """The living worker of this store, if it has announced itself. Asks no network."""
    if not is_alive(worker_file):
        return None
    try:
        with open(worker_file, encoding="utf-8") as file:
            return Presence(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None  # between the lock and the announcement, or not a file of ours


def _locked(fd: int) -> bool:
    for _ in range(_PATIENCE):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.005)
        else:
            return True
    return False


def _running(holder: Presence | None) -> WorkerRunning:
    if holder is None:
        return WorkerRunning("this store has a worker already; it is just starting")
    return WorkerRunning(
        f"this store has a worker already: process {holder.pid}, listening on {holder.url}",
        pid=holder.pid,
        host=holder.host,
        port=holder.port,
    )


def _write_private(path: str, text: str) -> None:
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(fd, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
