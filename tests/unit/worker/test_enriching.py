"""The thread that asks a model: at once while there is work, ever more seldom when it is away."""

from __future__ import annotations

import logging
import threading

import pytest

from recollect.service.enrichment import Outcome
from recollect.worker.enriching import SLOWEST, Enriching

PATIENCE = 10


class Script:
    """Outcomes in turn; the last one stays. Waits for `seen` are bounded."""

    def __init__(self, *outcomes: Outcome | Exception) -> None:
        self._outcomes = list(outcomes)
        self.asked = 0
        self.seen = threading.Semaphore(0)

    def __call__(self) -> Outcome:
        self.asked += 1
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        self.seen.release()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def wait(self, times: int) -> None:
        for _ in range(times):
            assert self.seen.acquire(timeout=PATIENCE)


def test_it_goes_on_at_once_while_there_is_work_and_is_woken_by_news() -> None:
    script = Script(Outcome.DONE, Outcome.DONE, Outcome.IDLE)
    enriching = Enriching(script, pace=600)
    enriching.start()
    script.wait(3)
    enriching.wake()
    script.wait(1)
    assert enriching.stop(PATIENCE)


def test_after_outages_it_waits_and_news_do_not_hurry_it() -> None:
    script = Script(Outcome.OUTAGE, Outcome.OUTAGE, Outcome.OUTAGE, Outcome.DONE)
    enriching = Enriching(script, pace=600)
    enriching.start()
    script.wait(3)
    enriching.wake()
    assert not script.seen.acquire(timeout=0.2)
    assert enriching.stop(PATIENCE), "but it can be ended while it waits"
    assert script.asked == 3


def test_a_step_that_fails_is_told_once_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    script = Script(RuntimeError("/secret/path"), RuntimeError("/secret/path"), Outcome.IDLE)
    enriching = Enriching(script, pace=0.001)
    with caplog.at_level(logging.WARNING):
        enriching.start()
        script.wait(3)
        assert enriching.stop(PATIENCE)
    told = [each.getMessage() for each in caplog.records]
    assert told == ["a model will be asked later: unexpected RuntimeError"]


def test_the_pause_has_a_limit() -> None:
    enriching = Enriching(lambda: Outcome.IDLE)
    enriching._failures = 100
    assert enriching._pause() == SLOWEST
