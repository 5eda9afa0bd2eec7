"""LongMemEval (Wu et al., ICLR 2025): questions about chats with an assistant.

Every question has a haystack of sessions of its own, which is its scope; an item is a turn. Where
no turn is marked, those of the answer's sessions count. Questions without an answer are left out.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from benchmarks.retrieval import given
from benchmarks.retrieval.corpus import Corpus, Item, Question, UnreadableSet, checked, iso

NEEDED = {"question_id", "question", "question_type", "haystack_sessions", "haystack_session_ids"}


def is_one(document: object) -> bool:
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, dict) and "haystack_sessions" in first


def corpus(document: object, name: str) -> Corpus:
    items: list[Item] = []
    questions: list[Question] = []
    left_out = 0
    for place, each in enumerate(given.array(document, name), 1):
        entry = given.record(each, f"{name}, question {place}")
        missing = NEEDED - entry.keys()
        if missing:
            raise UnreadableSet(f"{name}, question {place} has no {min(missing)}")
        question, haystack = _entry(entry, f"{name}, question {place}")
        if question is None:
            left_out += 1
        else:
            questions.append(question)
            items += haystack
    note = f"{left_out} questions have no answer in their haystack and are left out"
    return checked(Corpus(name=name, items=items, questions=questions, notes=(note,)))


def _entry(entry: dict[str, object], where: str) -> tuple[Question | None, list[Item]]:
    scope = given.string(entry["question_id"], where)
    answers = set(given.strings(entry.get("answer_session_ids", []), where))
    haystack: list[Item] = []
    marked: set[str] = set()
    in_answers: set[str] = set()
    gold_sessions: set[str] = set()
    for session, name, began in _sessions(entry, where):
        for place, each in enumerate(session):
            turn = given.record(each, where)
            item = Item(
                # A session may stand twice in a haystack, so its place is part of the id.
                id=f"{scope}/{name}/{place}",
                text=given.string(turn.get("content"), where),
                session=f"{scope}/{name}",
                speaker=given.string(turn.get("role"), where),
                created_at=None if began is None else iso(began + timedelta(seconds=place)),
                project=scope,
            )
            haystack.append(item)
            if turn.get("has_answer"):
                marked.add(item.id)
            if name.partition("/")[2] in answers:
                in_answers.add(item.id)
                gold_sessions.add(f"{scope}/{name}")
    gold = marked or in_answers
    if not gold or scope.endswith("_abs"):
        return None, []
    question = Question(
        id=scope,
        text=given.string(entry["question"], where),
        category=given.string(entry["question_type"], where),
        gold=frozenset(gold),
        scope=scope,
        gold_sessions=frozenset(gold_sessions),
    )
    return question, haystack


def _sessions(
    entry: dict[str, object], where: str
) -> list[tuple[list[object], str, datetime | None]]:
    sessions = given.array(entry["haystack_sessions"], where)
    names = given.strings(entry["haystack_session_ids"], where)
    dates = given.strings(entry.get("haystack_dates", [""] * len(sessions)), where)
    if not len(sessions) == len(names) == len(dates):
        raise UnreadableSet(f"{where}: sessions, their ids and their dates are not as many")
    return [
        (given.array(session, where), f"{place}/{name}", _moment(date, where))
        for place, (session, name, date) in enumerate(zip(sessions, names, dates, strict=True))
    ]


def _moment(said: str, where: str) -> datetime | None:
    if not said:
        return None
    try:
        return datetime.strptime(said, "%Y/%m/%d (%a) %H:%M")
    except ValueError as wrong:
        raise UnreadableSet(f"{where}: {wrong}") from wrong
