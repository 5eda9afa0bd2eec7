"""Time as an argument: whoever needs the time is given a clock.

All times of the core are whole milliseconds since 1970, UTC.
"""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Answers the time in milliseconds since 1970."""

SECOND = 1_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


def wall_clock() -> int:
    return time.time_ns() // 1_000_000
