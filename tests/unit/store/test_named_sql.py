"""Statements by name."""

from __future__ import annotations

from recollect.store.named_sql import parse

TEXT = """-- A file may begin with a remark.

-- find_thing --
-- The thing, if there is one.
select * from things
where id = :id

-- forget_thing --
delete from things where id = :id
"""


def test_each_header_begins_a_statement_and_comments_are_left_out() -> None:
    assert parse(TEXT) == {
        "find_thing": "select * from things\nwhere id = :id",
        "forget_thing": "delete from things where id = :id",
    }
