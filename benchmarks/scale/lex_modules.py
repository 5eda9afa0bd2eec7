"""The module rule at growing policies: an exact id, and what is suggested for a mistyped one.

Both are asked as `remember` asks, through the policy's file; beside them stand a look into a plain
dict, the library's distances alone, and the distances as one would write them in Python.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from benchmarks.report import Report, run
from benchmarks.sampling import interleaved, milliseconds
from recollect.model.policy_errors import UnknownModules
from recollect.model.workspace import Workspace
from recollect.policy import document
from recollect.service import modules
from recollect.workspace import regular

SIZES = (10, 1_000, 100_000)
ROUNDS = 300
BUDGET = 10.0
PLAIN_UP_TO = 1_000
"""In Python alone, more modules take seconds for each question."""
GOAL_EXACT_MS = 0.5
GOAL_SUGGESTION_MS = 2.0
"""At a thousand modules."""

AREAS = ("services", "ui", "lib", "infra", "tools", "data", "web", "mobile")
WORDS = ("auth", "core", "billing", "cart", "search", "user", "admin", "panel", "report", "mail")


def measure(report: Report, args: argparse.Namespace) -> None:
    for size in args.sizes or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            _measure(report, Path(folder), size)
    report.notes.append(
        "an id is asked through the file: its stamp is looked at each time; one is asked, of the "
        "whole policy in turn; mistyped ids have two letters swapped; the first call reads the "
        "file, and imports rapidfuzz only if an id is mistyped"
    )


def _measure(report: Report, folder: Path, size: int) -> None:
    ids = _ids(size)
    path = folder / ".smartergpt" / "lex" / "lexmap.policy.json"
    path.parent.mkdir(parents=True)
    body = {"modules": {id_: {"owns_paths": [f"src/{id_}/**"]} for id_ in ids}}
    path.write_text(json.dumps(body), encoding="utf-8")
    here = Workspace(root=str(folder))
    time.sleep(regular.FRESH_NS / 1e9)  # a file that was just written is read anew each time
    begun = time.perf_counter()
    modules.scope_for(here, [ids[0]])
    first = time.perf_counter() - begun
    exact, typos = cycle(ids[:: max(1, size // 100)]), cycle(_mistyped(ids))
    plain = document.read(path.read_bytes()).policy
    assert plain is not None
    known = dict.fromkeys(plain.ids)
    actions: dict[str, Callable[[], object]] = {
        "exact": lambda: modules.scope_for(here, [next(exact)]),
        "exact, a dict": lambda: next(exact) in known,
        "suggestion": partial(_suggested, here, typos),
        "suggestion, the library": lambda: process.extract(
            next(typos), plain.folded_ids, scorer=Levenshtein.distance, score_cutoff=10, limit=3
        ),
    }
    if size <= PLAIN_UP_TO:
        actions["suggestion, in Python"] = lambda: sorted(
            (_edits(next(typos), id_), id_) for id_ in plain.ids
        )[:3]
    samples = interleaved(actions, ROUNDS, budget=BUDGET)
    for name, sample in samples.items():
        report.add(
            "one id",
            {
                "modules": size,
                "way": name,
                "runs": len(sample),
                "median_ms": milliseconds(sample.median),
                "p95_ms": milliseconds(sample.percentile(95)),
            },
        )
    report.add(
        "the file",
        {
            "modules": size,
            "kB": round(path.stat().st_size / 1000, 1),
            "first_call_ms": milliseconds(first),
        },
    )
    if size == 1_000:
        _hold(report, "exact", samples["exact"].percentile(95), GOAL_EXACT_MS)
        _hold(report, "suggestion", samples["suggestion"].percentile(95), GOAL_SUGGESTION_MS)


def _hold(report: Report, name: str, seconds: float, goal: float) -> None:
    if 1000 * seconds > goal:
        report.failures.append(f"{name}: p95 {1000 * seconds:.2f} ms, the goal is {goal} ms")


def _suggested(here: Workspace, typos: cycle[str]) -> None:
    try:
        modules.scope_for(here, [next(typos)])
    except UnknownModules as refused:
        if not refused.suggested:
            raise
        return
    raise RuntimeError("a mistyped id was accepted")


def _ids(size: int) -> list[str]:
    chance = random.Random(5)
    ids: dict[str, None] = {}
    while len(ids) < size:
        name = "-".join(chance.sample(WORDS, 2))
        ids[f"{chance.choice(AREAS)}/{name}/{chance.randrange(10 * size)}"] = None
    return list(ids)


def _mistyped(ids: Sequence[str]) -> list[str]:
    typos = [f"{id_[:2]}{id_[3]}{id_[2]}{id_[4:]}" for id_ in ids[:: max(1, len(ids) // 100)]]
    return [typo for typo in typos if typo not in set(ids)]


def _edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for done, letter in enumerate(one, start=1):
        above, row[0] = row[0], done
        for at, against in enumerate(other, start=1):
            above, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, above + (letter != against))
    return row[-1]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="modules")
    return run("lex_modules", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
