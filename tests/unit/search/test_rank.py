"""The published composite score, to the digit."""

from __future__ import annotations

import math

import pytest

from recollect.model.clock import DAY
from recollect.search.rank import TYPE_WEIGHTS, composite, recency, type_weight

RECENCY = [
    # age         recency    because
    (0, 1.0, "now is 1"),
    (7 * DAY, 0.5, "the half-life is seven days"),
    (14 * DAY, 0.25, "two half-lives"),
    (21 * DAY, 0.125, "three half-lives"),
    (DAY, math.exp(-math.log(2) / 7.0), "the published formula"),
    (DAY // 2, math.exp(-math.log(2) * 0.5 / 7.0), "age counts in fractions of a day"),
    (-3 * DAY, 1.0, "a clock that was set back makes nothing newer than now"),
]

WEIGHTS = [
    # type              weight   because
    ("file_edit", 1.0, "published"),
    ("command", 0.67, "published"),
    ("session_compact", 0.5, "published"),
    ("mcp_call", 0.33, "published"),
    ("file_write", 0.17, "all others"),
    ("file_read", 0.17, "all others"),
    ("git_commit", 0.17, "all others: the published list is taken to the letter"),
    ("command_error", 0.17, "all others: the published list is taken to the letter"),
    ("imported_from_elsewhere", 0.17, "all others, types of importers included"),
]

COMPOSITE = [
    # age     type         matches  score                                because
    (0, "file_edit", True, 1.0, "0.5 + 0.3 + 0.2"),
    (0, "file_edit", False, 0.86, "another project counts 0.3 of 0.2"),
    (0, "file_edit", None, 1.0, "without a project 0.6 + 0.4"),
    (7 * DAY, "command", True, 0.651, "0.25 + 0.201 + 0.2"),
    (7 * DAY, "command", False, 0.511, "0.25 + 0.201 + 0.06"),
    (7 * DAY, "command", None, 0.568, "0.3 + 0.268"),
    (14 * DAY, "file_read", True, 0.376, "0.125 + 0.051 + 0.2"),
]


@pytest.mark.parametrize(("age", "expected", "because"), RECENCY)
def test_recency_halves_every_seven_days(age: int, expected: float, because: str) -> None:
    assert recency(age) == pytest.approx(expected, abs=1e-15), because


def test_a_very_old_memory_weighs_nothing_and_harms_nothing() -> None:
    assert recency(10**18) == 0.0


@pytest.mark.parametrize(("type_", "expected", "because"), WEIGHTS)
def test_types_have_their_published_weight(type_: str, expected: float, because: str) -> None:
    assert type_weight(type_) == expected, because


def test_the_weights_cannot_be_changed_by_whoever_reads_them() -> None:
    with pytest.raises(TypeError):
        TYPE_WEIGHTS["file_edit"] = 0.0  # type: ignore[index]


@pytest.mark.parametrize(("age", "type_", "matches", "expected", "because"), COMPOSITE)
def test_the_score_adds_recency_type_and_project(
    age: int, type_: str, matches: bool | None, expected: float, because: str
) -> None:
    score = composite(age_ms=age, type_=type_, matches=matches)
    assert score == pytest.approx(expected, abs=1e-12), because
