"""How much an action matters now: the published composite score, and its numbers as data.

How well a text matches words (BM25) is the engine's; this is for choosing without words.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from recollect.model.clock import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping

HALF_LIFE_DAYS = 7.0

TYPE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"file_edit": 1.0, "command": 0.67, "session_compact": 0.5, "mcp_call": 0.33}
)
OTHER_WEIGHT = 0.17
"""For every type without a weight of its own, `git_commit` and `command_error` included."""

SAME_PROJECT, OTHER_PROJECT = 1.0, 0.3

WITH_PROJECT = (0.5, 0.3, 0.2)
"""How recency, type and project count when a project is asked for."""
WITHOUT_PROJECT = (0.6, 0.4)
"""How recency and type count when none is."""


def composite(*, age_ms: int, type_: str, matches: bool | None) -> float:
    """The score; `matches` is whether it is the project asked for, None when none was."""
    if matches is None:
        of_recency, of_type = WITHOUT_PROJECT
        return recency(age_ms) * of_recency + type_weight(type_) * of_type
    of_recency, of_type, of_project = WITH_PROJECT
    project = SAME_PROJECT if matches else OTHER_PROJECT
    return recency(age_ms) * of_recency + type_weight(type_) * of_type + project * of_project


def recency(age_ms: int) -> float:
    """1 now, half of it every seven days; a time in the future (a clock set back) is now."""
    age_days = max(age_ms, 0) / DAY
    return math.exp(-math.log(2) * age_days / HALF_LIFE_DAYS)


def type_weight(type_: str) -> float:
    return TYPE_WEIGHTS.get(type_, OTHER_WEIGHT)
