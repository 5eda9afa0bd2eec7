"""Moments: every form that a filter may bring, and the one that is written."""

from __future__ import annotations

import pytest

from recollect.dialect.validate import LARGEST
from recollect.dialects.codexmem.moments import iso, moment
from recollect.model.errors import InvalidArgument

READ = [
    # text                           milliseconds         because
    ("1790000000", 1_790_000_000_000, "a number below a million million is of seconds"),
    ("1790000000000", 1_790_000_000_000, "and one from there on of milliseconds"),
    ("99999999999999999", LARGEST, "a number beyond what JSON can say is held to it"),
    ("1790000000.5", 1_790_000_000_500, "seconds may have a fraction"),
    ("0", 0, "the beginning of time"),
    ("-86400", -86_400_000, "the day before it"),
    ("2026-09-21T14:13:20Z", 1_790_000_000_000, "ISO with a Z"),
    ("2026-09-21T14:13:20.000Z", 1_790_000_000_000, "as we write it"),
    ("2026-09-21T16:13:20+02:00", 1_790_000_000_000, "ISO with another zone"),
    ("2026-09-21T14:13:20", 1_790_000_000_000, "without a zone it is in UTC"),
    ("2026-09-21", 1_789_948_800_000, "a day is its beginning"),
]


@pytest.mark.parametrize(("text", "at", "because"), READ, ids=[row[-1] for row in READ])
def test_a_moment_is_read_in_every_published_form(text: str, at: int, because: str) -> None:
    assert moment("from", text) == at, because


def test_a_day_that_ends_something_is_meant_whole() -> None:
    assert moment("to", "2026-09-21", is_end=True) == moment("to", "2026-09-21T23:59:59.999Z")
    assert moment("to", "1790000000", is_end=True) == 1_790_000_000_000


REFUSED = [
    ("yesterday", "a word"),
    ("2026-13-01", "a month too many"),
    ("nan", "what Python calls a number"),
    ("1_000", "Python's underscores"),
    ("1e999", "infinity in disguise"),
    ("٣", "digits that are no digits here"),
    ("9" * 400, "a number of no clock"),
    ("'; drop table traces", "SQL"),
]


@pytest.mark.parametrize(("text", "because"), REFUSED, ids=[row[-1] for row in REFUSED])
def test_what_is_no_moment_is_refused_by_name(text: str, because: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^from must be seconds or milliseconds"):
        moment("from", text)


def test_a_moment_is_written_in_utc_with_milliseconds() -> None:
    assert iso(1_790_000_000_007) == "2026-09-21T14:13:20.007Z"
    assert moment("from", iso(1_790_000_000_007)) == 1_790_000_000_007
