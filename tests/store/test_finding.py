"""Finding by words and by meaning: what is found, why, and what cannot get in its way."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from embedders import BagOfWords
from promises import last, promise
from recollect.embed.port import Embedder
from recollect.model.clock import DAY
from recollect.model.memory import Draft, Kind
from recollect.model.question import Found, Question
from recollect.search.lexical import WordScores
from recollect.search.profile import BY_VECTORS, CODEMEM, DEFAULT, RankingProfile
from recollect.service.embedding import embed_some
from recollect.service.find import MOST_DROPPED, Finder
from recollect.service.lexicon import StoredLexicon
from recollect.service.meanings import Meanings
from recollect.service.sources import Booleans, Floats, Integers
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from searching import PlainLexicon, PlainNearness
from store.conftest import NOW
from store.drafts import draft, put
from store.test_nearness import embed_all

WORDS = ["apple", "pear", "plum", "fig", "running", "HTTPServer", "数据库", "parse_config", "May"]


def finder(store: Store, *embedders: Embedder, now: int = NOW) -> Finder:
    return Finder(store, StoredLexicon(store), lambda: now, meaning=Meanings(store, embedders).of)


def asked(text: str, **where: Any) -> Question:
    return Question(text=text, **{"project": None, **where})


def ids(found: Found) -> list[int]:
    return [hit.memory.id for hit in found.hits]


# -- against brute force


@dataclass
class PlainMeaning:
    embedder: Embedder
    nearness: PlainNearness


def doubled(store: Store, embedder: Embedder | None) -> Finder:
    meaning = None if embedder is None else PlainMeaning(embedder, PlainNearness(store, embedder))
    return Finder(store, PlainLexicon(store), lambda: NOW, meaning=lambda: meaning)


MEMORIES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
        st.sampled_from(["s1", "s2", None]),
        st.sampled_from(["Ada", "Bob", None]),
        st.sampled_from(["alpha", "beta"]),
        st.sampled_from([Kind.OBSERVATION, Kind.NOTE, Kind.THOUGHT, Kind.LIFECYCLE]),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=15,
)
ASKED = st.lists(st.sampled_from([*WORDS, "when", "Ada", "zebra"]), min_size=1, max_size=4)


@pytest.mark.parametrize("profile", [DEFAULT, CODEMEM], ids=lambda profile: profile.name)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=MEMORIES,
    words=ASKED,
    by_meaning=st.booleans(),
    project=st.sampled_from([None, "alpha"]),
    retired=st.sets(st.integers(1, 15), max_size=3),
)
def test_it_finds_what_brute_force_finds(
    profile: RankingProfile,
    rows: list[tuple[str, str | None, str | None, str, Kind, int]],
    words: list[str],
    by_meaning: bool,
    project: str | None,
    retired: set[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("brute") / "r.db"
    store = SqliteStore(str(path), key=None, clock=lambda: NOW)
    put(store, *(drafted(*row) for row in rows))
    with store.transaction():
        for id_ in retired:
            store.memories.retire(id_, at=NOW)
    embedder = BagOfWords() if by_meaning else None
    if embedder is not None:
        embed_all(store, embedder)
    question = asked(" ".join(words), project=project, limit=5)

    ours = finder(store, *([embedder] if embedder else [])).find(question, profile)
    theirs = doubled(store, embedder).find(question, profile)

    assert told(ours).keys() == told(theirs).keys()
    for id_, (total, components) in told(ours).items():
        assert total == pytest.approx(told(theirs)[id_][0], abs=2e-4)
        assert components == pytest.approx(told(theirs)[id_][1], abs=2e-4, nan_ok=True)
    for one, other in itertools.pairwise(hit.total for hit in ours.hits):
        assert one >= other
    store.close()


def drafted(
    text: str, session: str | None, speaker: str | None, project: str, kind: Kind, days: int
) -> Draft:
    return draft(
        text,
        session_id=session,
        speaker=speaker,
        project=project,
        kind=kind,
        created_at=NOW - days * DAY,
    )


def told(found: Found) -> dict[int, tuple[float, dict[str, float]]]:
    """Hits and what was dropped: near ties may fall to either side of the limit."""
    every = [(hit.memory.id, hit.total, hit.components) for hit in found.hits]
    every += [(each.id, each.total, each.components) for each in found.dropped]
    return {
        id_: (total, {name: math.nan if v is None else v for name, v in components.items()})
        for id_, total, components in every
    }


# -- a world to ask in

EMBEDDER = BagOfWords()
PIE, TART, JUICE, NOTE, SUMMARY, THOUGHT, BEGUN, RETIRED, EMMAS, BICYCLE = range(1, 11)
WORLD = [
    draft("apple pie recipe", created_at=1_000),
    draft("apple tart", session_id="s2", type="file_edit", created_at=2_000),
    draft("apple juice", project="beta", session_id="s3", created_at=3_000),
    draft("an apple a day", kind=Kind.NOTE, type="marker", session_id=None, created_at=4_000),
    draft("apple and pear", kind=Kind.SUMMARY, type="session_summary", created_at=5_000),
    draft("think of an apple", kind=Kind.THOUGHT, type="agent_thinking", created_at=6_000),
    draft("apple began", kind=Kind.LIFECYCLE, type="session_start", created_at=7_000),
    draft("apple that is retired", created_at=8_000),
    draft("apple of Emma", speaker="Emma", project="beta", session_id="s3", created_at=9_000),
    draft("bicycle repair", session_id="s4", created_at=9_500),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = str(tmp_path_factory.mktemp("world") / "r.db")
    store = SqliteStore(path, key=None, clock=lambda: NOW)
    put(store, *WORLD)
    with store.transaction():
        store.memories.retire(RETIRED, at=NOW)
    embed_all(store, EMBEDDER)
    yield store
    store.close()


@pytest.fixture(scope="module")
def ask(world: Store) -> Callable[..., Found]:
    one = finder(world, EMBEDDER)
    return lambda text, **where: one.find(asked(text, **where), DEFAULT)


ALL = {PIE, TART, JUICE, NOTE, SUMMARY, EMMAS}
FILTERS: list[tuple[dict[str, Any], set[int], str]] = [
    ({}, ALL, "without a filter everything live competes"),
    ({"project": "beta"}, {JUICE, EMMAS}, "one project"),
    ({"project": "/code/beta/"}, {JUICE, EMMAS}, "a path stands for its last part"),
    ({"project": "gamma"}, set(), "a project that nobody knows"),
    ({"session_id": "s2"}, {TART}, "one session"),
    ({"session_id": "s9"}, set(), "a session that nobody knows"),
    ({"kinds": frozenset({Kind.NOTE, Kind.SUMMARY})}, {NOTE, SUMMARY}, "some kinds"),
    ({"kinds": frozenset({Kind.THOUGHT, Kind.LIFECYCLE})}, set(), "what is never found"),
    ({"kinds": frozenset[Kind]()}, set(), "no kind at all"),
    ({"types": frozenset({"file_edit", "marker"})}, {TART, NOTE}, "some types"),
    ({"types": frozenset({"dream"})}, set(), "a type that nobody knows"),
    ({"types": frozenset[str]()}, set(), "no type at all"),
    ({"since": 4_000}, {NOTE, SUMMARY, EMMAS}, "from a time on, that time included"),
    ({"until": 4_000}, {PIE, TART, JUICE, NOTE}, "up to a time, that time included"),
    ({"since": 4_001, "until": 8_999}, {SUMMARY}, "between two"),
    ({"since": 9_001}, set(), "after all of them"),
    ({"since": 2**70}, set(), "after the end of numbers"),
    ({"until": -(2**70)}, set(), "before their beginning"),
    ({"ids": (PIE, JUICE, RETIRED, 99)}, {PIE, JUICE}, "only these, of those that are there"),
    ({"ids": (99,)}, set(), "none of these is there"),
    ({"ids": (PIE, 2**70, -(2**70))}, {PIE}, "an id that no row can have is nobody's"),
    ({"ids": ()}, ALL, "no ids are no filter"),
    ({"project": "beta", "since": 4_000, "session_id": "s3"}, {EMMAS}, "all conditions together"),
]


@promise("search:find:filters")
@pytest.mark.parametrize(("where", "expected", "because"), FILTERS, ids=last)
def test_an_answer_is_looked_for_where_it_was_asked_for(
    ask: Callable[..., Found], where: dict[str, Any], expected: set[int], because: str
) -> None:
    assert {id_ for id_ in ids(ask("apple", **where)) if id_ != BICYCLE} == expected


def test_what_no_word_finds_is_found_by_meaning(store: Store) -> None:
    put(store, draft("apple pie", session_id=None), draft("bicycle repair", session_id=None))
    synonyms = Synonyms()
    embed_all(store, synonyms)

    by_words = finder(store).find(asked("velocipede"), DEFAULT)
    by_both = finder(store, synonyms).find(asked("velocipede"), DEFAULT)

    assert ids(by_words) == []
    hit = by_both.hits[0]
    assert hit.memory.text == "bicycle repair"
    assert hit.components["words"] == 0
    assert hit.components["meaning"] is not None
    assert hit.components["meaning"] > 0
    assert hit.terms == ()


class Synonyms(BagOfWords):
    def __init__(self) -> None:
        super().__init__("synonyms", 128)

    def embed(self, texts: Sequence[str]) -> Floats:
        return super().embed([text.replace("velocipede", "bicycle repair") for text in texts])


def test_what_is_far_and_has_no_word_is_not_found(world: Store) -> None:
    one = finder(world, EMBEDDER)
    for least, count in ((1.0, 0), (-1.0, len(ALL) + 1)):
        profile = replace(DEFAULT, least_cosine=least)
        assert len(one.find(asked("zebra crossing"), profile).hits) == count


def test_the_speaker_who_is_named_comes_first(ask: Callable[..., Found]) -> None:
    found = ask("which apple did Emma like?")

    assert ids(found)[0] == EMMAS
    said = {hit.memory.id: hit.components["speaker"] for hit in found.hits}
    assert [id_ for id_, adds in said.items() if adds] == [EMMAS]


EMPTY = ["", "   ", "?!", "\ud800", "\0", "👍"]


@pytest.mark.parametrize("text", EMPTY, ids=repr)
def test_a_question_without_words_is_answered(ask: Callable[..., Found], text: str) -> None:
    found = ask(text)

    assert found.terms == ()
    assert found.problem is None
    for hit in found.hits:
        assert hit.components["words"] == 0


def test_a_question_of_a_million_letters_is_answered(ask: Callable[..., Found]) -> None:
    assert set(ids(ask("apple " * 170_000))) >= {PIE, TART}


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (3, 3), (100, len(ALL)), (0, 0), (-1, 0)])
def test_no_more_is_found_than_was_asked_for(
    ask: Callable[..., Found], limit: int, count: int
) -> None:
    found = ask("apple", limit=limit)

    assert len([hit for hit in found.hits if hit.memory.id != BICYCLE]) == count
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))


# -- order, and what is dropped


def test_of_equal_memories_the_newest_comes_first_then_the_higher_id(store: Store) -> None:
    put(
        store,
        draft("the same words", session_id=None, created_at=1_000),
        draft("the same words", session_id=None, created_at=3_000),
        draft("the same words", session_id=None, created_at=2_000),
        draft("the same words", session_id=None, created_at=2_000),
    )
    found = finder(store).find(asked("same words"), DEFAULT)

    assert len({hit.total for hit in found.hits}) == 1
    assert ids(found) == [2, 4, 3, 1]


@promise("search:find:dropped")
def test_what_was_considered_and_dropped_is_told_with_its_reason(store: Store) -> None:
    put(store, *(draft("apple " * n, session_id=None) for n in range(1, 31)))
    question = asked("apple", limit=4)

    found = finder(store).find(question, DEFAULT)
    every = finder(store).find(asked("apple", limit=100), DEFAULT)

    assert {each.because for each in found.dropped} == {"4 others are better"}
    assert len(found.dropped) == MOST_DROPPED
    assert ids(found) + [each.id for each in found.dropped] == ids(every)[: 4 + MOST_DROPPED]
    assert every.dropped == ()
    totals = {hit.memory.id: hit.total for hit in every.hits}
    assert all(each.total == totals[each.id] for each in found.dropped)


def test_what_is_removed_while_it_is_answered_is_told_and_replaced(store: Store) -> None:
    put(store, *(draft("apple", session_id=None, created_at=at) for at in (1_000, 2_000, 3_000)))

    class Meanwhile(StoredLexicon):
        def at(self, terms: Sequence[str], places: Integers) -> WordScores:
            with store.transaction():
                store.memories.retire(3, at=NOW)
                store.memories.purge(Filter(id=2))
            return super().at(terms, places)

    one = Finder(store, Meanwhile(store), lambda: NOW)
    found = one.find(asked("apple", limit=1), DEFAULT)

    assert ids(found) == [1]
    assert [(each.id, each.because) for each in found.dropped] == [
        (3, "it was removed while the question was answered"),
        (2, "it was removed while the question was answered"),
    ]


def test_a_kind_can_lift_a_memory_over_the_limit(store: Store) -> None:
    """Rows of those are read whom their kind could still lift, however many there are."""
    put(
        store,
        *(draft("apple", session_id=None, created_at=NOW) for _ in range(2 * MOST_DROPPED)),
        draft("apple", session_id=None, kind=Kind.SUMMARY, type="session_summary", created_at=1),
    )
    profile = CODEMEM
    one = finder(store).find(asked("apple", limit=60), profile)
    last_of_all = one.hits[-1]
    assert last_of_all.memory.kind is Kind.SUMMARY, "it is too old for its bonus to help"

    put(
        store,
        draft(
            "apple", session_id=None, kind=Kind.SUMMARY, type="session_summary", created_at=NOW - 1
        ),
    )
    found = finder(store).find(asked("apple", limit=1), profile)
    assert found.hits[0].memory.kind is Kind.SUMMARY


# -- the same again


@promise("search:find:same")
def test_the_same_question_to_the_same_store_is_answered_the_same(world: Store) -> None:
    warm = finder(world, EMBEDDER)
    for other in ("bicycle", "pear", "apple tart"):
        warm.find(asked(other), DEFAULT)
    for text in ("apple", "the apple of Emma", "bicycle"):
        first = warm.find(asked(text), DEFAULT)
        assert finder(world, EMBEDDER).find(asked(text), DEFAULT) == first
        assert warm.find(asked(text), DEFAULT) == first


def test_the_first_ones_do_not_depend_on_how_many_are_asked_for(ask: Callable[..., Found]) -> None:
    every = ask("apple", limit=100).hits
    for limit in range(1, len(every)):
        assert ask("apple", limit=limit).hits == every[:limit]


IDS = [
    # another question                   because
    (asked("pear"), "other words"),
    (asked("apple", project="alpha"), "another project"),
    (asked("apple", limit=3), "another limit"),
    (asked("apple", types=frozenset({"command"})), "other types"),
    (asked("apple", kinds=frozenset({Kind.NOTE})), "other kinds"),
    (asked("apple", session_id="s1"), "another session"),
    (asked("apple", since=1), "another time"),
    (asked("apple", until=1), "another end"),
    (asked("apple", ids=(1,)), "other ids"),
]


def test_an_answer_is_called_the_same_as_long_as_it_is(store: Store) -> None:
    put(store, *WORLD[:3])
    embed_all(store, EMBEDDER)
    one = finder(store, EMBEDDER)
    here = one.find(asked("apple"), DEFAULT).query_id

    assert here == finder(store, EMBEDDER).find(asked("apple"), DEFAULT).query_id
    assert finder(store, EMBEDDER, now=NOW + DAY).find(asked("apple"), DEFAULT).query_id != here
    assert one.find(asked("apple"), CODEMEM).query_id != here
    assert finder(store).find(asked("apple"), DEFAULT).query_id != here, "without the model"
    for other, because in IDS:
        assert one.find(other, DEFAULT).query_id != here, because
    named = asked("apple", project="alpha"), asked("apple", project="/code/alpha")
    assert len({one.find(each, DEFAULT).query_id for each in named}) == 1

    put(store, draft("one more"))
    changed = one.find(asked("apple"), DEFAULT).query_id
    assert changed != here, "the store is another one"
    embed_all(store, EMBEDDER)
    assert one.find(asked("apple"), DEFAULT).query_id != changed, "a vector came"


# -- the model


def test_a_memory_that_is_not_embedded_yet_is_found_by_words(store: Store) -> None:
    put(store, draft("apple pie", session_id=None))
    embed_all(store, EMBEDDER)
    put(store, draft("apple tart", session_id=None))

    found = finder(store, EMBEDDER).find(asked("apple tart"), DEFAULT)

    assert ids(found)[0] == 2
    assert found.hits[0].components["meaning"] is None
    assert found.hits[1].components["meaning"] is not None
    assert found.used_vectors


def raising(error: Exception) -> Callable[[Sequence[str]], None]:
    def fail(_: Sequence[str]) -> None:
        raise error

    return fail


class Silent(BagOfWords):
    """Answers with what is no vector."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def embed(self, texts: Sequence[str]) -> Floats:
        return np.full((len(texts), self.dimension), self._number, np.float32)


