"""Rows as a sheet (CSV) and as lines of JSON (NDJSON), in the form that CodexMem exports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from recollect.dialect.spec import Json

Cell = None | bool | int | float | str

CSV, NDJSON = "csv", "ndjson"
MEDIA_TYPES = {
    CSV: "text/csv; charset=utf-8",
    NDJSON: "application/x-ndjson; charset=utf-8",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula. Queries and errors are not ours."""
_MUST_QUOTE = (",", '"', "\n", "\r")


def csv(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A line of columns, then a line each; a cell is quoted only when it must be, and no newline
    comes after the last."""
    return "\n".join(",".join(map(_cell, row)) for row in (columns, *rows))


def ndjson(entries: Iterable[Json]) -> str:
    return "\n".join(
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries
    )


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
