"""Notices: what happens in this process, told to whoever listens; the newest can be told again.

Nothing waits for a listener, and a listener that is slow misses what is older than the newest
`MOST`. How notices are worded and sent is `web.sse`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from recollect.model.clock import Clock
from recollect.model.job import Depth

MOST = 1_000


class Topic(StrEnum):
    QUEUE_DEPTH = "queue.depth"
    SESSION_STATUS = "session.status"
    QUEUE_FAILED = "queue.failed"
    MODEL_RESULT = "model.result"


@dataclass(frozen=True, slots=True)
class Notice:
    id: int
    topic: Topic
    at: int
    facts: Mapping[str, object]


def depth_facts(depth: Depth) -> dict[str, object]:
    """What `queue.depth` tells."""
    return {
        "pending": depth.pending,
        "processing": depth.processing,
        "failed": depth.failed,
        "queueDepth": depth.open,
    }


class Notices:
    """Safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._in_turn = threading.Lock()
        self._kept: deque[Notice] = deque(maxlen=MOST)
        self._first = self._next = 1
        self._listeners: list[Callable[[], None]] = []

    def number_from(self, first: int) -> None:
        """The id of the first notice, before any is told."""
        with self._lock:
            assert not self._kept, "ids only grow"
            self._first = self._next = first

    def tell_present(self, topic: Topic, facts: Callable[[], Mapping[str, object]]) -> None:
        """How something is now. What several threads tell of it is told in the order in which they
        looked, so that the last word is the newest."""
        with self._in_turn:
            self.tell(topic, **facts())

    def tell(self, topic: Topic, **facts: object) -> None:
        with self._lock:
            self._kept.append(Notice(self._next, topic, self._clock(), facts))
            self._next += 1
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def newest(self) -> int:
        """The id of the newest notice; before the first, what comes before its id."""
        with self._lock:
            return self._next - 1

    def seen(self, id_: int) -> int:
        """How far somebody is who says that this was the last notice they saw. An id that was never
        told here is of another process, and of this one they have seen nothing."""
        with self._lock:
            return id_ if self._first <= id_ < self._next else self._first - 1

    def after(self, id_: int) -> list[Notice]:
        """Those that came after this one and are still kept, in order."""
        with self._lock:
            return [notice for notice in self._kept if notice.id > id_]

    @contextmanager
    def listening(self, on_news: Callable[[], None]) -> Iterator[None]:
        """`on_news` is called from any thread whenever something was told; it must not block."""
        with self._lock:
            self._listeners.append(on_news)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(on_news)
