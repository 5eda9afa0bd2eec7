"""A token bucket: so many requests at once, and as many again over its span of time.

It fills all the time, so that whoever asks steadily within the limit never waits. The clock is the
caller's.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from recollect.model.errors import RateLimited

MOST_CLIENTS = 1024
"""Buckets that are kept; whoever was not seen for longest gets a full one again."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is left after a request. Times in seconds."""

    limit: int
    window: int
    left: int
    reset: int
    """Until all of it is there again."""


class Bucket:
    """Full when it is new. Safe to use from several threads."""

    def __init__(self, size: int, span: int) -> None:
        """`span` in milliseconds: how long an empty one takes to be full."""
        self._size, self._span = size, span
        self._lock = threading.Lock()
        # In parts of a token so small that a millisecond brings `size` of them: whole numbers only.
        self._left = size * span
        self._seen: int | None = None

    def take(self, now: int) -> Room:
        """Take one token; `RateLimited` says in how many seconds there is one again."""
        with self._lock:
            # A clock that was put back fills nothing and takes nothing away.
            passed = 0 if self._seen is None else max(now - self._seen, 0)
            self._seen = now
            self._left = min(self._left + passed * self._size, self._size * self._span)
            missing = self._span - self._left
            if missing > 0:
                wait = self._seconds(missing)
                words = f"too many requests; try again in {wait} s"
                raise RateLimited(words, retry_after=wait, room=self._room())
            self._left -= self._span
            return self._room()

    def _room(self) -> Room:
        return Room(
            limit=self._size,
            window=-(-self._span // 1000),
            left=self._left // self._span,
            reset=self._seconds(self._size * self._span - self._left),
        )

    def _seconds(self, parts: int) -> int:
        return -(-parts // (self._size * 1000))


class Buckets:
    """One for each client, so that nobody can use up what others may ask."""

    def __init__(self, size: int, span: int, *, most: int = MOST_CLIENTS) -> None:
        self._size, self._span, self._most = size, span, most
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, now: int) -> Room:
        return self._of(client).take(now)

    def _of(self, client: str) -> Bucket:
        with self._lock:
            bucket = self._buckets.pop(client, None) or Bucket(self._size, self._span)
            self._buckets[client] = bucket
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
            return bucket
