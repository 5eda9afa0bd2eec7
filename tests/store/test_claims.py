"""The roll of claims follows its store, and so does what finds facts by it."""

from __future__ import annotations

import threading

import pytest

from embedders import BagOfWords
from recollect.model.errors import EmbedderUnavailable
from recollect.model.fact import Claim, content_key
from recollect.model.memory import Kind
from recollect.search.meaning import MATTER
from recollect.service import claims, facts, relevant
from recollect.service.claims import Roll, StoredClaims
from recollect.service.lexicon import StoredLexicon
from recollect.service.meanings import Meaning, Meanings
from recollect.service.relevant import FactFinder, Wanted
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from store.drafts import draft, put
from store.test_nearness import forget_changes


def keep(store: Store, content: str, subject: str, category: str = "fact") -> int:
    ids = iter(range(1, 100))
    stored = facts.store_fact(
        store,
        content,
        Claim(subject=subject, category=category),
        tags=(),
        project="alpha",
        at=2_000,
        new_id=lambda: f"mem_{content_key(content)[:10]}{next(ids):02}",
    )
    return stored.fact.memory.id


def live(roll: Roll) -> list[int]:
    ids: list[int] = roll.ids[roll.is_live].tolist()
    return ids


def about(roll: Roll, *keys: str) -> list[int]:
    ids: list[int] = roll.ids[roll.is_live & roll.about(keys)].tolist()
    return ids


def test_it_follows_what_is_stored_retired_and_removed(store: Store) -> None:
    known = StoredClaims(store)
    assert live(known.now()) == []
    emma, jake = keep(store, "sings", "Emma"), keep(store, "hums", "Jake", "skill")
    put(store, draft("no claim at all"))
    roll = known.now()
    assert (live(roll), about(roll, "emma"), about(roll, "jake", "x")) == (
        [emma, jake],
        [emma],
        [jake],
    )
    assert roll.ids[roll.of_category("skill")].tolist() == [jake]

    with store.transaction():
        store.memories.retire(emma, at=3_000)
    assert live(known.now()) == [jake]
    late = keep(store, "reads", "Emma")
    with store.transaction():
        store.memories.purge(Filter(id=jake))
    assert live(known.now()) == live(StoredClaims(store).now()) == [late]
    assert live(roll) == [emma, jake], "who holds a roll keeps it"


def test_who_has_missed_some_changes_starts_anew(store: Store) -> None:
    known = StoredClaims(store)
    first = keep(store, "sings", "Emma")
    assert live(known.now()) == [first]
    second, third = keep(store, "hums", "Emma"), keep(store, "reads", "Emma")
    forget_changes(store, keep=1)

    assert live(known.now()) == [first, second, third]


def test_the_dead_are_left_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "FEW", 2)
    known = StoredClaims(store)
    ids = [keep(store, f"fact {number}", "Emma") for number in range(12)]
    assert len(known.now().ids) == 12
    with store.transaction():
        for id_ in ids[:4]:
            store.memories.retire(id_, at=3_000)

    roll = known.now()

    assert (live(roll), len(roll.ids)) == (ids[4:], 8)


def test_groups_are_anybody(store: Store) -> None:
    family = keep(store, "eats at six", "The Family")
    emma, jake = keep(store, "sings", "Emma"), keep(store, "hums", "Jake")
    roll = StoredClaims(store).now()

    assert about(roll, "emma") == [emma]
    found = roll.ids[roll.about(["emma"], or_anybody=True)].tolist()
    assert found == [family, emma]
    assert jake not in found


def test_a_subject_keeps_its_first_form_at_every_door(store: Store) -> None:
    keep(store, "sings", "Emma")
    (memory,) = put(store, draft("eats", kind=Kind.FACT, type="fact"))
    with store.transaction():
        claim = Claim(subject="EMMA", category="goal")
        store.facts.add(memory.id, claim, public_id="mem_imported0000", content_key=None)

    assert store.facts.of([memory.id])[memory.id].claim.subject == "Emma"
    assert store.facts.counted(subject_key=None).by_subject == {"Emma": 2}


def finder(store: Store, embedder: BagOfWords | None) -> FactFinder:
    meanings = Meanings(store, [] if embedder is None else [embedder])
    return FactFinder(store, StoredLexicon(store), lambda: meanings.of(MATTER))


def found(finder: FactFinder, text: str, **more: object) -> list[str]:
    wanted = Wanted(text=text, **more)  # type: ignore[arg-type]
    return [each.memory.text for each in finder.find(wanted)]


def test_a_model_that_fails_leaves_words(store: Store) -> None:
    broken = False

    def fail(_: object) -> None:
        if broken:
            raise EmbedderUnavailable

    embedder = BagOfWords(before=fail)
    asked = finder(store, embedder)
    one = keep(store, "plays the cello", "Emma")
    assert asked.embed([one])
    broken = True
    two = keep(store, "plays the violin", "Emma")

    assert not asked.embed([two])
    assert asked.similar(two, "Emma") == []
    assert set(found(asked, "who plays what", threshold=0.5)) == {
        "plays the cello",
        "plays the violin",
    }


def test_what_has_no_vector_yet_is_no_less_about_somebody(store: Store) -> None:
    asked = finder(store, BagOfWords())
    assert asked.embed([keep(store, "sings", "Emma")])
    keep(store, "hums", "Emma")
    keep(store, "reads", "Jake")

    assert set(found(asked, "tell me about Emma")) == {"sings", "hums"}
    assert len(found(asked, "Emma", threshold=0)) == 3


def test_nobody_waits_for_a_model_that_hangs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevant, "MOMENT", 0.05)
    go_on, is_over = threading.Event(), threading.Event()

    def hang(_: object) -> None:
        go_on.wait(30)
        is_over.set()

    asked = finder(store, BagOfWords(before=hang))
    id_ = keep(store, "plays the cello", "Emma")

    assert not asked.embed([id_])
    go_on.set()
    assert is_over.wait(30)


def test_a_model_change_in_the_middle_of_a_search_is_survived(store: Store) -> None:
    """The pair of embedder and vectors is taken once."""
    former, current = BagOfWords("former", 16), BagOfWords("current", 32)
    pairs = [Meanings(store, [each]).of(MATTER) for each in (former, current)]
    for each in (former, current):
        finder(store, each).embed([keep(store, f"plays {each.name}", "Emma")])
    turn = 0

    def meaning() -> Meaning | None:
        nonlocal turn
        turn += 1
        return pairs[turn % 2]

    asked = FactFinder(store, StoredLexicon(store), meaning)

    for _ in range(4):
        assert set(found(asked, "plays", threshold=0.5)) == {"plays former", "plays current"}