BROKEN: list[tuple[Embedder, str]] = [
    (BagOfWords(before=raising(RuntimeError("the runtime died"))), "the runtime died"),
    (BagOfWords(before=raising(MemoryError())), "MemoryError"),
    (Silent(math.nan), "bag-of-words made numbers that are no vector"),
    (Silent(math.inf), "bag-of-words made numbers that are no vector"),
    (Silent(0.0), "bag-of-words made numbers that are no vector"),
    (
        BagOfWords(dimension=64),
        "bag-of-words makes vectors of 64 numbers; those stored have 32",
    ),
]


@promise("search:model:fails")
@pytest.mark.parametrize(("broken", "because"), BROKEN, ids=[each for _, each in BROKEN])
def test_a_model_that_fails_leaves_words_and_is_told(
    world: Store, broken: Embedder, because: str
) -> None:
    found = finder(world, broken).find(asked("apple pie"), DEFAULT)

    assert found.problem == f"searched by words only: {because}"
    assert (found.used_vectors, found.model) == (False, None)
    assert found.hits == finder(world).find(asked("apple pie"), DEFAULT).hits
    for hit in found.hits:
        assert all(hit.components[signal.value] is None for signal in BY_VECTORS)


def test_a_model_that_has_recovered_takes_part_again(world: Store) -> None:
    errors = iter([RuntimeError("asleep")])

    def fail_once(_: Sequence[str]) -> None:
        for error in errors:
            raise error

    one = finder(world, BagOfWords(before=fail_once))

    assert one.find(asked("apple"), DEFAULT).problem is not None
    assert one.find(asked("apple"), DEFAULT).problem is None


