"""Rows as a sheet (CSV) and as lines of JSON (NDJSON), in the form that CodexMem exports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from recollect.dialect.spec import Json

Cell = None | bool | int | float | str

CSV, NDJSON = "csv", "ndjson"
MEDIA_TYPES = {
    CSV: "text/csv; charset=utf-8",
    NDJSON: "application/x-ndjson; charset=utf-8",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula. Queries and errors are not ours."""
LINES = 1_000
_MUST_QUOTE = (",", '"', "\n", "\r")


def csv(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """A line of columns, then a line each; a cell is quoted only when it must be."""
    for row in chain([columns], rows):
        yield ",".join(map(_cell, row))


def ndjson(entries: Iterable[Json]) -> Iterator[str]:
    for entry in entries:
        yield json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def parts(lines: Iterable[str]) -> Iterator[str]:
    """The lines as one text, so many of them at a time; no newline comes after the last."""
    lead, rest = "", iter(lines)
    while some := list(islice(rest, LINES)):
        yield lead + "\n".join(some)
        lead = "\n"


def _cell(value: Cell) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case str():
            return _quoted(f"'{value}" if value.startswith(FORMULA) else value)
        case _:
            return str(value)


def _quoted(text: str) -> str:
    if any(mark in text for mark in _MUST_QUOTE):
        return '"' + text.replace('"', '""') + '"'
    return text
