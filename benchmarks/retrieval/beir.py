"""A folder as in BEIR (Thakur et al., 2021): corpus.jsonl, queries.jsonl, qrels/*.tsv.

One scope for all of it. A test split is measured alone when there is one; grades above 0 are gold.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from benchmarks.retrieval import given
from benchmarks.retrieval.corpus import Corpus, Item, Question, UnreadableSet, checked

HEADER = "query-id\tcorpus-id\tscore"


def is_one(folder: Path) -> bool:
    return (folder / "corpus.jsonl").is_file()


def corpus(folder: Path, name: str) -> Corpus:
    items = [
        Item(
            id=given.string(row.get("_id"), "corpus.jsonl"),
            text=given.string(row.get("text"), "corpus.jsonl"),
            title=given.string(row.get("title", ""), "corpus.jsonl") or None,
            project=name,
        )
        for row in given.rows(folder / "corpus.jsonl")
    ]
    gold = _gold(folder / "qrels")
    known = {item.id for item in items}
    questions = []
    for row in given.rows(folder / "queries.jsonl"):
        id_ = given.string(row.get("_id"), "queries.jsonl")
        if gold[id_] & known:
            questions.append(
                Question(
                    id=id_,
                    text=given.string(row.get("text"), "queries.jsonl"),
                    category="all",
                    gold=frozenset(gold[id_] & known),
                    scope=name,
                )
            )
    return checked(Corpus(name=name, items=items, questions=questions))


def _gold(folder: Path) -> defaultdict[str, set[str]]:
    splits = sorted(folder.glob("*.tsv"))
    if not splits:
        raise UnreadableSet(f"{folder.name}/ has no .tsv: nobody says which answers are right")
    gold: defaultdict[str, set[str]] = defaultdict(set)
    for split in [path for path in splits if path.stem == "test"] or splits:
        for number, line in enumerate(split.read_text(encoding="utf-8").splitlines(), 1):
            if line and line != HEADER:
                fields = line.split("\t")
                if len(fields) != 3 or not fields[2].lstrip("-").isdigit():
                    raise UnreadableSet(f"{split.name} line {number}: {HEADER!r} is expected")
                if int(fields[2]) > 0:
                    gold[fields[0]].add(fields[1])
    return gold
