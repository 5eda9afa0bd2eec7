"""The worker's one thread: it opens the store, then drains the spool into it while events wait.

A failure is kept, told once and tried again more slowly; it never ends the thread. What a drain
does is `worker.drain`; who starts the loop and what it opens is the command line's business.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from recollect.model.errors import RecollectError, StoreBusy

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)

PACE = 0.2
"""Seconds between two looks at the spool."""
SLOWEST = 5.0
"""Seconds between two tries when the last ones failed."""


class Drainable(Protocol):
    def catch_up(self) -> int:
        """Bring in what waits; how many events were stored or read."""

    def is_behind(self) -> bool:
        """Whether there is something to bring in besides the spool; cheap."""

    def close(self) -> None: ...


OpenedT = TypeVar("OpenedT", bound=Drainable)


@dataclass(frozen=True, slots=True)
class Vitals:
    """How the worker is: `is_open` once the store answers, `is_initialized` once the backlog
    is drained too."""

    is_open: bool
    is_initialized: bool
    waiting: int
    last_error: str | None


class Loop(Generic[OpenedT]):
    """`waiting` is a cheap look at the spool: how many events are in it; `on_stored` is told when
    a drain has brought something in, and must not block."""

    def __init__(
        self,
        open_store: Callable[[], OpenedT],
        waiting: Callable[[], int],
        *,
        on_stored: Callable[[], None] = lambda: None,
        pace: float = PACE,
    ) -> None:
        self._open_store = open_store
        self._waiting = waiting
        self._on_stored = on_stored
        self._pace = pace
        self._opened: OpenedT | None = None
        self._answerable = threading.Event()
        self._is_initialized = threading.Event()
        self._news = threading.Event()
        self._is_over = False
        self._may_close = threading.Event()
        self._last_error: str | None = None
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="recollect-worker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something was accepted."""
        self._news.set()

    def end(self) -> None:
        """Let the work end, and nobody wait for a store that is not open yet. One that is open
        stays so until `stop`, for requests that are under way."""
        self._is_over = True
        self._news.set()
        self._answerable.set()

    def stop(self, patience: float = 1.0) -> bool:
        """End after the drain that is under way, and close the store; whether it ended in time.

        A drain that takes longer may be left behind with the process: events are acknowledged
        only after their commit, so the next drain repeats what this one did not finish.
        """
        self.end()
        self._may_close.set()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def vitals(self) -> Vitals:
        last_error = self._last_error
        try:
            waiting = self._waiting()
        except RecollectError as error:  # a sick spool is news about health, not the end of it
            waiting, last_error = 0, error.message
        return Vitals(
            is_open=self._opened is not None,
            is_initialized=self._is_initialized.is_set(),
            waiting=waiting,
            last_error=last_error,
        )

    def opened(self, patience: float = 10.0) -> OpenedT:
        """What was opened; waits for it while it is still being opened."""
        self._answerable.wait(patience)
        if self._opened is None:
            raise StoreBusy(self._last_error or "the store is still being opened; ask again soon")
        return self._opened

    def _run(self) -> None:
        while not self._is_over:
            self._news.clear()
            self._turn()
            if not self._is_over:
                self._news.wait(self._pause())
        self._may_close.wait()
        if self._opened is not None:
            self._opened.close()

    def _turn(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - kept, told and tried again, whatever it is
            self._fail(error)
        else:
            self._failures = 0
            self._last_error = None

    def _work(self) -> None:
        if self._opened is None:
            self._opened = self._open_store()
            self._answerable.set()
        if not self._is_initialized.is_set() or self._waiting() or self._opened.is_behind():
            stored = self._opened.catch_up()
            self._is_initialized.set()
            if stored:
                self._on_stored()

    def _fail(self, error: Exception) -> None:
        text = _told(error)
        if text != self._last_error:
            _log.error("the worker will try again: %s", text, exc_info=error)
        self._last_error = text
        self._failures += 1

    def _pause(self) -> float:
        slowed = self._pace * float(2 ** min(self._failures, 16))
        return min(slowed, max(SLOWEST, self._pace))


def _told(error: Exception) -> str:
    """An error for people: ours by its words, another by its kind, so that no path is shown."""
    if isinstance(error, RecollectError):
        return error.message
    return f"unexpected {type(error).__name__}; the worker's log has the details"
