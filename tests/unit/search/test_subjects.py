"""Names in texts: what else may be said of them than `test_relevance` says."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import last
from recollect.model.fact import subject_key
from recollect.search.subjects import SOMEONE, Subjects, is_anybodys, key_of, without_subject

SAME_SUBJECT = [
    ("Emma", "emma", "case does not matter"),
    (" Emma  Reed ", "Emma Reed", "nor do spaces"),
    ("Emma\u00a0Reed", "Emma Reed", "of any sort"),
    ("\uff25mma", "Emma", "nor compatible letters"),
    ("Straße", "STRASSE", "case is folded"),
]


@pytest.mark.parametrize(("one", "other", "because"), SAME_SUBJECT, ids=last)
def test_one_subject_has_one_key(one: str, other: str, because: str) -> None:
    assert key_of(one) == key_of(other)


@given(st.text(max_size=30))
def test_a_key_is_the_one_that_facts_are_kept_under(subject: str) -> None:
    assert key_of(subject) == subject_key(subject)
    assert key_of(key_of(subject)) == key_of(subject)


WITHOUT = [
    # content                          subject          matter                          because
    ("Emma is lactose intolerant", "Emma", "someone is lactose intolerant", "a name is someone"),
    ("emma's cat", "Emma", "someone cat", "what is hers is someone's"),
    ("Emmanuel sings", "Emma", "Emmanuel sings", "a longer name is another one"),
    ("I like my tea", "user", "someone like someone tea", "the user says I"),
    ("Mark will mark the exam", "Mark", "someone will mark the exam", "a verb is no name"),
    ("Reed met Emma", "Emma Reed", "someone met someone", "parts of a name name as well"),
    ("the billing-service fails", "billing-service", "someone fails", "an article goes along"),
]


@pytest.mark.parametrize(("content", "subject", "matter", "because"), WITHOUT, ids=last)
def test_a_fact_without_its_subject(content: str, subject: str, matter: str, because: str) -> None:
    assert without_subject(content, subject) == matter


NAMES = st.lists(st.from_regex(r"[A-Z][bcdf][a-z]{2,6}q", fullmatch=True), max_size=4, unique=True)


@given(NAMES, st.text("xyz .,", max_size=30))
def test_names_that_were_replaced_are_not_named_any_more(names: list[str], filler: str) -> None:
    subjects = Subjects(names)
    text = f" {filler} ".join([*names, ""])

    assert subjects.named(text) == {key_of(name) for name in names}
    assert subjects.named(subjects.replaced(text)) == frozenset()
    assert subjects.replaced(text).count(SOMEONE) == len(names)


@given(st.lists(st.text(max_size=12), max_size=5), st.text(max_size=60))
def test_any_names_and_any_text_are_read(names: list[str], text: str) -> None:
    subjects = Subjects(names)

    assert subjects.named(text) <= {key_of(name) for name in names}
    subjects.replaced(text)


@pytest.mark.parametrize(
    ("key", "is_group"), [("the family", True), ("family", True), ("emma", False), ("", False)]
)
def test_a_group_is_anybody(key: str, is_group: bool) -> None:
    assert is_anybodys([key]) is is_group


def test_a_long_text_with_many_names_is_read_in_linear_time() -> None:
    subjects = Subjects([f"Person{number} Of House{number % 7}" for number in range(5_000)])
    begun = time.perf_counter()
    subjects.named("Person1 Of House9 " * 20_000)
    assert time.perf_counter() - begun < 3
