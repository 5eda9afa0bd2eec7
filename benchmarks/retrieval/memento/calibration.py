"""Does Memento's default threshold of 0.7 tell relevant from irrelevant?

python -m benchmarks.retrieval.memento.calibration [--embedder MODULE:FUNCTION]

Vectors are made by the product's own embedder, or by a function that takes texts and gives a vector
of length 1 for each. Pairs are in `pairs.jsonl`: the half `choose` is where the numbers of
`recollect.search.relevance` come from, the half `judge` is where they are judged. A known subject
is every subject of the pair's world.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from benchmarks import report
from benchmarks.report import Cell, Report
from recollect import settings as configuration
from recollect import wiring
from recollect.search.relevance import (
    MATTER_SEPARATES,
    SEPARATES,
    WHEN_COVERED,
    Signals,
    asked,
    matter_by_words,
    matter_text,
    relevance,
    signals,
)
from recollect.search.subjects import Subjects

PAIRS = Path(__file__).parent / "pairs.jsonl"
EXAMPLE = ("dietary restrictions for the family", "Emma is lactose intolerant")
WANTED = {"precision": 0.9, "recall": 0.8}
"""On `judge`, at the default threshold."""

Embed = Callable[[Sequence[str]], Iterable[Iterable[float]]]


@dataclass(frozen=True)
class Fact:
    content: str
    subject: str
    category: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    query: str
    fact: Fact
    is_relevant: bool
    kind: str
    form: str
    world: str
    half: str


@dataclass(frozen=True)
class Judged:
    """A pair, its scores by the scorer's name, and what the product's score is made of."""

    pair: Pair
    scores: dict[str, float]
    signals: Signals


OURS = "relevance"
# From the cosine of question and content as they are, the matter by words, and the signals.
SCORERS: dict[str, Callable[[float, float, Signals], float]] = {
    OURS: lambda _, __, found: relevance(found),
    "without person": lambda _, __, found: relevance(
        Signals(found.matter, found.is_covered, is_same_text=found.is_same_text)
    ),
    "without coverage": lambda _, __, found: relevance(
        Signals(
            found.matter, is_other_person=found.is_other_person, is_same_text=found.is_same_text
        )
    ),
    "words only": lambda _, words, found: relevance(replace(found, matter=words)),
    "0.6 + 0.4 cosine": lambda whole, _, __: 0.6 + 0.4 * whole,
    "(1 + cosine) / 2": lambda whole, _, __: (1 + whole) / 2,
    "cosine": lambda whole, _, __: whole,
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="calibration", description=__doc__)
    parser.add_argument(
        "--embedder", metavar="MODULE:FUNCTION", help="instead of the one in use on this machine"
    )
    return report.run("memento-calibration", measure, argv, parser)


def measure(report: Report, args: argparse.Namespace) -> None:
    if args.embedder is not None:
        module, _, function = str(args.embedder).partition(":")
        embed = cast("Embed", getattr(importlib.import_module(module), function))
    else:
        chosen = wiring.chosen(configuration.load(os.environ))
        report.notes.append(f"vectors by {chosen}")
        if chosen.embedder is None:
            report.failures.append("without a model there is nothing to calibrate")
            return
        embed = chosen.embedder.embed
    calibrate(report, pairs(), embed)


def pairs() -> list[Pair]:
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    return [_pair(json.loads(line)) for line in lines]


def calibrate(report: Report, judged_by_people: Sequence[Pair], embed: Embed) -> None:
    judged = _judge(judged_by_people, embed)
    halves = {
        half: [item for item in judged if item.pair.half == half] for half in ("choose", "judge")
    }
    for half, items in halves.items():
        kinds = Counter(item.pair.kind for item in items)
        report.add("pairs", {"half": half, "all": len(items), **dict(sorted(kinds.items()))})
    for name in SCORERS:
        for half, items in halves.items():
            row: dict[str, Cell] = {"score": name, "half": half, "above": SEPARATES}
            report.add("at the default threshold", {**row, **_quality(items, name, SEPARATES)})
    for threshold in [step / 20 for step in range(2, 20)]:
        at: dict[str, Cell] = {"threshold": threshold}
        report.add("curve on judge", {**at, **_quality(halves["judge"], OURS, threshold)})
    for cosine in [step / 200 for step in range(52, 77)]:
        step_row: dict[str, Cell] = {"cosine": cosine, "chosen": cosine == MATTER_SEPARATES}
        report.add("choosing, on choose", {**step_row, **_separated(halves["choose"], cosine)})
    for title, of in (
        ("kinds on judge", lambda pair: pair.kind),
        ("forms on judge", lambda pair: pair.form),
        ("categories on judge", lambda pair: pair.fact.category),
    ):
        _add_groups(report, title, halves["judge"], of)
    _add_verdict(report, judged, halves["judge"])


def _judge(judged_by_people: Sequence[Pair], embed: Embed) -> list[Judged]:
    names: dict[str, set[str]] = defaultdict(set)
    for pair in judged_by_people:
        names[pair.world].add(pair.fact.subject)
    known = {world: Subjects(sorted(found)) for world, found in names.items()}
    questions = [asked(pair.query, known[pair.world]) for pair in judged_by_people]
    matters = _cosines(
        embed,
        [question.matter for question in questions],
        [
            matter_text(pair.fact.content, pair.fact.subject, pair.fact.category, pair.fact.tags)
            for pair in judged_by_people
        ],
    )
    wholes = _cosines(
        embed,
        [pair.query for pair in judged_by_people],
        [pair.fact.content for pair in judged_by_people],
    )
    judged = []
    for pair, question, matter, whole in zip(
        judged_by_people, questions, matters, wholes, strict=True
    ):
        found = signals(
            question,
            matter,
            content=pair.fact.content,
            subject=pair.fact.subject,
            category=pair.fact.category,
            tags=pair.fact.tags,
            subjects=known[pair.world],
        )
        words = matter_by_words(question, pair.fact.content, pair.fact.category, pair.fact.tags)
        scores = {name: score(whole, words, found) for name, score in SCORERS.items()}
        judged.append(Judged(pair, scores, found))
    return judged


def _cosines(embed: Embed, left: Sequence[str], right: Sequence[str]) -> list[float]:
    return [
        float(sum(a * b for a, b in zip(one, other, strict=True)))
        for one, other in zip(embed(left), embed(right), strict=True)
    ]


def _quality(items: Sequence[Judged], score: str, threshold: float) -> dict[str, Cell]:
    return _shares(items, [item.scores[score] >= threshold for item in items])


def _separated(items: Sequence[Judged], cosine: float) -> dict[str, Cell]:
    """As if `MATTER_SEPARATES` were this."""
    return _shares(
        items,
        [
            not item.signals.is_other_person
            and (
                item.signals.matter >= cosine
                or (item.signals.is_covered and cosine <= WHEN_COVERED)
            )
            for item in items
        ],
    )


def _shares(items: Sequence[Judged], passed: Sequence[bool]) -> dict[str, Cell]:
    relevant = sum(item.pair.is_relevant for item in items)
    right = sum(item.pair.is_relevant and ok for item, ok in zip(items, passed, strict=True))
    shown = sum(passed)
    return {
        "precision": round(right / shown, 3) if shown else None,
        "recall": round(right / relevant, 3) if relevant else None,
    }


def _add_groups(
    report: Report, title: str, items: Sequence[Judged], of: Callable[[Pair], str]
) -> None:
    for group in sorted({of(item.pair) for item in items}):
        members = [item for item in items if of(item.pair) == group]
        passed = sum(item.scores[OURS] >= SEPARATES for item in members)
        row: dict[str, Cell] = {
            "group": group,
            "pairs": len(members),
            "relevant": sum(item.pair.is_relevant for item in members),
            "passed": passed,
        }
        report.add(title, {**row, **_quality(members, OURS, SEPARATES)})


def _add_verdict(report: Report, judged: Sequence[Judged], judge: Sequence[Judged]) -> None:
    example = next(item for item in judged if (item.pair.query, item.pair.fact.content) == EXAMPLE)
    if example.scores[OURS] < SEPARATES:
        report.failures.append("the published example is not found with the default threshold")
    report.notes.append(f"the published example has {example.scores[OURS]:.2f}")
    quality = _quality(judge, OURS, SEPARATES)
    for name, wanted in WANTED.items():
        if float(quality[name] or 0) < wanted:
            report.notes.append(f"the goal of {name} {wanted} was missed")


def _pair(row: dict[str, object]) -> Pair:
    fact = cast("dict[str, object]", row["fact"])
    return Pair(
        query=str(row["query"]),
        fact=Fact(
            content=str(fact["content"]),
            subject=str(fact["subject"]),
            category=str(fact["category"]),
            tags=tuple(cast("list[str]", fact["tags"])),
        ),
        is_relevant=row["relevant"] is True,
        kind=str(row["kind"]),
        form=str(row["form"]),
        world=str(row["world"]),
        half=str(row["half"]),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
