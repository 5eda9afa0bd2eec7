"""The writer: one thread that commits what many want written, all that waits in one transaction.

Whoever hands something over is answered after the commit, so waiting for the disk once serves all
of them. One that fails takes no other with it: then each is written alone.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from recollect.model.errors import EntryRefused, StoreBusy, StoreError
from recollect.store.port.store import Store

MOST = 256
"""Writes in one transaction."""

T = TypeVar("T")
Write = Callable[[], Any]


class Writer:
    def __init__(self, store: Callable[[], Store]) -> None:
        """`store` is asked for with each transaction; it may raise while none is open yet."""
        self._store = store
        self._waiting: queue.SimpleQueue[tuple[Write, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="recollect-writer", daemon=True)
        self._ending = threading.Lock()
        self._is_over = False

    def start(self) -> None:
        self._thread.start()

    def waiting(self) -> int:
        """How many writes nobody has begun with yet."""
        return self._waiting.qsize()

    def commit(self, write: Callable[[], T]) -> T:
        """What `write` gives, once it is on disk."""
        future: Future[T] = Future()
        with self._ending:
            if self._is_over:
                raise StoreBusy("the worker is stopping; send it again to the next one")
            self._waiting.put((write, future))
        return future.result()

    def stop(self, patience: float = 1.0) -> bool:
        """Write what waits, take no more, and end; whether it ended in time."""
        with self._ending:
            self._is_over = True
            self._waiting.put(None)
        if self._thread.ident is not None:
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            batch: list[tuple[Write, Future[Any]]] = []
            item = self._waiting.get()
            while True:
                if item is None:
                    is_over = True
                    break
                batch.append(item)
                if len(batch) == MOST:
                    break
                try:
                    item = self._waiting.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._write(batch)

    def _write(self, batch: Sequence[tuple[Write, Future[Any]]]) -> None:
        try:
            answers = self._together([write for write, _ in batch])
        except Exception as error:  # noqa: BLE001 - told to those whom it is about
            # What the store cannot do now it cannot do for any of them; each would wait in vain.
            if len(batch) == 1 or _is_of_the_store(error):
                for _, future in batch:
                    future.set_exception(error)
                return
            for each in batch:
                self._write([each])
        else:
            for (_, future), answer in zip(batch, answers, strict=True):
                future.set_result(answer)

    def _together(self, writes: Sequence[Write]) -> list[Any]:
        store = self._store()
        with store.transaction():
            return [write() for write in writes]


def _is_of_the_store(error: Exception) -> bool:
    return isinstance(error, StoreError) and not isinstance(error, EntryRefused)
