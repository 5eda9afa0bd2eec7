"""A token bucket: so many requests at once, and as many again over its span of time.

It fills all the time, so that whoever asks steadily within the limit never waits. The clock is the
caller's.
"""

from __future__ import annotations

import threading

from recollect.model.errors import RateLimited


class Bucket:
    """Full when it is new. Safe to use from several threads."""

    def __init__(self, size: int, span: int) -> None:
        """`span` in milliseconds: how long an empty one takes to be full."""
        self._size, self._span = size, span
        self._lock = threading.Lock()
        self._left = float(size)
        self._seen: int | None = None

    def take(self, now: int) -> None:
        """Take one token; `RateLimited` says in how many seconds there is one again."""
        with self._lock:
            # A clock that was put back fills nothing and takes nothing away.
            passed = max(now - (now if self._seen is None else self._seen), 0)
            self._seen = now
            self._left = min(self._left + passed * self._size / self._span, self._size)
            if self._left < 1:
                missing = (1 - self._left) * self._span / self._size
                raise RateLimited(retry_after=max(int(-(-missing // 1000)), 1))
            self._left -= 1
