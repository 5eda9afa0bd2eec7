"""Memento's tools over many facts: what storing, searching, changing and listing cost a client.

Through the house's own door, arguments checked and JSON made, with the model. What is stored and
asked is new every time, so the model reads it each time; beside it, in turns, what that alone
takes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the product does before numpy is loaded

import numpy as np

from benchmarks.home import model_here, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import interleaved, milliseconds
from benchmarks.scale.stored import batches
from benchmarks.scale.texts import LAST, WORDS, Text, texts
from recollect import wiring
from recollect.dialect.reply import Ask
from recollect.embed.port import Embedder
from recollect.model.fact import CATEGORIES, Claim, content_key
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.search.halves import Floats, packed
from recollect.search.meaning import VIEWS
from recollect.store.port.vectors import Made

FACTS = 100_000
SUBJECTS = [word.capitalize() for word in WORDS[-500:]]
EMBEDDED = 1_000
"""Facts whose vectors are the model's own; all others have one of these, and noise."""
NOISE = 0.5
ROUNDS = 200
BUDGET = 90.0
GOAL_MS = 20.0
"""A tenth of the 200 ms that the contract has for a search."""


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway(**model_here()) as home:
        house = wiring.open_house(home.settings)
        embedder = house.chosen().embedder
        if embedder is None:
            raise SystemExit(f"this needs a model: {house.chosen().reason}")
        _fill(house, embedder, args.facts)
        _time(report, house, embedder, args.facts)
        house.close()
    report.notes.append(
        f"{EMBEDDED:,} facts have vectors by the model, all others one of these with noise added; "
        f"{len(SUBJECTS)} subjects; goal: a p95 below {GOAL_MS:g} ms at 100,000 facts"
    )


def _fill(house: wiring.House, embedder: Embedder, count: int) -> None:
    store = house.store
    with store.transaction():
        model = store.vectors.model_id(embedder.name, embedder.dimension)
    first = next(batches(1, EMBEDDED, now=house.clock()))
    known = np.concatenate(
        [
            embedder.embed([each.text for each in first[at : at + 64]])
            for at in range(0, len(first), 64)
        ]
    )
    for batch in batches(1, count, now=house.clock()):
        with store.transaction():
            memories = [_added(house, each) for each in batch]
            rows = packed(_near(known, batch))
            for view in VIEWS:
                store.vectors.put(
                    model,
                    view,
                    [Made(m.id, m.updated_at, row) for m, row in zip(memories, rows, strict=True)],
                )


def _added(house: wiring.House, text: Text) -> Memory:
    subject, content = _subject(text), _content(text)
    memory = house.store.memories.add(
        Draft(
            kind=Kind.FACT,
            type=Type.FACT,
            text=content,
            project=text.project,
            session_id=None,
            created_at=text.at,
            origin=Origin.ASSISTANT,
            source_event="StoreMemory",
        )
    )
    claim = Claim(subject=subject, category=_category(text))
    key = content_key(f"{content} {text.number}")  # words may come again, made up as they are
    house.store.facts.add(memory.id, claim, public_id=wiring.new_id(), content_key=key)
    return memory


def _near(known: Floats, batch: Sequence[Text]) -> Floats:
    dice = np.random.default_rng(batch[0].number)
    noise = dice.standard_normal((len(batch), known.shape[1]), dtype=np.float32)
    rows = known[[each.number % len(known) for each in batch]]
    rows = rows + noise * np.float32(NOISE / np.sqrt(known.shape[1]))
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _time(report: Report, house: wiring.House, embedder: Embedder, count: int) -> None:
    ask = house.asker("memento", "shop")
    fresh = texts(LAST + 1, LAST + 20 * ROUNDS, now=house.clock(), seed="asked")
    stored = _ids(ask, fresh, 2 * ROUNDS)

    def calling(tool: str, arguments: Callable[[Text], dict[str, object]]) -> Callable[[], object]:
        return lambda: _call(ask, tool, arguments(next(fresh)))

    actions = {
        "the model alone": lambda: embedder.embed([_question(next(fresh))]),
        "store_memory": calling("store_memory", _fact),
        "search_memories": calling("search_memories", lambda t: {"query": _question(t)}),
        "search_memories, of a subject": calling(
            "search_memories",
            lambda t: {"query": _question(t), "subject_filter": _subject(t)},
        ),
        "search_memories, all that is near": calling(
            "search_memories", lambda t: {"query": _question(t), "threshold": 0, "limit": 20}
        ),
        "list_recent_memories": calling("list_recent_memories", lambda _: {"limit": 50}),
        "list_recent_memories, of a subject": calling(
            "list_recent_memories", lambda t: {"limit": 50, "subject_filter": _subject(t)}
        ),
        "update_memory": calling(
            "update_memory", lambda t: {"memory_id": next(stored), "new_content": _content(t)}
        ),
        "get_memory_stats": calling("get_memory_stats", lambda _: {}),
    }
    for name, sample in interleaved(actions, ROUNDS, budget=BUDGET).items():
        p95 = milliseconds(sample.percentile(95))
        report.add(
            "a call",
            {
                "facts": count,
                "call": name,
                "runs": len(sample),
                "p50_ms": milliseconds(sample.median),
                "p95_ms": p95,
            },
        )
        if p95 > GOAL_MS and count >= FACTS:
            report.notes.append(f"goal missed: the p95 of {name} is {p95} ms")


def _ids(ask: Ask, fresh: Iterator[Text], count: int) -> Iterator[str]:
    """Of facts that may be changed, one after the other."""
    made = [str(_call(ask, "store_memory", _fact(next(fresh)))["id"]) for _ in range(count)]
    return iter(made)


def _call(ask: Ask, tool: str, arguments: dict[str, object]) -> dict[str, object]:
    reply = ask(tool, arguments)
    if reply.is_error:
        raise SystemExit(f"{tool}: {reply.text}")
    answer: dict[str, object] = json.loads(reply.text)
    return answer


def _fact(text: Text) -> dict[str, object]:
    return {"content": _content(text), "subject": _subject(text), "category": _category(text)}


def _content(text: Text) -> str:
    return f"{_subject(text)} likes {text.text}"


def _question(text: Text) -> str:
    words = text.text.split()
    return f"What does {_subject(text)} think about {' and '.join(words[-3:])}?"


def _subject(text: Text) -> str:
    return Random(text.number).choice(SUBJECTS)


def _category(text: Text) -> str:
    return CATEGORIES[text.number % len(CATEGORIES)]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=FACTS)
    return run("facts", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
