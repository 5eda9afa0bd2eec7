"""LoCoMo (Maharana et al., ACL 2024): long conversations of two people, an item for each turn.

Each conversation is a scope of its own. The caption of a shared picture is part of what was said,
as in other evaluations. Turns have no time of their own: they follow their session's by seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from benchmarks.retrieval import given
from benchmarks.retrieval.corpus import Corpus, Item, Question, UnreadableSet, checked, iso

CATEGORIES = {
    1: "1 multi-hop",
    2: "2 temporal",
    3: "3 open-domain",
    4: "4 single-hop",
    5: "5 adversarial",
}
ANSWERABLE = frozenset(CATEGORIES[number] for number in (1, 2, 3, 4))
_SESSION = re.compile(r"session_(\d+)$")
# "D8:6; D9:17" are two, "D:11:26" is D11:26, "D30:05" is D30:5; a "D" alone is none.
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


def is_one(document: object) -> bool:
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, dict) and {"conversation", "qa"} <= first.keys()


def corpus(document: object, name: str) -> Corpus:
    items: list[Item] = []
    questions: list[Question] = []
    asked = 0
    for place, each in enumerate(given.array(document, name), 1):
        sample = given.record(each, f"{name}, conversation {place}")
        scope = given.string(sample.get("sample_id", f"conversation-{place}"), name)
        turns = list(_turns(given.record(sample.get("conversation"), scope), scope))
        items += turns
        pairs = given.array(sample.get("qa"), scope)
        asked += len(pairs)
        questions += _questions(pairs, {turn.id: turn.session or "" for turn in turns}, scope)
    return checked(
        Corpus(
            name=name,
            items=items,
            questions=questions,
            groups={"categories 1-4": ANSWERABLE, "all five categories": None},
            notes=(f"{asked - len(questions)} of {asked} questions name no turn that exists",),
        )
    )


def _turns(conversation: dict[str, object], scope: str) -> Iterator[Item]:
    sessions = [match for match in map(_SESSION.match, conversation) if match]
    for match in sorted(sessions, key=lambda each: int(each[1])):
        session = match[0]
        began = _moment(given.string(conversation.get(f"{session}_date_time"), scope), scope)
        for place, each in enumerate(given.array(conversation[session], scope)):
            turn = given.record(each, f"{scope} {session}")
            text = given.string(turn.get("text"), f"{scope} {session}")
            caption = turn.get("blip_caption")
            yield Item(
                id=f"{scope}/{given.string(turn.get('dia_id'), f'{scope} {session}')}",
                text=f"{text} [shared: {caption}]" if caption else text,
                session=f"{scope}/{session}",
                speaker=given.string(turn.get("speaker"), f"{scope} {session}"),
                created_at=iso(began + timedelta(seconds=place)),
                project=scope,
            )


def _questions(pairs: list[object], session_of: dict[str, str], scope: str) -> Iterator[Question]:
    for place, each in enumerate(pairs, 1):
        where = f"{scope} question {place}"
        pair = given.record(each, where)
        evidence = " ".join(given.strings(pair.get("evidence"), where))
        named = {f"{scope}/D{one}:{two}" for one, two in _EVIDENCE.findall(evidence)}
        gold = frozenset(named & session_of.keys())
        number = pair.get("category")
        if not isinstance(number, int) or number not in CATEGORIES:
            raise UnreadableSet(f"{where}: there is no category {number!r}")
        if gold:
            yield Question(
                id=f"{scope}/q{place}",
                text=given.string(pair.get("question"), where),
                category=CATEGORIES[number],
                gold=gold,
                scope=scope,
                gold_sessions=frozenset(session_of[id_] for id_ in gold),
            )


def _moment(said: str, where: str) -> datetime:
    try:
        return datetime.strptime(said, "%I:%M %p on %d %B, %Y")
    except ValueError as wrong:
        raise UnreadableSet(f"{where}: {wrong}") from wrong
