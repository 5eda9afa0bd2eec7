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


class Notices:
    """Safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: deque[Notice] = deque(maxlen=MOST)
        self._next = 1
        self._listeners: list[Callable[[], None]] = []

    def tell(self, topic: Topic, **facts: object) -> None:
        with self._lock:
            self._kept.append(Notice(self._next, topic, self._clock(), facts))
            self._next += 1
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def newest(self) -> int:
        """The id of the newest notice; 0 before the first."""
        with self._lock:
            return self._next - 1

    def after(self, id_: int) -> list[Notice]:
        """Those that came after this one and are still kept, in order. An id that is yet to come is
        of an earlier process: then all that are kept."""
        with self._lock:
            known = id_ if id_ < self._next else 0
            return [notice for notice in self._kept if notice.id > known]

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
