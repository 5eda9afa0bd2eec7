"""The worker's thread: opens, drains, fails, goes on, stops."""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import TYPE_CHECKING

import pytest

from recollect.model.errors import StoreBusy, StoreFull
from recollect.worker.loop import Loop, Vitals

if TYPE_CHECKING:
    from collections.abc import Iterator

PACE = 0.002
WAIT = 5.0


class Spool:
    """A store and its spool, small enough to be watched."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.events = 0
        self.accepted = 0
        self.drains = 0
        self.drained = threading.Event()
        self.failed = threading.Event()
        self.looked = threading.Semaphore(0)
        self.closed = threading.Event()

    def waiting(self) -> int:
        self.looked.release()
        return self.events

    def catch_up(self) -> int:
        if self.failures:
            failure = self.failures.pop(0)
            if not self.failures:
                self.failed.set()
            raise failure
        stored, self.events, self.accepted = self.events + self.accepted, 0, 0
        self.drains += 1
        self.drained.set()
        return stored

    def is_behind(self) -> bool:
        return self.accepted > 0

    def close(self) -> None:
        self.closed.set()


@contextlib.contextmanager
def running(spool: Spool) -> Iterator[Loop[Spool]]:
    loop = Loop(lambda: spool, spool.waiting, pace=PACE)
    loop.start()
    yield loop
    assert loop.stop(WAIT)
    assert spool.closed.is_set()


def test_the_backlog_is_drained_before_it_is_ready() -> None:
    spool = Spool()
    spool.events = 3
    loop = Loop(lambda: spool, lambda: spool.events, pace=PACE)
    assert loop.vitals() == Vitals(is_open=False, is_initialized=False, waiting=3, last_error=None)

    loop.start()
    assert spool.drained.wait(WAIT)
    assert loop.stop(WAIT)

    assert loop.vitals() == Vitals(is_open=True, is_initialized=True, waiting=0, last_error=None)


def test_what_arrives_later_is_drained_too() -> None:
    spool = Spool()
    with running(spool):
        assert spool.drained.wait(WAIT)
        spool.drained.clear()
        spool.events = 1
        assert spool.drained.wait(WAIT)


def test_an_empty_spool_is_looked_at_and_not_drained() -> None:
    spool = Spool()
    with running(spool):
        assert spool.drained.wait(WAIT)
        for _ in range(5):
            assert spool.looked.acquire(timeout=WAIT)
        assert spool.drains == 1


def test_what_was_accepted_is_read_at_once_when_the_loop_is_woken() -> None:
    spool = Spool()
    loop = Loop(lambda: spool, spool.waiting, pace=3600)
    loop.start()
    assert spool.drained.wait(WAIT)
    spool.drained.clear()

    spool.accepted = 1
    loop.wake()

    assert spool.drained.wait(WAIT), "nobody waits for the next look at the spool"
    assert loop.stop(WAIT)


def test_the_store_stays_open_for_requests_under_way() -> None:
    spool = Spool()
    loop = Loop(lambda: spool, spool.waiting, pace=PACE)
    loop.start()
    assert spool.drained.wait(WAIT)

    loop.end()

    assert loop.opened(0) is spool
    assert not spool.closed.wait(20 * PACE)
    assert loop.stop(WAIT)
    assert spool.closed.is_set()


def test_a_failure_is_told_once_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    full = [StoreFull("the disk is full") for _ in range(3)]
    spool = Spool(*full, KeyError("/home/secret"))
    spool.events = 1
    with caplog.at_level(logging.ERROR), running(spool) as loop:
        assert spool.drained.wait(WAIT)
        assert loop.vitals().waiting == 0

    told = [record.getMessage() for record in caplog.records]
    assert told == [
        "the worker will try again: the disk is full",
        "the worker will try again: unexpected KeyError; the worker's log has the details",
    ]


def test_a_failure_shows_until_it_is_over() -> None:
    class Full(Spool):
        def catch_up(self) -> int:
            self.failed.set()
            raise StoreFull("the disk is full")

    spool = Full()
    with running(spool) as loop:
        assert spool.failed.wait(WAIT)
    vitals = loop.vitals()
    assert (vitals.is_open, vitals.is_initialized) == (True, False)
    assert vitals.last_error == "the disk is full"


def test_a_store_that_will_not_open_is_tried_again() -> None:
    spool = Spool()
    attempts = iter([StoreBusy("held"), StoreBusy("held"), None])

    def open_store() -> Spool:
        if failure := next(attempts):
            raise failure
        return spool

    loop = Loop(open_store, spool.waiting, pace=PACE)
    loop.start()
    assert loop.opened(WAIT) is spool
    assert loop.stop(WAIT)


def test_who_asks_too_early_is_told_why() -> None:
    def open_store() -> Spool:
        raise StoreFull("the disk is full")

    loop = Loop(open_store, lambda: 0, pace=PACE)
    with pytest.raises(StoreBusy, match="still being opened"):
        loop.opened(0)


def test_nobody_waits_for_a_store_that_will_not_be_opened_any_more() -> None:
    loop = Loop(Spool, lambda: 0, pace=PACE)
    loop.end()
    with pytest.raises(StoreBusy):
        loop.opened(3600)


def test_a_long_drain_does_not_hold_up_the_end() -> None:
    release = threading.Event()

    class Slow(Spool):
        def catch_up(self) -> int:
            self.drained.set()
            release.wait(WAIT)
            return 0

    spool = Slow()
    loop = Loop(lambda: spool, spool.waiting, pace=PACE)
    loop.start()
    assert spool.drained.wait(WAIT)

    assert not loop.stop(0.01)
    assert not spool.closed.is_set(), "a store is not closed under a drain"

    release.set()
    assert loop.stop(WAIT)


def test_a_spool_that_cannot_be_read_is_news_about_health() -> None:
    def refusing() -> int:
        raise StoreFull("the spool cannot be read: Permission denied")

    vitals = Loop(Spool, refusing, pace=PACE).vitals()

    assert vitals.waiting == 0
    assert vitals.last_error == "the spool cannot be read: Permission denied"
