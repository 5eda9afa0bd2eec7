"""A model's answer → what is believed of it."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chats import OBSERVATION, SUMMARY
from recollect.llm import bounds, parse
from recollect.model.portrait import Portrait, Recap

LADDER = [
    # answer                                            because
    ('{"a": 1}', "the whole text"),
    (' \n{"a": 1}\n', "with white space around it"),
    ('Here it is:\n```json\n{"a": 1}\n```\nBye.', "a fenced block"),
    ('```\n{"a": 1}\n```', "a fence without a language"),
    ('Sure! {"a": 1} I hope that helps.', "from the first brace to the last"),
]


@pytest.mark.parametrize(("answer", "because"), LADDER, ids=[row[-1] for row in LADDER])
def test_an_object_is_found_in_an_answer(answer: str, because: str) -> None:
    assert parse.document(answer) == {"a": 1}


@pytest.mark.parametrize("answer", ["", "no", "[1]", '{"a": ', "}{", "3", "[" * 100_000, "null"])
def test_what_is_no_object_is_refused(answer: str) -> None:
    with pytest.raises(parse.NotJson):
        parse.document(answer)


def test_an_observation_is_read() -> None:
    assert parse.portrait({**OBSERVATION, "mood": "fine"}) == Portrait(
        type="bugfix",
        title="The clock of tokens allows a minute of skew",
        subtitle=None,
        facts=("LEEWAY is 60 seconds",),
        narrative="Tokens of a server whose clock ran ahead were refused; now a minute is allowed.",
        concepts=("problem-solution", "python"),
        files_read=(),
        files_modified=("src/tökens.py",),
    )


def test_a_summary_is_read() -> None:
    assert parse.recap(SUMMARY) == Recap(**SUMMARY, files_read=(), files_edited=())


def test_what_is_too_long_or_too_much_is_cut() -> None:
    drawn = parse.portrait(
        {
            **OBSERVATION,
            "title": "x\x00\n" * 300,
            "facts": [f"{n}" * 300 for n in range(10)] * 3,
            "concepts": ["A", "a", "a "],
            "files_read": ["src\\a.py", "src/a.py", ""],
        }
    )
    assert len(drawn.title) == bounds.TITLE
    assert "\x00" not in drawn.title
    assert len(drawn.facts) == 10
    assert all(len(fact) == bounds.FACTS.longest for fact in drawn.facts)
    assert drawn.concepts == ("a",)
    assert drawn.files_read == ("src/a.py",)


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    # what is different                                    what is wrong
    ({"title": ""}, ["title must be a string that is not empty"]),
    ({"title": " \n"}, ["title must be a string that is not empty"]),
    ({"title": None}, ["title must be a string that is not empty"]),
    ({"type": "feature"}, ["type must be one of discovery, change, execution, decision, bugfix"]),
    ({"type": ["bugfix"]}, ["type must be a string that is not empty"]),
    ({"subtitle": 3}, ["subtitle must be a string or null"]),
    ({"facts": "one"}, ["facts must be an array of strings"]),
    (
        {"facts": [1], "concepts": None},
        ["facts must be an array of strings", "concepts must be an array of strings"],
    ),
]


@pytest.mark.parametrize(("change", "problems"), WRONG)
def test_what_is_wrong_is_told_all_at_once(change: dict[str, Any], problems: list[str]) -> None:
    with pytest.raises(parse.WrongSchema) as refusal:
        parse.portrait({**OBSERVATION, **change})
    assert refusal.value.problems == problems


def test_what_is_missing_is_told_once() -> None:
    with pytest.raises(parse.WrongSchema) as refusal:
        parse.recap({})
    assert refusal.value.problems == [f"{name} is required" for name in SUMMARY]


@given(st.text() | st.dictionaries(st.sampled_from(sorted(OBSERVATION)), st.text()).map(json.dumps))
def test_no_answer_breaks_it(answer: str) -> None:
    with contextlib.suppress(parse.NotJson, parse.WrongSchema):
        assert parse.portrait(parse.document(answer)).title
