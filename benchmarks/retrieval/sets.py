"""Read a question set, whichever of the known formats it is in.

LoCoMo's and LongMemEval's JSON, folders as in BEIR, and folders as `coding` writes them.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.retrieval import beir, given, locomo, longmemeval, written
from benchmarks.retrieval.corpus import Corpus, UnreadableSet

EXPECTED = (
    "expected LoCoMo or LongMemEval (.json), a BEIR folder (corpus.jsonl, queries.jsonl, qrels/), "
    "or a folder of memories.jsonl and questions.jsonl"
)


def read(path: Path) -> Corpus:
    """The question set in this file or folder; `UnreadableSet` says what is wrong with it."""
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise UnreadableSet(f"there is no {path}; {EXPECTED}")
    if path.suffix != ".json":
        raise UnreadableSet(f"{path.name} is no question set; {EXPECTED}")
    document = given.document(path)
    if locomo.is_one(document):
        return locomo.corpus(document, path.stem)
    if longmemeval.is_one(document):
        return longmemeval.corpus(document, path.stem)
    raise UnreadableSet(f"{path.name} is no question set; {EXPECTED}")


def _folder(folder: Path) -> Corpus:
    name = folder.resolve().name
    if beir.is_one(folder):
        return beir.corpus(folder, name)
    if written.is_one(folder):
        return written.corpus(folder, name)
    inside = sorted(folder.glob("*.json"))
    if len(inside) == 1:
        return read(inside[0])
    raise UnreadableSet(f"{folder} holds {len(inside)} JSON files; {EXPECTED}")