@promise("search:model:change")
def test_a_change_of_model_in_the_middle_of_a_search_harms_nothing(store: Store) -> None:
    """While the former model thinks, the next one becomes complete and the former is forgotten."""
    put(store, draft("apple pie", session_id=None), draft("bicycle repair", session_id=None))
    embed_all(store, BagOfWords("former"))
    current = BagOfWords("current", 16)
    steps = iter([True])

    def change(_: Sequence[str]) -> None:
        if next(steps, False):
            embed_all(store, current)

    former = BagOfWords("former", before=change)
    one = finder(store, current, former)

    during = one.find(asked("apple pie"), DEFAULT)
    after = one.find(asked("apple pie"), DEFAULT)

    assert [model.name for model in store.vectors.models()] == ["current"]
    assert during.model == "former"
    assert ids(during)[0] == ids(after)[0] == 1
    assert (after.model, after.problem) == ("current", None)
    assert after.hits[0].components["meaning"] is not None


def test_while_models_change_the_one_that_covers_more_is_asked(store: Store) -> None:
    put(store, *(draft(f"apple {number}", session_id=None) for number in range(10)))
    former, current = BagOfWords("former"), BagOfWords("current", 16)
    embed_all(store, former)
    one = finder(store, current, former)
    asked_of: list[str] = []
    for _ in range(6):
        asked_of.append(str(one.find(asked("apple 3"), DEFAULT).model))
        embed_some(store, current, 3)

    assert asked_of[0] == "former"
    assert asked_of[-1] == "current"
    assert sorted(asked_of, reverse=True) == asked_of, "once, and never back"


