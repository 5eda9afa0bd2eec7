"""What any store must do with answers that are kept."""

from __future__ import annotations

from recollect.search import grammar
from recollect.store.port.ledger import Entry
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from store.drafts import draft, put


def entry(id_: str, *, at: int = 1_000, ids: tuple[int, ...] = (), **asked: object) -> Entry:
    question = {"text": "why", "project": None, "session_id": None, **asked}
    return Entry(id=id_, asked_at=at, question=question, answer={"hits": []}, ids=ids)


def keep(store: Store, *entries: Entry, most: int = 10) -> None:
    with store.transaction():
        for each in entries:
            store.ledger.keep(each, most=most)


def kept(store: Store) -> list[str]:
    return [each.id for each in store.ledger.newest(10)]


def test_an_answer_comes_back_as_it_was_kept(store: Store) -> None:
    given = entry("q_1", ids=(3, 4), text="was ist „das“?")

    keep(store, given)

    assert store.ledger.find("q_1") == given
    assert store.ledger.find("q_2") is None


def test_the_newest_stay_and_the_same_question_is_kept_once(store: Store) -> None:
    keep(store, entry("q_1", at=1), entry("q_2", at=2), entry("q_1", at=3), entry("q_3", at=4))
    assert kept(store) == ["q_3", "q_1", "q_2"]

    keep(store, entry("q_4", at=5), most=2)
    assert kept(store) == ["q_4", "q_3"]


def test_an_answer_goes_with_any_memory_that_it_tells_of(store: Store) -> None:
    one, two = put(store, draft("one"), draft("two"))
    keep(store, entry("q_1", ids=(one.id, two.id)), entry("q_2", ids=(two.id,)), entry("q_3"))

    with store.transaction():
        store.memories.purge(Filter(id=one.id))

    assert sorted(kept(store)) == ["q_2", "q_3"]


FORGOTTEN = [
    (Filter(project="alpha"), ["q_alpha"], "of a project"),
    (Filter(session_id="s1"), ["q_session"], "of a session"),
    (Filter(before=1_000), ["q_old"], "asked before a time"),
    (Filter(words=grammar.parse("passphrase")), ["q_words"], "with the words that must go"),
    (Filter(type="command"), [], "a type says nothing about questions"),
    (Filter(id=1), [], "neither does an id"),
]


def test_questions_are_forgotten_with_what_a_purge_means(store: Store) -> None:
    for wanted, gone, because in FORGOTTEN:
        keep(
            store,
            entry("q_alpha", project="alpha"),
            entry("q_session", session_id="s1"),
            entry("q_old", at=999),
            entry("q_words", text="where is the Passphrase?"),
        )
        before = set(kept(store))

        with store.transaction():
            store.ledger.forget_asked(wanted)

        assert before - set(kept(store)) == set(gone), because


def test_an_answer_changes_nothing_that_answers_depend_on(store: Store) -> None:
    """Else the ledger itself would give the next question another id."""
    put(store, draft("one"))
    before = store.ledger.state()

    keep(store, entry("q_1"))
    assert store.ledger.state() == before

    put(store, draft("two"))
    assert store.ledger.state() != before
