"""A worker in steady use for half an hour: does it keep what it takes?

A store of 5,000 memories, sixteen sessions, an event a second and a search now and then, as a busy
day has them. Resident memory is taken every few seconds. Growth is from the median of the first
tenth after the warm-up to that of the last tenth. Some of it is what came meanwhile: each memory
has its words in the ranking's columns, one to two kilobytes of them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

from benchmarks.clients import Event, Line
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.scale.questions import questions
from benchmarks.scale.stored import add, batches
from benchmarks.workers import worker
from recollect import wiring

MINUTES = 30.0
MEMORIES = 5_000
SESSIONS = 16
PER_SECOND = 1.0
"""Events; an agent at work uses a tool every few seconds, and several may be at work."""
SEARCH_EVERY = 8
"""Events between two searches."""
WARM = 0.1
"""Of the time, before anything is measured: caches fill once."""
SAMPLE = 2.0
MOST_GROWTH = 5.0


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway(RECOLLECT_EMBEDDER="none") as home:
        asked = _filled(home, args.memories)
        with worker(home) as process:
            samples, events = _use(home, process.pid, asked, args)
    warmed = samples[int(len(samples) * WARM) :]
    tenth = max(len(warmed) // 10, 1)
    first, at_last = statistics.median(warmed[:tenth]), statistics.median(warmed[-tenth:])
    growth = round(100 * (at_last - first) / first, 2)
    report.add(
        "the worker in use",
        {
            "minutes": args.minutes,
            "per_second": args.per_second,
            "events": events,
            "searches": events // SEARCH_EVERY,
            "first_MB": round(first, 1),
            "last_MB": round(at_last, 1),
            "most_MB": round(max(samples), 1),
            "growth_percent": growth,
        },
    )
    for tenth_of in range(10):
        part = samples[len(samples) * tenth_of // 10 : len(samples) * (tenth_of + 1) // 10]
        if part:
            minute = round(args.minutes * tenth_of / 10, 1)
            report.add(
                "over time", {"from_minute": minute, "MB": round(statistics.median(part), 1)}
            )
    if growth >= MOST_GROWTH:
        report.failures.append(f"it grew by {growth} %, and may by {MOST_GROWTH}")


def _filled(home: Home, count: int) -> list[str]:
    house = wiring.open_house(home.settings)
    texts = [each for batch in batches(1, count, now=0) for each in batch]
    for first in range(0, len(texts), 1_000):
        add(house.store, texts[first : first + 1_000])
    house.close()
    return [" OR ".join(each.split()) for each in questions(texts, 100, seed="soak")]


def _use(
    home: Home, pid: int, asked: Sequence[str], args: argparse.Namespace
) -> tuple[list[float], int]:
    seconds, per_second = args.minutes * 60, args.per_second
    line, samples, number = Line(home), [], 0
    began = time.monotonic()
    due = began
    while (now := time.monotonic()) < began + seconds:
        line.post(Event(number % SESSIONS, number))
        if number % SEARCH_EVERY == 0:
            line.search(asked[number // SEARCH_EVERY % len(asked)])
        number += 1
        if now >= due:
            samples.append(_megabytes(pid))
            due += SAMPLE
        time.sleep(max(began + number / per_second - time.monotonic(), 0))
    line.close()
    return samples, number


def _megabytes(pid: int) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        line = next(line for line in file if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024 / 1e6


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--per-second", type=float, default=PER_SECOND, help="events")
    parser.add_argument("--memories", type=int, default=MEMORIES)
    return run("soak", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
