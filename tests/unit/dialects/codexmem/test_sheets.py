"""Exports: cells that a spreadsheet shows as they are, and never runs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.dialect.spec import Json
from recollect.dialects.codexmem import sheets
from recollect.dialects.codexmem.sheets import Cell

CELLS: list[tuple[Cell, str, str]] = [
    # cell            written            because
    ("plain words", "plain words", "quoted only when it must be"),
    ("a,b", '"a,b"', "a comma would end the cell"),
    ('say "no"', '"say ""no"""', "a quote is doubled"),
    ("two\nlines", '"two\nlines"', "a newline would end the row"),
    ("two\rlines", '"two\rlines"', "and so would a bare carriage return"),
    ('"', '""""', "a quote alone is quoted and doubled"),
    ("", "", "nothing is an empty cell"),
    (None, "", "what is not known is empty too"),
    (True, "true", "as JSON writes it"),
    (False, "false", "as JSON writes it, and not 0"),
    (12, "12", "a number is a number"),
    (-12, "-12", "a negative number is no formula"),
    (12.0, "12", "whole milliseconds have no fraction"),
    (12.25, "12.25", "and others keep theirs"),
    ("=1+1", "'=1+1", "a formula is made text"),
    ("+49 30", "'+49 30", "a plus begins one too"),
    ("-v", "'-v", "and a minus does, in a text"),
    ("@SUM(A1)", "'@SUM(A1)", "and an at sign does"),
    ("\tx", "'\tx", "and a tab does"),
    ("\rx", '"\'\rx"', "and a carriage return does, which is quoted as well"),
    ('=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"', "harmless first, then quoted"),
    ("a=b", "a=b", "inside a text it begins nothing"),
    ("日本語,ü", '"日本語,ü"', "every script is written as it is"),
]


@pytest.mark.parametrize(("cell", "written", "because"), CELLS, ids=[row[-1] for row in CELLS])
def test_a_cell_is_written_as_it_is_and_harmless(cell: Cell, written: str, because: str) -> None:
    assert written_as(["column"], [[cell]]) == f"column\n{written}", because


def test_a_sheet_is_lines_without_one_after_the_last() -> None:
    assert written_as(["a", "b"], [[1, "x"], [2, "y"]]) == "a,b\n1,x\n2,y"
    assert written_as(["a", "b"], []) == "a,b"


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_any_reader_of_csv_reads_what_was_written(rows: list[tuple[str, str]]) -> None:
    read = list(csv.reader(io.StringIO(written_as(["a", "b"], rows), newline="")))
    assert read == [["a", "b"], *([_harmless(a), _harmless(b)] for a, b in rows)]


@given(st.text())
def test_no_text_begins_a_formula(text: str) -> None:
    written = written_as(["a"], [[text]]).removeprefix("a\n").removeprefix('"')
    assert not written.startswith(sheets.FORMULA)


def test_lines_of_json_are_whole_values() -> None:
    entries: list[Json] = [{"error": "two\nlines, ü"}, {"error": "=1+1"}]
    written = lines_of(entries)
    assert [json.loads(line) for line in written.split("\n")] == entries
    assert lines_of([]) == ""


def test_a_long_text_comes_in_parts() -> None:
    rows = [[number] for number in range(2 * sheets.LINES)]
    told = list(sheets.parts(sheets.csv(["n"], rows)))
    assert len(told) == 3
    assert "".join(told) == "\n".join(["n", *(str(number) for (number,) in rows)])


def written_as(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    return "".join(sheets.parts(sheets.csv(columns, rows)))


def lines_of(entries: list[Json]) -> str:
    return "".join(sheets.parts(sheets.ndjson(entries)))


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in sheets.FORMULA and text else text
