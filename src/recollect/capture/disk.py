"""The few things that the spool does to files, in one place where a test can let them fail.

What makes an entry durable, and in which order, is the spool's business.
"""

from __future__ import annotations

import errno
import os
import sys


class Files:
    """A disk. Every operation either happens or raises OSError."""

    def make_folder(self, path: str) -> None:
        os.mkdir(path, 0o700)

    def create(self, path: str) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)

    def write(self, descriptor: int, blob: bytes | memoryview) -> int:
        return os.write(descriptor, blob)

    def sync(self, descriptor: int) -> None:
        if sys.platform == "darwin":  # there fsync stops at the drive's cache
            import fcntl

            try:
                fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            except OSError:  # a file system that has no such call; fsync is what it offers
                os.fsync(descriptor)
        else:
            os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        os.close(descriptor)

    def rename(self, source: str, target: str) -> None:
        os.replace(source, target)

    def sync_folder(self, path: str) -> None:
        if os.name == "nt":  # a folder cannot be opened there; NTFS journals its entries
            return
        descriptor = os.open(path, os.O_RDONLY)
        try:
            self.sync(descriptor)
        except OSError as problem:
            if problem.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise  # those two: a network file system that keeps its entries by itself
        finally:
            os.close(descriptor)

    def remove(self, path: str) -> None:
        os.unlink(path)


DISK = Files()


def size_of(path: str) -> int | None:
    """How long a file is; None when nothing can be read under this name."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return None
