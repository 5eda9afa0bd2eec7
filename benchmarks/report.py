"""A result: written as JSON with the facts of its machine, and shown as tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlcipher3 import dbapi2 as sqlite

from recollect import __version__

RESULTS = Path(__file__).parent / "results"

Cell = str | int | float | bool | None
Row = Mapping[str, Cell]


@dataclass
class Report:
    """Tables by title. `failures` are promises that did not hold; they fail the benchmark."""

    name: str
    tables: dict[str, list[Row]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, title: str, row: Row) -> None:
        self.tables.setdefault(title, []).append(row)


Benchmark = Callable[[Report, argparse.Namespace], None]


def run(
    name: str, benchmark: Benchmark, argv: Sequence[str], parser: argparse.ArgumentParser
) -> int:
    """Take the measure, write and show it; 1 when something did not hold."""
    parser.add_argument("--full", action="store_true", help="the large sizes as well")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER")
    args = parser.parse_args(argv)
    before = os.getloadavg()
    report = Report(name)
    benchmark(report, args)
    document = {
        "benchmark": report.name,
        "taken": {
            **machine(),
            "load_before": round(before[0], 2),
            "load_after": round(os.getloadavg()[0], 2),
            "full": args.full,
        },
        "tables": report.tables,
        "notes": report.notes,
        "failures": report.failures,
    }
    args.results.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    (args.results / f"{report.name}.json").write_text(text, encoding="utf-8")
    _show(report)
    return 1 if report.failures else 0


def machine() -> dict[str, Cell]:
    """What a figure depends on; nothing that names the machine or its user."""
    with sqlite.connect(":memory:") as connection:
        cipher = connection.execute("pragma cipher_version").fetchone()[0]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "recollect": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite.sqlite_version,
        "sqlcipher": cipher,
        "cpus": os.cpu_count(),
        "kernel": f"{platform.system()} {platform.release().split('-')[0]}",
    }


def _show(report: Report) -> None:
    for title, rows in report.tables.items():
        print(f"\n{title}")
        print(table(rows))
    for note in report.notes:
        print(f"note: {note}")
    for failure in report.failures:
        print(f"DID NOT HOLD: {failure}")


def table(rows: Sequence[Row]) -> str:
    """Rows of the same columns, for people."""
    columns = list(rows[0])
    lines = [columns] + [[_text(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    return "\n".join(
        "  "
        + "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)
