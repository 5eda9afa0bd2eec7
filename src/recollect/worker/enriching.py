"""The thread that asks a language model, job after job, beside whatever else goes on.

It is a thread of its own because nothing may wait for a model. What a step does is
`service.enrichment`. While the model cannot be reached it is asked ever more seldom: the jobs wait,
and everything in them can be found meanwhile as rules have read it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from recollect.model.errors import RecollectError
from recollect.service.enrichment import Outcome

_log = logging.getLogger(__name__)

PACE = 1.0
"""Seconds between two looks for something to do."""
FEW = 2
"""Outages in a row that change nothing yet."""
SLOWEST = 60.0
"""Seconds between two tries when the last ones failed."""


class Enriching:
    """`step` deals with one job."""

    def __init__(self, step: Callable[[], Outcome], *, pace: float = PACE) -> None:
        self._step = step
        self._pace = pace
        self._news = threading.Event()
        self._over = threading.Event()
        self._failures = 0
        self._last_error: str | None = None
        self._thread = threading.Thread(target=self._run, name="recollect-enriching", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something was accepted."""
        self._news.set()

    def end(self) -> None:
        """Let it end after the job that is under way."""
        self._over.set()
        self._news.set()

    def stop(self, patience: float = 1.0) -> bool:
        """End, and whether it did in time. A job that is left behind is given back at the next
        start."""
        self.end()
        if self._thread.ident is not None:
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._over.is_set():
            self._news.clear()
            outcome = self._turn()
            if outcome is None or self._failures > FEW:
                self._over.wait(self._pause())
            elif outcome is Outcome.IDLE and not self._over.is_set():
                self._news.wait(self._pace)

    def _turn(self) -> Outcome | None:
        """None when the step itself failed."""
        try:
            outcome = self._step()
        except Exception as error:  # noqa: BLE001 - kept, told and tried again, whatever it is
            self._fail(error)
            return None
        if outcome is Outcome.DONE:
            self._failures, self._last_error = 0, None
        elif outcome is Outcome.OUTAGE:
            self._failures += 1
        elif self._failures <= FEW:
            self._failures = 0
        return outcome

    def _fail(self, error: Exception) -> None:
        self._failures += 1
        if self._over.is_set():
            return  # the store is closed already
        named = isinstance(error, RecollectError)
        text = str(error) if named else f"unexpected {type(error).__name__}"
        if text != self._last_error:
            _log.warning("a model will be asked later: %s", text, exc_info=None if named else error)
        self._last_error = text

    def _pause(self) -> float:
        return min(self._pace * float(2 ** min(self._failures, 16)), max(SLOWEST, self._pace))
