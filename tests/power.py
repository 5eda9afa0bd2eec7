"""A disk that can lose its power: what was not synced is gone, as the strictest file system has it.

The files are real ones below a folder. Beside them it is noted what would survive: the bytes that a
file had when it was last synced, and the names that a folder had when *it* was last synced.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from recollect.capture.disk import Files


class PowerCut(BaseException):
    """The machine stops here. No program catches this."""


class Disk(Files):
    """`steps` operations succeed; the next fails with `error`, or cuts the power without one."""

    def __init__(self, root: Path, *, steps: int | None = None, error: int | None = None) -> None:
        self.root = root
        self.steps = steps
        self.error = error
        self.opened: dict[int, str] = {}
        self.inodes: dict[str, int] = {}  # path → the file that it names now
        self.bytes: dict[int, bytes] = {}  # file → what of it is synced
        self.names: dict[str, int | None] = {}  # path → file, None for a folder; as synced
        self.folders: set[str] = set()
        self.count = 0

    def make_folder(self, path: str) -> None:
        self._step()
        super().make_folder(path)
        self.folders.add(path)

    def create(self, path: str) -> int:
        self._step()
        descriptor = super().create(path)
        self.opened[descriptor] = path
        self.count += 1
        self.inodes[path] = self.count
        self.bytes[self.count] = b""
        return descriptor

    def write(self, descriptor: int, blob: bytes | memoryview) -> int:
        self._step()
        return super().write(descriptor, blob[: max(1, len(blob) // 2)])  # a disk may take less

    def sync(self, descriptor: int) -> None:
        self._step()
        path = self.opened[descriptor]
        self.bytes[self.inodes[path]] = Path(path).read_bytes()

    def close(self, descriptor: int) -> None:
        del self.opened[descriptor]
        super().close(descriptor)

    def rename(self, source: str, target: str) -> None:
        self._step()
        super().rename(source, target)
        self.inodes[target] = self.inodes.pop(source)

    def sync_folder(self, path: str) -> None:
        self._step()
        gone = [name for name in self.names if os.path.dirname(name) == path]
        for name in gone:
            del self.names[name]
        for name, inode in self.inodes.items():
            if os.path.dirname(name) == path:
                self.names[name] = inode
        for name in self.folders:
            if os.path.dirname(name) == path:
                self.names[name] = None

    def remove(self, path: str) -> None:
        self._step()
        super().remove(path)
        self.inodes.pop(path, None)

    def lose_power(self) -> None:
        """Leave below the root only what is sure to be there after the next start."""
        for descriptor in list(self.opened):
            self.close(descriptor)
        for path in self.root.iterdir():
            shutil.rmtree(path)
        for name in sorted(self.names, key=len):
            inode = self.names[name]
            if not os.path.isdir(os.path.dirname(name)):
                continue  # its folder was never synced: it is gone with it
            if inode is None:
                os.mkdir(name)
            else:
                Path(name).write_bytes(self.bytes[inode])
        self.inodes = {name: inode for name, inode in self.names.items() if inode is not None}
        self.folders = {name for name, inode in self.names.items() if inode is None}
        self.steps = self.error = None

    def _step(self) -> None:
        if self.steps is None:
            return
        if self.steps > 0:
            self.steps -= 1
            return
        if self.error is None:
            raise PowerCut
        error, self.steps = self.error, None
        raise OSError(error, os.strerror(error))
