"""Reading a file of the checkout: regular files only, so many bytes at most, never half of one."""

from __future__ import annotations

import os
import stat as modes
import time
from dataclasses import dataclass

TRIES = 5
"""How often a file that changes while it is read is read again."""
FRESH_NS = 1_000_000_000
"""So shortly after a change, a second one can leave the same stamp."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What differs when a file has changed or was swapped."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int
    device: int


def contents(path: str, *, at_most: int) -> bytes:
    """One whole state of the file. OSError when there is none, or it is larger than that."""
    blob, _ = stamped(path, at_most=at_most)
    return blob


def stamped(path: str, *, at_most: int) -> tuple[bytes, Stamp | None]:
    """The contents and their stamp; no stamp when it could not tell them from the next ones."""
    for _ in range(TRIES):
        # Not waiting: a pipe would wait for somebody to write.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            before = _stamp(os.fstat(descriptor))
            if before.size > at_most:
                raise OSError(f"it is larger than {at_most} bytes")
            blob = file.read(at_most + 1)
            if before == _stamp(os.fstat(descriptor)) and len(blob) == before.size:
                is_fresh = abs(time.time_ns() - before.changed_ns) < FRESH_NS
                return blob, None if is_fresh else before
    raise OSError("it changes all the time")


def stamp_of(path: str) -> Stamp:
    """OSError when there is no regular file with this name."""
    return _stamp(os.stat(path))


def _stamp(status: os.stat_result) -> Stamp:
    if not modes.S_ISREG(status.st_mode):
        raise OSError("it is not a regular file")
    return Stamp(
        status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev
    )
