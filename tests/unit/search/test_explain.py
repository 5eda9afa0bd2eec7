"""Numbers as they are told add up to the digit, and the words that matched are the ones typed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from promises import last, promise
from recollect.model.memory import Draft, Kind, Origin
from recollect.search.explain import DIGITS, asked_words, breakdown, matched, searched
from recollect.search.profile import CODEMEM, DEFAULT, RankingProfile, Signal

NAN = float("nan")
ROWS = 5
NUMBERS = arrays(
    np.float64, (len(Signal), ROWS), elements=st.floats(-1e4, 1e4) | st.just(NAN) | st.just(-0.0)
)


@promise("search:explain:total")
@pytest.mark.parametrize("profile", [DEFAULT, CODEMEM], ids=lambda profile: profile.name)
@given(columns=NUMBERS)
def test_the_total_is_the_sum_of_what_is_told(
    profile: RankingProfile, columns: np.ndarray[Any, np.dtype[np.float64]]
) -> None:
    added = dict(zip(Signal, columns, strict=True))

    told = breakdown(added, profile.groups, ROWS)

    for row in range(ROWS):
        known = [value for value in told.of(row).values() if value is not None]
        assert told.total(row) == round(sum(known), DIGITS) + 0.0
        for value in (*known, told.total(row)):
            assert value == round(value, DIGITS)
            assert not (value == 0 and math.copysign(1, value) < 0), "-0.0 is told as 0.0"
            assert json.loads(json.dumps(value)) == value


TOLD: list[tuple[dict[Signal, list[float]], dict[str, float | None], str]] = [
    ({}, {"a": None, "b": None}, "of what nobody asked nothing is told"),
    ({Signal.WORDS: [1.0]}, {"a": 1.0, "b": None}, "one signal of a group is enough"),
    ({Signal.WORDS: [1.0], Signal.MEANING: [2.0]}, {"a": 3.0, "b": None}, "two are summed"),
    ({Signal.WORDS: [NAN], Signal.MEANING: [2.0]}, {"a": 2.0, "b": None}, "NaN adds nothing"),
    ({Signal.WORDS: [NAN], Signal.MEANING: [NAN]}, {"a": None, "b": None}, "all NaN is unknown"),
    ({Signal.TIME: [0.0]}, {"a": None, "b": 0.0}, "0 is known"),
    ({Signal.SPEAKER: [5.0]}, {"a": None, "b": None}, "what is in no group is not told"),
    ({Signal.TIME: [1e-9]}, {"a": None, "b": 0.0}, "what is too small to be told is 0"),
]


@pytest.mark.parametrize(("added", "told", "because"), TOLD, ids=last)
def test_what_is_told_of_a_group(
    added: dict[Signal, list[float]], told: dict[str, float | None], because: str
) -> None:
    groups = {"a": (Signal.WORDS, Signal.MEANING), "b": (Signal.TIME,)}
    columns = {signal: np.array(column) for signal, column in added.items()}

    found = breakdown(columns, groups, 1)

    assert found.of(0) == told
    assert list(found.of(0)) == ["a", "b"], "in the profile's order"
    assert found.total(0) == sum(value for value in told.values() if value is not None)


def memory(text: str, **more: object) -> Draft:
    given_: dict[str, Any] = {
        "kind": Kind.OBSERVATION,
        "type": "command",
        "project": "alpha",
        "session_id": None,
        "created_at": 0,
        "origin": Origin.TOOL,
        "source_event": "PostToolUse",
        **more,
    }
    return Draft(text=text, **given_)


MATCHED = [
    # question                 memory                              words                  because
    ("Which tests failed?", memory("the test fails"), ["tests", "failed"], "by their stems"),
    ("failed tests", memory("a test failed"), ["failed", "tests"], "in the question's order"),
    ("tests, tests!", memory("tests"), ["tests"], "once, without punctuation"),
    ("“tests”", memory("tests"), ["tests"], "nor quotes"),
    ("what is the plan", memory("the plan is this"), ["plan"], "function words are not looked for"),
    ("what is it", memory("it is here"), ["is", "it"], "unless there is nothing else"),
    ("parse_config", memory("parseConfig()"), ["parse_config"], "an identifier as it was typed"),
    ("the retry policy", memory("RetryPolicy"), ["retry", "policy"], "parts of an identifier"),
    ("Ada", memory("hello", speaker="Ada"), ["ada"], "in the speaker"),
    ("Deploys", memory("hello", title="Deploys"), ["deploys"], "in the title"),
    ("main.go", memory("hello", file_path="/a/main.go"), ["main.go"], "in the path"),
    ("ci ops", memory("x", tags=("ci",), files=("ops.md",)), ["ci", "ops"], "in labels"),
    ("数据库 错误", memory("数据库"), ["数据库"], "in any script"),
    ("zebra", memory("horse"), [], "or not at all"),
    ("", memory("horse"), [], "nothing was asked"),
]


@pytest.mark.parametrize(("question", "found", "words", "because"), MATCHED, ids=last)
def test_the_words_that_matched_are_the_ones_typed(
    question: str, found: Draft, words: list[str], because: str
) -> None:
    assert list(matched(asked_words(question), found)) == words


@given(st.text(max_size=80))
def test_a_memory_that_repeats_the_question_matches_all_that_was_looked_for(question: str) -> None:
    asked = asked_words(question)

    assert matched(asked, memory(question)) == tuple(asked)


def test_all_that_is_searched_is_there_once() -> None:
    said = searched(
        memory("text", title="title", speaker="Ada", file_path="/f", tags=("t",), concepts=("c",))
    )
    assert said.split("\n") == ["Ada", "title", "text", "/f", "t", "c"]
