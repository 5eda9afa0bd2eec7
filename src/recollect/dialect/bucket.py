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
        # In parts of a token so small that a millisecond brings `size` of them: whole numbers only.
        self._left = size * span
        self._seen: int | None = None

    def take(self, now: int) -> None:
        """Take one token; `RateLimited` says in how many seconds there is one again."""
        with self._lock:
            # A clock that was put back fills nothing and takes nothing away.
            passed = 0 if self._seen is None else max(now - self._seen, 0)
            self._seen = now
            self._left = min(self._left + passed * self._size, self._size * self._span)
            missing = self._span - self._left
            if missing > 0:
                wait = -(-missing // (self._size * 1000))
                raise RateLimited(f"too many requests; try again in {wait} s", retry_after=wait)
            self._left -= self._span
