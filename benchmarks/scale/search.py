"""nmem's `search` at growing sizes, beside the same statement in plain FTS5.

Ours is the whole door: spool looked at, arguments checked, query parsed, JSON made. The baseline is
the contract's statement with its rows fetched, over the same texts (`plain`); both must find the
same rows. Beside it: recent context, what a session start is told, insert rate, bytes per memory.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle

from benchmarks import spawn
from benchmarks.home import Home, throwaway
from benchmarks.report import Cell, Report, run
from benchmarks.sampling import Action, Sample, interleaved, milliseconds
from benchmarks.scale.plain import Plain
from benchmarks.scale.stored import add, batches
from benchmarks.scale.texts import BANDS, PROJECTS, Text, queries
from recollect import wiring
from recollect.dialect.reply import Ask
from recollect.wiring.telling import injected

SIZES = (1_000, 10_000, 100_000)
FULL_SIZES = (*SIZES, 1_000_000)
WORDS = (1, 2, 5)
HERE = PROJECTS[0]
SOUGHT = 50
"""Different queries in a row of the table; each is asked as often as the time allows."""
ROUNDS = 200
BUDGET = 4.0
STARTS = 15
GOAL = 1.5


@dataclass(frozen=True)
class Bench:
    """Two stores of the same texts, and both ways to ask."""

    home: Home
    house: wiring.House
    plain: Plain
    ask: Ask

    def search(self, query: str, project: str | None) -> str:
        arguments: dict[str, object] = {"query": query}
        if project is None:
            arguments["project"] = None
        return self.ask("search", arguments).text


def measure(report: Report, args: argparse.Namespace) -> None:
    sizes = args.sizes or (FULL_SIZES if args.full else SIZES)
    with throwaway() as home:
        house = wiring.open_house(home.settings)
        plain = Plain(str(home.folder / "plain.db"))
        bench = Bench(home, house, plain, house.asker("nmem", HERE))
        held: list[Text] = []
        before = 0
        for size in sizes:
            made = batches(before + 1, size, now=house.clock())
            _grow(report, bench, size, made, held)
            before = size
            _search_all(report, bench, size, held)
            _recall(report, bench, size)
        house.close()
        plain.close()
    report.notes.append(
        f"goal: at most {GOAL} times the plain statement; words of a query are taken from one "
        "text, so that each finds something; 'common' words are each in 3 % to 60 % of the texts, "
        "'rare' ones in a few of 100,000; p95 of the same runs"
    )


def _grow(
    report: Report, bench: Bench, size: int, made: Iterable[list[Text]], held: list[Text]
) -> None:
    """Both stores to this size, in turns."""
    ours, theirs, added = 0.0, 0.0, 0
    for batch in made:
        start = time.perf_counter()
        add(bench.house.store, batch)
        between = time.perf_counter()
        bench.plain.add(batch)
        ours += between - start
        theirs += time.perf_counter() - between
        added += len(batch)
        held += [text for text in batch if text.project == HERE][:: max(1, size // 20_000)]
    bench.house.store.upkeep.compact()
    our_bytes, plain_bytes = bench.house.store.upkeep.size()[0], bench.plain.size()
    report.add(
        "insert, in transactions of 1,000",
        {
            "memories": size,
            "added": added,
            "per_s": round(added / ours),
            "plain_per_s": round(added / theirs),
            "bytes_each": round(our_bytes / size),
            "plain_bytes_each": round(plain_bytes / size),
            "store_MB": round(our_bytes / 1e6, 1),
        },
    )


def _search_all(report: Report, bench: Bench, size: int, held: list[Text]) -> None:
    for words in WORDS:
        for band in BANDS:
            sought = queries(held, words, band, SOUGHT, seed=str(size))
            for scope, project in (("project", HERE), ("all", None)):
                if scope == "project" or words == 2:
                    row = _compared(report, bench, sought, project)
                    name: dict[str, Cell] = {
                        "memories": size,
                        "words": words,
                        "band": band,
                        "scope": scope,
                    }
                    report.add("search, limit 20", {**name, **row})


def _compared(
    report: Report, bench: Bench, sought: Sequence[str], project: str | None
) -> dict[str, Cell]:
    for query in sought[:10]:
        found = [hit["id"] for hit in json.loads(bench.search(query, project))]
        if found != [row[0] for row in bench.plain.search(query, project)]:
            report.failures.append(f"{query!r} finds other rows than plain FTS5")
    ways: dict[str, Callable[[str, str | None], object]] = {
        "nmem": bench.search,
        "plain": bench.plain.search,
        "plain, JSON": bench.plain.answer,
    }
    actions = {name: _each_in_turn(way, sought, project) for name, way in ways.items()}
    taken = interleaved(actions, ROUNDS, budget=BUDGET, least=10)
    ours, plain, answered = (taken[name] for name in ways)
    return {
        "matches": round(statistics.median(bench.plain.matches(query) for query in sought)),
        "runs": len(ours),
        "p50_ms": milliseconds(ours.median),
        "p95_ms": milliseconds(ours.percentile(95)),
        "plain_p50_ms": milliseconds(plain.median),
        "plain_p95_ms": milliseconds(plain.percentile(95)),
        "times_plain_p50": round(ours.median / plain.median, 2),
        "times_plain_p95": round(ours.percentile(95) / plain.percentile(95), 2),
        "times_plain_json_p50": round(ours.median / answered.median, 2),
    }


def _each_in_turn(
    way: Callable[[str, str | None], object], sought: Sequence[str], project: str | None
) -> Callable[[], object]:
    """An action that asks for the next query; all ways come to the same ones in the same order."""
    turn = cycle(sought)
    return lambda: way(next(turn), project)


def _recall(report: Report, bench: Bench, size: int) -> None:
    actions: dict[str, Action] = {
        "recent_context": partial(bench.ask, "recent_context", {}),
        "context, in-process": partial(injected, bench.house, HERE, "startup"),
    }
    with throwaway() as copy:  # each start adds a row, and both stores must stay alike
        os.makedirs(copy.settings.home)
        shutil.copyfile(bench.home.settings.store, copy.settings.store)
        taken = {**interleaved(actions, 100, budget=BUDGET), **_session_starts(copy)}
    for name, sample in taken.items():
        report.add("recent context and session start", {"memories": size, **_times(name, sample)})


def _session_starts(home: Home) -> dict[str, Sample]:
    """The wired SessionStart hook, from spawn to exit."""
    event = {
        "session_id": "starting",
        "cwd": f"/work/{HERE}",
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    blob = json.dumps(event).encode()
    bare = partial(spawn.run, [sys.executable, "-c", "pass"], home.environ)
    hook = partial(spawn.run, home.wired.hook, home.environ, blob)
    return interleaved({"SessionStart hook": hook, "python3 -c pass": bare}, STARTS)


def _times(name: str, sample: Sample) -> dict[str, Cell]:
    return {
        "what": name,
        "runs": len(sample),
        "p50_ms": milliseconds(sample.median),
        "p95_ms": milliseconds(sample.percentile(95)),
    }


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="memories, growing")
    return run("search", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
