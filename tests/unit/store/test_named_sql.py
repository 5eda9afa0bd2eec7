"""Statements by name."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from recollect.store.named_sql import parse
from recollect.store.sqlite.connection import PACKAGE

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


PIECES = """-- piece: live --
-- What is not retired.
where retired_at is null

-- things --
select * from things
{live}
limit :limit

-- count_things --
select count(*) from things
{live}
"""


def test_a_piece_stands_where_statements_name_it_and_is_none_itself() -> None:
    assert parse(PIECES) == {
        "things": "select * from things\nwhere retired_at is null\nlimit :limit",
        "count_things": "select count(*) from things\nwhere retired_at is null",
    }


def test_a_piece_that_is_not_there_is_no_statement() -> None:
    with pytest.raises(KeyError, match="dead"):
        parse(PIECES.replace("{live}", "{dead}"))


def test_every_piece_is_named_by_several_statements() -> None:
    for file in (files(PACKAGE) / "queries").iterdir():
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"^-- piece: (\w+) --$", text, re.MULTILINE):
            assert text.count(f"{{{name}}}") > 1, f"{file.name}: {name}"
