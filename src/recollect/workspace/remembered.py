"""What was read of files, for as long as they stay as they were; for any thread."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from recollect.workspace import regular
from recollect.workspace.regular import Stamp

Kept = TypeVar("Kept")


class Remembered(Generic[Kept]):
    """Room for so much, as `weigh` counts it; what was not asked for longest makes way."""

    def __init__(self, room: int, weigh: Callable[[Kept], int] = lambda _: 1) -> None:
        self._room = room
        self._weigh = weigh
        self._weight = 0
        self._kept: OrderedDict[tuple[str, str], tuple[Stamp, Kept]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, path: str, read: Callable[[bytes], Kept], *, at_most: int, name: str = "") -> Kept:
        """What `read` makes of the file. OSError when it cannot be had, or is larger than that.

        `name` is what else it depends on: one file may be read as several things.
        """
        key = (path, name)
        with self._lock:  # one reads, and the others find what it has read
            if key in self._kept:
                if self._kept[key][0] == regular.stamp_of(path):
                    self._kept.move_to_end(key)
                    return self._kept[key][1]
                self._drop(key)
            blob, stamp = regular.stamped(path, at_most=at_most)
            made = read(blob)
            if stamp is not None:
                self._kept[key] = (stamp, made)
                self._weight += self._weigh(made)
                while self._weight > self._room:
                    self._drop(next(iter(self._kept)))
            return made

    def _drop(self, key: tuple[str, str]) -> None:
        self._weight -= self._weigh(self._kept.pop(key)[1])
