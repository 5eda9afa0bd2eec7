"""Is the right memory found? One question set, every way to search it, one row for each group.

python -m benchmarks.retrieval.run [FILE or FOLDER] [--only PART …] [--without PART …]

Without a file it measures the coding set, which is made here. Parts are projects: LoCoMo's are its
conversations. What was measured on parts is written apart, as it is no figure of the set.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from benchmarks.report import Cell, Report, run
from benchmarks.retrieval import sets
from benchmarks.retrieval.coding import make
from benchmarks.retrieval.corpus import Corpus, Question, UnreadableSet, lines
from benchmarks.retrieval.measure import DEPTH, Figures, by_group, figures, sessions_of
from benchmarks.retrieval.searches import SEARCHES, Search
from benchmarks.sampling import Sample, milliseconds

NAMES = {"locomo10": "locomo"}


@dataclass(frozen=True)
class Asked:
    """A question, what was found, and how long it took."""

    question: Question
    ranked: Sequence[str]
    seconds: float


def measure(report: Report, args: argparse.Namespace) -> None:
    corpus = sets.read(args.data) if args.data else make.corpus()
    part = corpus.narrowed(only=args.only, without=args.without)
    report.name = f"retrieval-{NAMES.get(corpus.name, corpus.name)}" + (
        "-part" if part is not corpus else ""
    )
    report.add("set", _described(part, args))
    for name in args.ways:
        with SEARCHES[name]() as search:
            indexed = search.index(part.items)
            _add(report, name, part, _asked(search, part), indexed)
    report.notes += part.notes
    report.notes.append(
        f"means over questions; {DEPTH} items asked for; a session is at the place of its best item"
    )


def _asked(search: Search, corpus: Corpus) -> list[Asked]:
    answered = []
    for question in corpus.questions:
        began = time.perf_counter()
        ranked = search.ask(question.text, question.scope, DEPTH)
        answered.append(Asked(question, ranked, time.perf_counter() - began))
    return answered


def _add(
    report: Report, name: str, corpus: Corpus, answered: Sequence[Asked], indexed: float
) -> None:
    items = [(each.question, figures(each.ranked, each.question.gold)) for each in answered]
    _add_groups(report, "items found", name, corpus, items)
    session_of = {item.id: item.session for item in corpus.items if item.session is not None}
    sessions = [
        (
            each.question,
            figures(sessions_of(each.ranked, session_of), each.question.gold_sessions),
        )
        for each in answered
        if each.question.gold_sessions
    ]
    if sessions:
        _add_groups(report, "sessions found", name, corpus, sessions)
    taken = Sample([each.seconds for each in answered])
    report.add(
        "cost",
        {
            "search": name,
            "items_per_s": round(len(corpus.items) / indexed),
            "p50_ms": milliseconds(taken.median),
            "p95_ms": milliseconds(taken.percentile(95)),
        },
    )


def _add_groups(
    report: Report,
    title: str,
    name: str,
    corpus: Corpus,
    measured: Sequence[tuple[Question, Figures]],
) -> None:
    for group, (count, means) in by_group(corpus, measured).items():
        row: dict[str, Cell] = {"search": name, "questions of": group, "questions": count}
        row |= {column: round(share, 4) for column, share in asdict(means).items()}
        report.add(title, row)


def _described(corpus: Corpus, args: argparse.Namespace) -> dict[str, Cell]:
    return {
        "set": corpus.name,
        "items": len(corpus.items),
        "questions": len(corpus.questions),
        "scopes": len(corpus.scopes),
        "sessions": len({item.session for item in corpus.items if item.session}),
        "sha256": _digest(corpus),
        "only": " ".join(args.only) or None,
        "without": " ".join(args.without) or None,
    }


def _digest(corpus: Corpus) -> str:
    """The start of it: figures are comparable when the set was the same."""
    digest = sha256("".join(lines(corpus.items)).encode())
    for question in corpus.questions:
        asked = (question.id, question.text, question.scope, sorted(question.gold))
        digest.update(repr(asked).encode())
    return digest.hexdigest()[:12]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, metavar="FILE or FOLDER")
    parser.add_argument("--only", nargs="+", default=[], metavar="PART")
    parser.add_argument("--without", nargs="+", default=[], metavar="PART")
    parser.add_argument(
        "--ways", nargs="+", default=list(SEARCHES), choices=list(SEARCHES), metavar="NAME"
    )
    try:
        return run("retrieval", measure, argv, parser)
    except UnreadableSet as wrong:
        print(wrong, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