@promise("search:model:no-lock")
def test_while_a_model_thinks_others_write_and_ask(store: Store) -> None:
    put(store, draft("apple pie", session_id=None))
    embed_all(store, EMBEDDER)
    thinking, go_on = threading.Event(), threading.Event()

    def think(texts: Sequence[str]) -> None:
        if list(texts) == ["a slow question"]:
            thinking.set()
            assert go_on.wait(20)

    one = finder(store, BagOfWords(before=think))
    answers: list[Found] = []
    slow = threading.Thread(
        target=lambda: answers.append(one.find(asked("a slow question"), DEFAULT))
    )
    slow.start()
    try:
        assert thinking.wait(20)
        put(store, draft("apple tart", session_id=None))
        assert set(ids(one.find(asked("apple"), DEFAULT))) == {1, 2}
        assert answers == [], "the slow one still thinks"
    finally:
        go_on.set()
        slow.join(20)
    assert answers[0].problem is None


def test_a_question_is_embedded_once(world: Store) -> None:
    embedder = BagOfWords()
    one = finder(world, embedder)
    for where in ({}, {"project": "beta"}, {"limit": 2}):
        one.find(asked("apple pie", **where), DEFAULT)

    assert embedder.seen == ["apple pie"]


def test_many_threads_ask_while_others_write(store: Store) -> None:
    one = finder(store, EMBEDDER)
    trouble = Trouble()

    def write(thread: int) -> None:
        for number in range(10):
            (made,) = put(store, draft(f"apple {thread} {number}", session_id=f"s{thread}"))
            embed_some(store, EMBEDDER)
            assert made.id in ids(one.find(asked(f"apple {thread} {number}", limit=100), DEFAULT))

    trouble.run([partial(write, thread) for thread in range(4)])

    assert trouble.found == []
    assert len(ids(one.find(asked("apple", limit=100), DEFAULT))) == 40


@dataclass
class Trouble:
    found: list[BaseException] = field(default_factory=list)

    def run(self, works: Sequence[Callable[[], None]]) -> None:
        threads = [threading.Thread(target=self._guarded, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - told to the test
            self.found.append(error)


# -- without a question


def test_what_depends_on_no_question_is_told_by_id(world: Store) -> None:
    told_by_id = finder(world).by_id([PIE, TART, 99], CODEMEM)

    assert told_by_id.keys() == {PIE, TART}
    for components in told_by_id.values():
        assert components["base"] is components["semantic_boost"] is None
        assert components["recency"] is not None
    assert told_by_id[TART]["kind_bonus"] == 0.12


def test_a_scope_is_drawn_over_what_is_live(world: Store) -> None:
    scopes: list[Booleans] = []

    class Seen(StoredLexicon):
        def scores(self, terms: Sequence[str], scope: Booleans | None, most: int) -> WordScores:
            assert scope is not None
            scopes.append(scope.copy())
            return super().scores(terms, scope, most)

    Finder(world, Seen(world), lambda: NOW).find(asked("apple", project="beta"), DEFAULT)

    assert scopes[0].sum() == 2
