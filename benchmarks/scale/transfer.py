"""Memories in bulk: `recollect import` of a file, again, and `recollect export`, as commands.

Words only. Beside it the same texts put into plain FTS5, and the first `recollect find` after it,
which waits for the ranking index.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.scale.plain import Plain
from benchmarks.scale.stored import batches
from benchmarks.scale.texts import Text

LINES = 100_000
GOAL_S = 60.0
NOW = 1_795_000_000_000


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway(RECOLLECT_EMBEDDER="none") as home:
        file, plain = home.folder / "memories.jsonl", Plain(str(home.folder / "plain.db"))
        baseline = 0.0
        with file.open("w", encoding="utf-8") as out:
            for batch in batches(1, args.lines, now=NOW):
                out.writelines(_line(each) for each in batch)
                start = time.perf_counter()
                plain.add(batch)
                baseline += time.perf_counter() - start
        plain.close()
        steps = {
            "import": ["import", str(file)],
            "the first find": ["find", "where is the login token?", "--json"],
            "find": ["find", "where is the login token?", "--json"],
            "import again": ["import", str(file)],
            "export": ["export", "--output", str(home.folder / "out.jsonl")],
        }
        for name, words in steps.items():
            seconds, processor = _seconds(home, words)
            is_bulk = "find" not in name
            report.add(
                "commands",
                {
                    "what": name,
                    "seconds": round(seconds, 2),
                    "of_processor": round(processor, 2),
                    "lines_per_s": round(args.lines / seconds) if is_bulk else None,
                    "times_plain": round(seconds / baseline, 1) if is_bulk else None,
                },
            )
            if name == "import" and seconds > GOAL_S * args.lines / LINES:
                report.notes.append(f"goal missed: {args.lines:,} lines took {seconds:.0f} s")
        kept = (home.folder / "out.jsonl").read_bytes().count(b"\n")
    if kept != args.lines:
        report.failures.append(f"{args.lines:,} lines went in, {kept:,} came out")
    report.notes.append(
        f"{args.lines:,} lines; start of the command included; plain: one FTS5 table, in "
        f"transactions of 1,000, {baseline:.1f} s; goal for the import: {GOAL_S:.0f} s for "
        f"{LINES:,} lines"
    )


def _line(text: Text) -> str:
    said = {
        "id": f"line-{text.number}",
        "kind": text.type,
        "text": text.text,
        "project": text.project,
        "session": text.session_id,
        "created_at": datetime.fromtimestamp(text.at / 1000, UTC).isoformat(),
        "files": [] if text.file_path is None else [text.file_path],
    }
    return json.dumps(said) + "\n"


def _seconds(home: Home, words: Sequence[str]) -> tuple[float, float]:
    """By the clock, and of the processor: a busy machine lengthens the first only."""
    start, used = time.perf_counter(), _used()
    subprocess.run(home.command(*words), env=home.environ, check=True, capture_output=True)
    return time.perf_counter() - start, _used() - used


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES)
    return run("transfer", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
