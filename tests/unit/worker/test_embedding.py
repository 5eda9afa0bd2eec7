"""The embedding thread: goes on while there is something, wakes, fails, slows down, stops."""

from __future__ import annotations

import logging
import threading

import pytest

from recollect.model.errors import StoreBusy
from recollect.worker.embedding import Embedding

PACE = 0.002
NEVER = 3600.0
WAIT = 5.0


class Texts:
    """So many batches to do, and what happened."""

    def __init__(self, batches: int = 0, *failures: Exception) -> None:
        self.batches = batches
        self.failures = list(failures)
        self.done = 0
        self.empty = threading.Semaphore(0)

    def step(self) -> bool:
        if self.failures:
            raise self.failures.pop(0)
        if self.batches:
            self.batches -= 1
            self.done += 1
            return True
        self.empty.release()
        return False


def test_it_goes_on_until_nothing_is_missing_and_wakes_for_more() -> None:
    texts = Texts(3)
    embedding = Embedding(texts.step, pace=NEVER)
    embedding.start()
    assert texts.empty.acquire(timeout=WAIT)
    assert texts.done == 3

    texts.batches = 2
    embedding.wake()
    assert texts.empty.acquire(timeout=WAIT)
    assert texts.done == 5
    assert embedding.stop(WAIT)


def test_it_looks_by_itself_because_others_store_too() -> None:
    texts = Texts()
    embedding = Embedding(texts.step, pace=PACE)
    embedding.start()
    for _ in range(3):
        assert texts.empty.acquire(timeout=WAIT)
    assert embedding.stop(WAIT)


def test_it_stops_between_two_batches() -> None:
    begun, release = threading.Event(), threading.Event()

    def step() -> bool:
        begun.set()
        release.wait(WAIT)
        return True

    embedding = Embedding(step)
    embedding.start()
    assert begun.wait(WAIT)
    assert not embedding.stop(0.01)
    release.set()
    assert embedding.stop(WAIT)


def test_one_that_was_never_started_is_stopped_at_once() -> None:
    assert Embedding(Texts().step).stop(0)


def test_a_failure_is_told_once_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    texts = Texts(1, StoreBusy("held"), StoreBusy("held"), KeyError("a text"))
    embedding = Embedding(texts.step, pace=PACE)
    with caplog.at_level(logging.WARNING):
        embedding.start()
        assert texts.empty.acquire(timeout=WAIT)
        assert embedding.stop(WAIT)
    assert [record.getMessage() for record in caplog.records] == [
        "embedding will be tried again: held",
        "embedding will be tried again: unexpected KeyError",
    ]
    assert embedding.last_error is None
    assert texts.done == 1


def test_it_tries_more_slowly_after_each_failure() -> None:
    embedding = Embedding(Texts().step, pace=1.0)
    pauses = []
    for _ in range(8):
        pauses.append(embedding._pause())
        embedding._fail(StoreBusy("held"))
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
