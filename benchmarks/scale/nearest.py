"""The nearest vectors at growing sizes: by the product's index and by the plain numpy product.

The index is the one that searches use, loaded from a store as they load it; the plain product is
one matrix of single floats times the question, and the best of it. What the index finds is held
against what the plain product finds. A scope lets half of all memories compete, or one in 100.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle

import numpy as np

from benchmarks.home import throwaway
from benchmarks.report import Cell, Report, run
from benchmarks.sampling import Action, interleaved, milliseconds
from benchmarks.scale.meanings import DIMENSION, World
from recollect import wiring
from recollect.model.memory import Draft, Kind, Origin
from recollect.search import nearest, signs
from recollect.search.halves import Booleans, Floats, Ids, dots, packed, widened
from recollect.search.meaning import TEXT
from recollect.service.nearness import StoredNearness
from recollect.store.port.store import Store
from recollect.store.port.vectors import Made

SIZES = (1_000, 10_000, 100_000)
FULL_SIZES = (*SIZES, 1_000_000)
MODEL = "benchmark"
MOST = 200
"""What a search takes of this signal."""
QUESTIONS = 100
ROUNDS = 200
BUDGET = 12.0
GOAL_RECALL = 0.99
GOAL_MS = {100_000: 20.0, 1_000_000: 50.0}
"""Of a whole search; the nearest vectors are a part of it."""


class Places:
    """A catalogue of so many memories, all of them live."""

    def __init__(self, count: int) -> None:
        self.ids: Ids = np.arange(1, count + 1)
        self.is_live: Booleans = np.ones(count, dtype=np.bool_)

    def places(self, ids: Ids) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
        return np.where(ids <= len(self.ids), ids - 1, -1).astype(np.int32)


def measure(report: Report, args: argparse.Namespace) -> None:
    for size in args.sizes or (FULL_SIZES if args.full else SIZES):
        with throwaway() as home:
            house = wiring.open_house(home.settings)
            world = World(size)
            _fill(house.store, world)
            near = _load(report, house.store, size)
            _search(report, world, near, size)
            _change(report, house.store, near, world)
            house.close()
    report.notes.append(
        f"{DIMENSION} numbers a vector; the {MOST} nearest are taken; recall of the first 20 and "
        f"of all {MOST} against the plain product, over {QUESTIONS} questions; BLAS takes as many "
        f"threads as there are; the index chooses by sign above {nearest.EXACT:,} rows, and the "
        "first change beyond that number pays for the new form"
    )


def _fill(store: Store, world: World) -> None:
    """Memories of a word and their vectors, as embedding would have put them."""
    with store.transaction():
        model_id = store.vectors.model_id(MODEL, DIMENSION)
    for number, rows in enumerate(world.rows()):
        with store.transaction():
            made = []
            for row in packed(widened(rows)):
                memory = store.memories.add(_draft(number))
                made.append(Made(memory.id, memory.updated_at, row))
            store.vectors.put(model_id, TEXT, made)


def _draft(number: int) -> Draft:
    return Draft(
        kind=Kind.NOTE,
        type="marker",
        text="word",
        project="shop",
        session_id=None,
        created_at=number,
        origin=Origin.USER,
        source_event="AgentMarker",
    )


def _load(report: Report, store: Store, size: int) -> StoredNearness:
    """The first search waits for this, once for each process."""
    before = _resident()
    near = StoredNearness(store, MODEL, TEXT)
    start = time.perf_counter()
    near.sync()
    loaded = time.perf_counter()
    for _ in range(100):
        near.sync()
    report.add(
        "loading",
        {
            "memories": size,
            "load_ms": round(1000 * (loaded - start), 1),
            "MB": round((_resident() - before) / 1e6, 1),
            "bytes_each": round((_resident() - before) / size),
            "nothing_new_ms": milliseconds((time.perf_counter() - loaded) / 100),
        },
    )
    return near


def _search(report: Report, world: World, near: StoredNearness, size: int) -> None:
    rows = np.concatenate(list(world.rows()))
    dice = np.random.default_rng(size)
    about = dice.integers(size, size=QUESTIONS)
    questions = [world.question(rows[place], number) for number, place in enumerate(about)]
    matrix = widened(rows)
    del rows
    catalogue = Places(size)
    for name, share in (("all", 1.0), ("half", 0.5), ("one in 100", 0.01)):
        scope = None if share == 1.0 else dice.random(size) < share
        row = _compared(near, catalogue, matrix, questions, scope)
        report.add("the nearest", {"memories": size, "scope": name, **row})
        if float(str(row["recall_20"])) < GOAL_RECALL:
            report.failures.append(f"{size:,}, {name}: recall@20 is {row['recall_20']}")
        if float(str(row["p95_ms"])) > GOAL_MS.get(size, 50.0):
            report.failures.append(f"{size:,}, {name}: p95 is {row['p95_ms']} ms")
    _parts(report, near, matrix, questions, size)


def _compared(
    near: StoredNearness,
    catalogue: Places,
    matrix: Floats,
    questions: Sequence[Floats],
    scope: Booleans | None,
) -> dict[str, Cell]:
    def ours(question: Floats) -> Sequence[int]:
        places, _ = near.nearest(question, catalogue, scope, MOST)
        found: list[int] = places.tolist()
        return found

    def plain(question: Floats) -> Sequence[int]:
        products = matrix @ question
        if scope is not None:
            products[~scope] = -2
        found: list[int] = _first(products).tolist()
        return found

    first = whole = wanted = 0
    for question in questions:
        here, there = ours(question), plain(question)
        first += len(set(here[:20]) & set(there[:20]))
        whole += len(set(here) & set(there))
        wanted += len(here)
    taken = interleaved(
        {"ours": _turns(ours, questions), "plain": _turns(plain, questions)}, ROUNDS, budget=BUDGET
    )
    return {
        "runs": len(taken["ours"]),
        "p50_ms": milliseconds(taken["ours"].median),
        "p95_ms": milliseconds(taken["ours"].percentile(95)),
        "plain_p50_ms": milliseconds(taken["plain"].median),
        "plain_p95_ms": milliseconds(taken["plain"].percentile(95)),
        "recall_20": round(first / (min(20, wanted // len(questions)) * len(questions)), 4),
        f"recall_{MOST}": round(whole / wanted, 4),
    }


def _parts(
    report: Report, near: StoredNearness, matrix: Floats, questions: Sequence[Floats], size: int
) -> None:
    """What the choices in `search.nearest` rest on."""
    ids = np.random.default_rng(1).integers(1, size + 1, size=400)
    actions: dict[str, Action] = {
        "product, BLAS": _turns(lambda question: matrix @ question, questions),
        "product, one thread": _turns(partial(dots, matrix), questions),
        "cosines of 400 given": _turns(lambda question: near.cosines(question, ids), questions),
    }
    if size > nearest.EXACT:
        words = signs.signs_of(matrix[: nearest.EXACT])
        many = np.tile(words, size // nearest.EXACT)
        actions["distances by sign"] = _turns(partial(signs.distances, many), questions)
    for name, sample in interleaved(actions, ROUNDS, budget=BUDGET).items():
        report.add(
            "parts",
            {
                "memories": size,
                "what": name,
                "runs": len(sample),
                "p50_ms": milliseconds(sample.median),
                "p95_ms": milliseconds(sample.percentile(95)),
            },
        )


def _change(report: Report, store: Store, near: StoredNearness, world: World) -> None:
    """What a search pays for what was stored just before it."""
    (rows, *_) = world.rows()
    model = store.vectors.tail(MODEL).model
    assert model is not None
    for count in (1, 100, 1_000):
        with store.transaction():
            kept = [store.memories.add(_draft(number)) for number in range(count)]
            made = [
                Made(memory.id, memory.updated_at, row)
                for memory, row in zip(kept, packed(widened(rows[:count])), strict=True)
            ]
            store.vectors.put(model[0], TEXT, made)
        start = time.perf_counter()
        near.sync()
        added = time.perf_counter() - start
        with store.transaction():
            for memory in kept:
                store.memories.retire(memory.id, at=2_000)
        start = time.perf_counter()
        near.sync()
        report.add(
            "following the store",
            {
                "memories": near.count(),
                "changed": count,
                "added_ms": milliseconds(added),
                "retired_ms": milliseconds(time.perf_counter() - start),
            },
        )


def _first(products: Floats) -> Ids:
    best = np.argpartition(products, len(products) - MOST)[-MOST:]
    return best[np.argsort(-products[best])]


def _turns(way: Callable[[Floats], object], questions: Sequence[Floats]) -> Action:
    turn = cycle(questions)
    return lambda: way(next(turn))


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="memories")
    return run("nearest", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
