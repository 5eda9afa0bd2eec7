"""A lock on which nobody overtakes twice: whoever has had it cannot have it again at once.

With a plain lock a thread that takes it in a loop can keep all others out for seconds.
"""

from __future__ import annotations

import threading


class Turns:
    """Used as a context manager; not to be nested."""

    def __init__(self) -> None:
        self._next = threading.Lock()
        """Held by the one that waits for the lock; the others wait for this."""
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._next:
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
