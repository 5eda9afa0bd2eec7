"""Sixteen clients post observations to one worker for a minute: how many, how soon, all there?

Beside it, on the same machine and in the same run: what the worker's HTTP costs without a store,
what one wait for the disk costs, and a search while nothing is posted and while it is.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.clients import Crowd, Line, stored
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import Sample, milliseconds
from benchmarks.scale.questions import questions
from benchmarks.scale.stored import add, batches
from benchmarks.workers import worker
from recollect import wiring

CLIENTS = 16
SECONDS = 60.0
MEMORIES = 10_000
"""In the store before anybody posts, so that a search has something to do."""
BASELINE = 5.0
SEARCHES = 100
PAUSE = 0.25
"""Seconds between two searches while there is load: a person does not ask faster."""


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway(RECOLLECT_EMBEDDER="none") as home:
        asked = _filled(home, args.memories)
        with worker(home) as process:
            _wait_until_ready(home)
            at_rest = Sample()
            _search(home, asked, at_rest, count=SEARCHES)
            report.add("answers", _row("nothing but HTTP", *_bare(home, args.clients)))
            report.add("answers", _row("one wait for the disk", *_syncs(home.folder)))
            crowd = Crowd(home, args.clients)
            under_load = Sample()
            began = time.perf_counter()
            with _until(time.perf_counter() + args.seconds) as is_over:
                threads = crowd.post_until(is_over)
                _search(home, asked, under_load, is_over=is_over)
                for thread in threads:
                    thread.join()
            took = time.perf_counter() - began
            name = f"observations of {args.clients} clients"
            report.add("answers", _row(name, Sample(crowd.seconds), took))
            read_after = _read_after(home)
            rss = _megabytes(process.pid)
        texts = stored(home)
    missing = {event.text for event in crowd.acknowledged} - set(texts)
    doubled = [text for text, count in texts.items() if count > 1 and text.startswith("pytest")]
    report.add("searches", _search_row("while nothing is posted", at_rest))
    report.add("searches", _search_row("while sixteen clients post", under_load))
    report.add(
        "afterwards",
        {
            "acknowledged": len(crowd.acknowledged),
            "missing": len(missing),
            "doubled": len(doubled),
            "unanswered": len(crowd.unanswered),
            "all_read_after_s": round(read_after, 2),
            "worker_MB": rss,
        },
    )
    report.failures += [f"missing: {text}" for text in sorted(missing)[:20]]
    report.failures += [f"doubled: {text}" for text in doubled[:20]]
    report.failures += [f"not answered: {event.text}" for event in crowd.unanswered[:20]]
    report.notes.append("clients and worker share the processors of one machine")


def _filled(home: Home, count: int) -> list[str]:
    house = wiring.open_house(home.settings)
    texts = [each for batch in batches(1, count, now=0) for each in batch]
    for first in range(0, len(texts), 1_000):
        add(house.store, texts[first : first + 1_000])
    house.close()
    return [" OR ".join(each.split()) for each in questions(texts, SEARCHES, seed="load")]


def _wait_until_ready(home: Home) -> None:
    line = Line(home)
    while True:
        try:
            line.ask("GET", "/api/readiness")
        except OSError:
            time.sleep(0.05)
        else:
            return line.close()


def _search(
    home: Home,
    asked: Sequence[str],
    sample: Sample,
    *,
    count: int | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    line = Line(home)
    number = 0
    while not is_over() and number != count:
        began = time.perf_counter()
        line.search(asked[number % len(asked)])
        sample.seconds.append(time.perf_counter() - began)
        number += 1
        if count is None:
            time.sleep(PAUSE)
    line.close()


def _bare(home: Home, clients: int) -> tuple[Sample, float]:
    """The cheapest answer that the worker has, to as many clients."""
    sample = Sample()
    over = time.perf_counter() + BASELINE

    def ask() -> None:
        line = Line(home)
        while time.perf_counter() < over:
            began = time.perf_counter()
            line.ask("GET", "/api/version")
            sample.seconds.append(time.perf_counter() - began)
        line.close()

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sample, BASELINE


def _syncs(folder: Path) -> tuple[Sample, float]:
    sample = Sample()
    descriptor = os.open(folder / "sync", os.O_WRONLY | os.O_CREAT, 0o600)
    over = time.perf_counter() + BASELINE / 5
    while time.perf_counter() < over:
        began = time.perf_counter()
        os.write(descriptor, b"x" * 4096)
        os.fsync(descriptor)
        sample.seconds.append(time.perf_counter() - began)
    os.close(descriptor)
    return sample, BASELINE / 5


@contextmanager
def _until(moment: float) -> Iterator[Callable[[], bool]]:
    yield lambda: time.perf_counter() >= moment


def _read_after(home: Home) -> float:
    """Seconds until everything that was accepted is read."""
    house = wiring.open_house(home.settings)
    began = time.perf_counter()
    while house.store.jobs.depth().open:
        time.sleep(0.01)
    house.close()
    return time.perf_counter() - began


def _row(what: str, sample: Sample, seconds: float) -> dict[str, str | float]:
    return {
        "what": what,
        "answers": len(sample),
        "per_s": round(len(sample) / seconds),
        "p50_ms": milliseconds(sample.median),
        "p99_ms": milliseconds(sample.percentile(99)),
        "max_ms": milliseconds(max(sample.seconds)),
    }


def _search_row(what: str, sample: Sample) -> dict[str, str | float]:
    return {
        "what": what,
        "searches": len(sample),
        "p50_ms": milliseconds(sample.median),
        "p95_ms": milliseconds(sample.percentile(95)),
        "max_ms": milliseconds(max(sample.seconds)),
    }


def _megabytes(pid: int) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        line = next(line for line in file if line.startswith("VmRSS:"))
    return round(int(line.split()[1]) * 1024 / 1e6, 1)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    return run("load", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
