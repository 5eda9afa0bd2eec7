"""Threads for what goes on beside everything else, step after step until nothing is missing.

One embeds, because a drain must never wait for a model; another one brings vectors to a server.
What a step does is `service.embedding` and `service.outpost`. Whoever has something for them may
wake them, and they look by themselves now and then, for other processes store as well.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from recollect.model.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)

PACE = 1.0
"""Seconds between two looks for something to do."""
SLOWEST = 60.0
"""Seconds between two tries when the last ones failed."""


class Embedding:
    """`step` does one batch and says whether more may be missing; the log calls it `what`."""

    def __init__(
        self,
        step: Callable[[], bool],
        *,
        pace: float = PACE,
        slowest: float = SLOWEST,
        what: str = "embedding",
    ) -> None:
        self._step = step
        self._pace, self._slowest, self._what = pace, slowest, what
        self._news = threading.Event()
        self._is_over = False
        self._last_error: str | None = None
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name=f"recollect-{what}", daemon=True)

    @property
    def last_error(self) -> str | None:
        return self._last_error

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something was stored."""
        self._news.set()

    def end(self) -> None:
        """Let it end after the batch that is under way."""
        self._is_over = True
        self._news.set()

    def stop(self, patience: float = 1.0) -> bool:
        """End, and whether it did in time. A batch that is left behind is missing, and is made
        again by whoever embeds next."""
        self.end()
        if self._thread.ident is not None:
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._is_over:
            self._news.clear()
            if not self._turn() and not self._is_over:
                self._news.wait(self._pause())

    def _turn(self) -> bool:
        """Whether to go on at once."""
        try:
            is_more = self._step()
        except Exception as error:  # noqa: BLE001 - kept, told and tried again, whatever it is
            self._fail(error)
            return False
        self._failures = 0
        self._last_error = None
        return is_more

    def _fail(self, error: Exception) -> None:
        if self._is_over:
            return  # the store is closed already
        named = isinstance(error, RecollectError)
        text = str(error) if named else f"unexpected {type(error).__name__}"
        if text != self._last_error:
            _log.warning(
                "%s will be tried again: %s",
                self._what,
                text,
                exc_info=None if named else error,
            )
        self._last_error = text
        self._failures += 1

    def _pause(self) -> float:
        if not self._failures:
            return self._pace
        return min(self._pace * float(2 ** min(self._failures, 16)), max(self._slowest, self._pace))
