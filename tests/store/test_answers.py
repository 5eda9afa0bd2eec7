"""Answers that were given, told again: what was true then, whatever has happened since."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from embedders import BagOfWords
from promises import last, promise
from recollect.model.answer import Answer
from recollect.model.errors import AnswerNotFound
from recollect.model.memory import Kind
from recollect.model.question import Found, Question
from recollect.search.profile import CODEMEM, DEFAULT, RankingProfile
from recollect.service import ledger
from recollect.service.find import Finder
from recollect.service.lexicon import StoredLexicon
from recollect.service.meanings import Meanings
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from store.conftest import NOW
from store.drafts import draft, put
from store.test_nearness import embed_all


def asked(text: str, **where: Any) -> Question:
    return Question(text=text, **{"project": None, **where})


def answered(
    store: Store,
    question: Question,
    profile: RankingProfile = DEFAULT,
    *,
    most: int = 10,
    now: int = NOW,
    embedder: BagOfWords | None = None,
) -> Answer:
    """Asked, given and kept, as a house does it."""
    given: list[Answer] = []

    def keep(question: Question, profile: RankingProfile, found: Found) -> None:
        given.append(ledger.answer_of(question, profile, found))
        ledger.keep(store, given[-1], most=most)

    meanings = Meanings(store, [embedder] if embedder else [])
    lexicon = StoredLexicon(store)
    Finder(store, lexicon, lambda: now, meaning=meanings.of, keep=keep).find(question, profile)
    return given[0]


QUESTIONS = [
    # question                                                     because
    (asked("apple"), "a plain one"),
    (asked("nothing of this"), "one without an answer"),
    (asked("apple", project="alpha", session_id="s1", limit=1), "with filters"),
    (asked("apple", kinds=frozenset({Kind.NOTE, Kind.OBSERVATION})), "with kinds"),
    (asked("apple", types=frozenset({"command", "x"})), "with types"),
    (asked("apple", since=1, until=9_999_999_999_999, ids=(1, 2)), "with times and ids"),
    (asked("数据库 „apple“ \N{PILE OF POO}"), "in any script"),
    (asked("apple \ud800 \0"), "with halves of characters"),
    (asked(""), "of nothing"),
]


@promise("search:ledger:again")
@pytest.mark.parametrize("profile", [DEFAULT, CODEMEM], ids=lambda profile: profile.name)
@pytest.mark.parametrize(("question", "because"), QUESTIONS, ids=last)
def test_an_answer_is_told_again_to_the_digit(
    store: Store, question: Question, profile: RankingProfile, because: str
) -> None:
    put(store, draft("apple pie", title="Pies", created_at=5), draft("数据库 apple tart"))
    embedder = BagOfWords()
    embed_all(store, embedder)

    given = answered(store, question, profile, embedder=embedder)

    assert ledger.read(store, given.id) == given
    assert ledger.newest(store, 5) == [given]


@promise("search:ledger:again")
def test_it_tells_what_was_true_then(store: Store) -> None:
    put(store, draft("apple pie"), draft("apple tart"))
    given = answered(store, asked("apple"))
    with store.transaction():
        store.memories.reword(1, draft("a bicycle"), at=NOW)
        store.memories.retire(2, at=NOW)
    put(store, draft("apple apple apple"))

    assert ledger.read(store, given.id) == given
    again = answered(store, asked("apple"))
    assert again.id != given.id
    assert [hit.gist for hit in again.hits][:1] == ["apple apple apple"]


@promise("search:ledger:purge")
def test_it_goes_with_any_memory_that_was_purged(store: Store) -> None:
    put(store, draft("apple pie"), draft("apple tart"), draft("bicycle", session_id=None))
    both, other = answered(store, asked("apple")), answered(store, asked("bicycle"))

    with store.transaction():
        store.memories.purge(Filter(id=1))

    with pytest.raises(AnswerNotFound, match=f"there is no answer {both.id}"):
        ledger.read(store, both.id)
    assert ledger.read(store, other.id) == other


@promise("search:ledger:bounded")
def test_only_the_newest_stay(store: Store) -> None:
    put(store, draft("apple"))
    given = [answered(store, asked(f"apple {n}"), most=3, now=NOW + n) for n in range(6)]

    assert ledger.newest(store, 10) == given[:2:-1]
    with pytest.raises(AnswerNotFound):
        ledger.read(store, given[2].id)


def test_the_same_question_takes_one_place(store: Store) -> None:
    put(store, draft("apple"))
    first, second = (answered(store, asked("apple"), now=NOW + n) for n in (0, 1))

    assert first.id == second.id
    assert ledger.newest(store, 10) == [second]


def test_a_long_question_and_long_memories_take_little_room(store: Store) -> None:
    put(store, draft("apple " * 200_000, title="t" * 200_000))
    given = answered(store, asked("apple " * 200_000))

    assert len(given.question.text) == ledger.LONGEST_QUESTION
    assert [(len(hit.gist), len(hit.title or "")) for hit in given.hits] == [(ledger.GIST,) * 2]
    assert ledger.read(store, given.id) == given


def test_an_answer_is_given_while_somebody_else_writes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = str(tmp_path / "r.db")
    store, hurried = (
        SqliteStore(path, key=None, clock=lambda: NOW, patience_ms=patience)
        for patience in (5_000, 10)
    )
    put(store, draft("apple"))
    with store.transaction():
        given = answered(hurried, asked("apple"))

    assert [hit.id for hit in given.hits] == [1]
    assert f"answer {given.id} is not in the ledger" in caplog.text
    assert ledger.newest(store, 10) == []
    hurried.close()
    store.close()


def test_many_threads_ask_the_same(store: Store) -> None:
    put(store, draft("apple"))
    given: list[Answer] = []
    threads = [
        threading.Thread(target=lambda: given.append(answered(store, asked("apple"))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert len({each.id for each in given}) == 1
    assert len(given) == 8
    assert ledger.newest(store, 10) == given[:1]
