"""A question by words and meaning, with each backend for vectors: the server well, stopped, gone.

All three ask the same store with the same model, in turns; `sqlite` is the baseline. That the
answers agree is measured as well: how many of the first ten are the same.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

from benchmarks.chroma import ChromaServer, serving
from benchmarks.home import Home, model_here, throwaway
from benchmarks.report import Cell, Report, run
from benchmarks.sampling import interleaved, milliseconds
from benchmarks.scale.questions import questions
from benchmarks.scale.stored import add, batches
from benchmarks.scale.texts import PROJECTS, Text
from recollect import wiring
from recollect.model.question import Found, Question
from recollect.search.profile import DEFAULT
from recollect.wiring import House

SIZE = 3_000
FULL_SIZE = 10_000
ASKED = 60
LIMIT = 10
BACKENDS = ("sqlite", "chroma", "hybrid")


def measure(report: Report, args: argparse.Namespace) -> None:
    size = args.size or (FULL_SIZE if args.full else SIZE)
    with throwaway(**model_here()) as home, serving(home.folder) as server:
        houses = {name: _house(home, server, name) for name in BACKENDS}
        held = _fill(report, houses, size)
        asked = iter(questions(held, 6 * (ASKED + 2) * len(BACKENDS) + ASKED, seed=str(size)))
        _compare(report, houses, asked)
        for scope, project in (("all", None), ("project", PROJECTS[0])):
            _time(report, houses, f"well, {scope}", project, asked)
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGSTOP)
        _time(report, houses, "stopped", None, asked)
        server.kill()
        _time(report, houses, "gone", None, asked)
        for house in houses.values():
            house.close()
    report.notes.append(
        f"{size} memories; questions of 5 to 12 words, each asked once; {LIMIT} wanted; the "
        "embedding of the question and the ledger included"
    )
    report.notes.append(
        "stopped: the server's process gets SIGSTOP, so it accepts and never answers; one search "
        "waits for a second, then searches leave it alone for five"
    )


def _house(home: Home, server: ChromaServer, backend: str) -> House:
    variables = {"CODEXMEM_VECTOR_BACKEND": backend, "CODEXMEM_CHROMA_URL": server.url}
    return wiring.open_house(Home(home.folder, {**home.extra, **variables}).settings)


def _fill(report: Report, houses: dict[str, House], size: int) -> list[Text]:
    held: list[Text] = []
    first = houses["sqlite"]
    for batch in batches(1, size, now=first.clock()):
        add(first.store, batch)
        held += batch
    start = time.perf_counter()
    while first.embed_some():
        pass
    embedded = time.perf_counter()
    while houses["chroma"].afar.step():
        pass
    brought = time.perf_counter()
    report.add(
        "to the server",
        {
            "memories": size,
            "embedding_s": round(embedded - start, 1),
            "bringing_s": round(brought - embedded, 1),
            "brought_a_second": round(size / (brought - embedded)),
        },
    )
    return held


def _compare(report: Report, houses: dict[str, House], asked: Iterator[str]) -> None:
    same = dict.fromkeys(BACKENDS, 0)
    for _ in range(ASKED):
        question = next(asked)
        found = {name: _ids(_find(house, question, None)) for name, house in houses.items()}
        for name in BACKENDS:
            same[name] += len(found[name] & found["sqlite"])
    expected = same["sqlite"]
    for name in BACKENDS[1:]:
        share = same[name] / expected
        report.add("the first ten", {"backend": name, "as_with_sqlite": round(share, 3)})
        if share < 0.9:
            report.failures.append(f"{name} finds {share:.0%} of what sqlite finds")


def _time(
    report: Report,
    houses: dict[str, House],
    state: str,
    project: str | None,
    asked: Iterator[str],
) -> None:
    def asking(house: House) -> Callable[[], object]:
        return lambda: _find(house, next(asked), project)

    taken = interleaved({name: asking(house) for name, house in houses.items()}, ASKED)
    for name, sample in taken.items():
        row: dict[str, Cell] = {"server": state, "backend": name}
        row |= {
            "p50_ms": milliseconds(sample.median),
            "p95_ms": milliseconds(sample.percentile(95)),
            "longest_ms": milliseconds(max(sample.seconds)),
            "times_sqlite": round(sample.median / taken["sqlite"].median, 2),
        }
        report.add("a question", row)


def _find(house: House, text: str, project: str | None) -> Found:
    return house.finder().find(Question(text=text, project=project, limit=LIMIT), DEFAULT)


def _ids(found: Found) -> set[int]:
    return {hit.memory.id for hit in found.hits}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, metavar="N", help="memories")
    sys.exit(run("backends", measure, sys.argv[1:], parser))
