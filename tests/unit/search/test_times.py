"""Which texts say when something was, and which questions ask."""

from __future__ import annotations

import time

import pytest

from promises import last
from recollect.search.times import MOST, asks_for_time, has_time

SAYS = [
    # text                                  says   because
    ("since 2019", True, "a year"),
    ("on 7 May 2023", True, "a date"),
    ("May 5", True, "a day of May"),
    ("in May", True, "May after a preposition"),
    ("may I?", False, "may is a verb"),
    ("at 10:45", True, "a time of day"),
    ("at 5 pm", True, "an hour"),
    ("yesterday", True, "a day from here"),
    ("last week", True, "a week from here"),
    ("two years ago", True, "a span"),
    ("it took a few hours", True, "a duration"),
    ("every Tuesday", True, "a weekday"),
    ("3 files changed", False, "a number alone"),
    ("port 8080", False, "a number that is no year"),
    ("daytime", False, "a longer word"),
    ("the march of progress", True, "march is a month to a machine"),
    ("", False, "nothing"),
]


@pytest.mark.parametrize(("text", "says", "because"), SAYS, ids=last)
def test_what_says_when(text: str, says: bool, because: str) -> None:
    assert has_time(text) is says


ASKS = [
    # question                              asks   because
    ("When did we deploy?", True, "when"),
    ("How long did the build take?", True, "how long"),
    ("how many days were we down", True, "a count of time"),
    ("how many files changed", False, "a count of something else"),
    ("What date was it?", True, "a date"),
    ("which year", True, "a year"),
    ("on what day did it break", True, "a day"),
    ("Since when is it slow?", True, "a beginning"),
    ("how often does it fail", True, "how often"),
    ("whenever it fails", False, "whenever asks for no time"),
    ("What failed?", False, "what happened is not when"),
    ("", False, "nothing"),
]


@pytest.mark.parametrize(("question", "asks", "because"), ASKS, ids=last)
def test_what_asks_when(question: str, asks: bool, because: str) -> None:
    assert asks_for_time(question) is asks


def test_only_the_beginning_is_looked_at_and_that_fast() -> None:
    assert not has_time("x " * MOST + "yesterday")
    begun = time.perf_counter()
    for text in ("1 " * 1_000_000, "every few " * 100_000, "how many " * 100_000):
        has_time(text)
        asks_for_time(text)
    assert time.perf_counter() - begun < 2
