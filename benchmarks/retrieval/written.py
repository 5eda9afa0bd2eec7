"""Our own sets as files: memories.jsonl in the import format, questions.jsonl beside it."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.retrieval import given
from benchmarks.retrieval.corpus import Corpus, Item, Question, checked, lines

MEMORIES, QUESTIONS = "memories.jsonl", "questions.jsonl"


def write(corpus: Corpus, folder: Path) -> None:
    """The same corpus is the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MEMORIES).write_text("".join(lines(corpus.items)), encoding="utf-8")
    asked = (
        {
            "id": each.id,
            "text": each.text,
            "category": each.category,
            "scope": each.scope,
            "gold": sorted(each.gold),
        }
        for each in corpus.questions
    )
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in asked)
    (folder / QUESTIONS).write_text(text, encoding="utf-8")


def is_one(folder: Path) -> bool:
    return (folder / MEMORIES).is_file()


def corpus(folder: Path, name: str) -> Corpus:
    items = [_item(row) for row in given.rows(folder / MEMORIES)]
    session_of = {item.id: item.session for item in items}
    questions = [_question(row, session_of) for row in given.rows(folder / QUESTIONS)]
    return checked(Corpus(name=name, items=items, questions=questions))


def _item(row: dict[str, object]) -> Item:
    return Item(
        id=given.string(row.get("id"), MEMORIES),
        text=given.string(row.get("text"), MEMORIES),
        session=_maybe(row, "session"),
        speaker=_maybe(row, "speaker"),
        created_at=_maybe(row, "created_at"),
        title=_maybe(row, "title"),
        project=_maybe(row, "project"),
        kind=_maybe(row, "kind"),
        tags=tuple(given.strings(row.get("tags", []), MEMORIES)),
        files=tuple(given.strings(row.get("files", []), MEMORIES)),
        concepts=tuple(given.strings(row.get("concepts", []), MEMORIES)),
    )


def _question(row: dict[str, object], session_of: dict[str, str | None]) -> Question:
    gold = frozenset(given.strings(row.get("gold"), QUESTIONS))
    sessions = (session_of.get(id_) for id_ in gold)
    return Question(
        id=given.string(row.get("id"), QUESTIONS),
        text=given.string(row.get("text"), QUESTIONS),
        category=given.string(row.get("category"), QUESTIONS),
        gold=gold,
        scope=None if row.get("scope") is None else given.string(row["scope"], QUESTIONS),
        gold_sessions=frozenset(session for session in sessions if session is not None),
    )


def _maybe(row: dict[str, object], name: str) -> str | None:
    return None if row.get(name) is None else given.string(row[name], MEMORIES)
