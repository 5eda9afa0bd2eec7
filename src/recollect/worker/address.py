"""Where the worker of a store listens, for whoever wants to reach it.

The lock file is the truth: while a worker lives it holds the lock and its address stands in the
file. Only os and fcntl are imported, because the stdio bridge pays for every import at start.
What else there is to know about a worker is in `presence`.
"""

from __future__ import annotations

import fcntl
import os

Address = tuple[str, int]


def lock_file_of(worker_file: str) -> str:
    """`<store>-worker.lock` beside `<store>-worker.json`."""
    return worker_file.removesuffix(".json") + ".lock"


def find_address(worker_file: str) -> Address | None:
    """The address of the living worker; None when there is none, or none that listens yet."""
    try:
        fd = os.open(lock_file_of(worker_file), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _parsed(os.read(fd, 512)) if _is_held(fd) else None
    finally:
        os.close(fd)


def is_alive(worker_file: str) -> bool:
    """Whether a worker holds the lock, listening or not."""
    try:
        fd = os.open(lock_file_of(worker_file), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return _is_held(fd)
    finally:
        os.close(fd)


def _is_held(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False  # closing the descriptor gives our shared lock back


def _parsed(line: bytes) -> Address | None:
    host, _, port = line.decode("utf-8", "replace").strip().rpartition(" ")
    return (host, int(port)) if host and port.isdigit() else None
