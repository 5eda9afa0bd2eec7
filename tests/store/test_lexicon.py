"""Ranking by words, held against a plain reckoning over all memories."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.model.memory import Kind, Memory
from recollect.search import lexical
from recollect.search.lexical import WordScores
from recollect.search.terms import Tally, question_terms, tally
from recollect.service import segments
from recollect.service.lexicon import StoredLexicon
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.sqlite.lexicon import SqliteLexicon
from recollect.store.sqlite.store import SqliteStore
from store.conftest import NOW
from store.drafts import draft, put

WORDS = ["apple", "pear", "plum", "fig", "the", "running", "HTTPServer", "数据库", "x_y"]


def searchable(store: Store) -> list[Memory]:
    newest = store.lexicon.state().newest
    found = store.memories.get(range(1, newest + 1))
    return sorted(
        (
            each
            for each in found
            if each.retired_at is None and each.kind not in (Kind.THOUGHT, Kind.LIFECYCLE)
        ),
        key=lambda memory: memory.id,
    )


def tallied(store: Store, memory: Memory) -> Tally:
    (source,) = store.lexicon.sources([memory.id])
    return tally(source.passage)


def reckoned(store: Store, terms: Sequence[str]) -> dict[int, tuple[float, float]]:
    """BM25 of each memory that matches by itself or by its window, term by term."""
    memories = searchable(store)
    tallies = {memory.id: tallied(store, memory) for memory in memories}
    by_session: dict[str | None, list[int]] = {}
    windows: dict[int, list[int]] = {}
    for memory in memories:
        by_session.setdefault(memory.session_id, []).append(memory.id)
    for session, ids in by_session.items():
        for at, id_ in enumerate(ids):
            windows[id_] = [id_] if session is None else ids[max(at - 1, 0) : at + 2]
    count = len(memories)
    if not count:
        return {}
    mean = sum(each.length for each in tallies.values()) / count
    lengths = {id_: sum(tallies[each].length for each in windows[id_]) for id_ in windows}
    window_mean = sum(lengths.values()) / count
    size = sum(len(window) for window in windows.values()) / count
    scores: dict[int, tuple[float, float]] = {}
    for id_, window in windows.items():
        own = near = 0.0
        for term in terms:
            df = sum(term in each.counts for each in tallies.values())
            if not df:
                continue
            tf = tallies[id_].counts.get(term, 0)
            own += bm25(tf, tallies[id_].length / mean, df, count)
            tf = sum(tallies[each].counts.get(term, 0) for each in window)
            near += bm25(
                tf, lengths[id_] / window_mean, count * (1 - (1 - df / count) ** size), count
            )
        if own or near:
            scores[id_] = own, near
    return scores


def bm25(tf: float, length: float, df: float, count: int) -> float:
    weight = math.log(1 + (count - df + 0.5) / (df + 0.5))
    return weight * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length))


def told(lexicon: StoredLexicon, found: WordScores) -> dict[int, tuple[float, float]]:
    ids = lexicon.catalogue.ids[found.places].tolist()
    return dict(zip(ids, zip(found.own.tolist(), found.window.tolist(), strict=True), strict=True))


def assert_right(store: Store, lexicon: StoredLexicon, *queries: str) -> None:
    lexicon.sync()
    for query in queries:
        terms = question_terms(query)
        expected = reckoned(store, terms)
        found = told(lexicon, lexicon.scores(terms, None, 10_000))
        assert found.keys() == expected.keys()
        for id_, scores in expected.items():
            assert found[id_] == pytest.approx(scores, abs=1e-4)
    live = lexicon.catalogue.ids[lexicon.catalogue.is_live].tolist()
    assert live == [memory.id for memory in searchable(store)]
    assert segments.strays(store) == (0, 0)


@pytest.fixture
def lexicon(store: Store) -> StoredLexicon:
    return StoredLexicon(store)


@pytest.fixture
def due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments and merges with a handful of memories."""
    monkeypatch.setattr(segments, "DUE", 3)
    monkeypatch.setattr(segments, "_PAGE", 2)
    monkeypatch.setattr(segments, "_MOST_CHANGES", 8)
    monkeypatch.setattr(segments, "_LEVELS", (8, 30))
    monkeypatch.setattr(segments, "_KEPT_CHANGES", 2)


def test_a_memory_is_ranked_from_the_commit_on(store: Store, lexicon: StoredLexicon) -> None:
    put(store, draft("an apple"), draft("a pear"), draft("a pear tree"))

    assert_right(store, lexicon, "pear", "apple pear", "nothing of this")

    put(store, draft("one more pear"))
    assert_right(store, lexicon, "pear")


@pytest.mark.usefixtures("due")
def test_an_empty_store_finds_nothing(store: Store, lexicon: StoredLexicon) -> None:
    assert_right(store, lexicon, "pear", "")
    segments.tend(store)
    assert_right(store, lexicon, "pear")


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("add"),
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
            st.sampled_from(["s1", "s2", None]),
            st.sampled_from([Kind.OBSERVATION, Kind.PROMPT, Kind.THOUGHT, Kind.LIFECYCLE]),
        ),
        st.tuples(st.just("reword"), st.integers(1, 20), st.sampled_from(WORDS)),
        st.tuples(st.just("retire"), st.integers(1, 20)),
        st.tuples(st.just("purge"), st.integers(1, 20)),
        st.tuples(st.sampled_from(["tend", "look", "rebuild", "fold"])),
    ),
    max_size=30,
)


@pytest.mark.usefixtures("due")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_whatever_happens_the_scores_are_those_of_a_plain_reckoning(
    steps: list[tuple[object, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = str(tmp_path_factory.mktemp("property") / "r.db")
    ours = SqliteStore(path, key=None, clock=lambda: NOW)
    theirs = SqliteStore(path, key=None, clock=lambda: NOW)
    here, there = StoredLexicon(ours), StoredLexicon(theirs)
    for number, step in enumerate(steps):
        act(ours if number % 3 else theirs, here, step)
    assert_right(ours, here, "apple pear", "data_x_y running", "数据库 HTTPServer fig the")
    assert_right(theirs, there, "apple pear")
    segments.tend(theirs)
    assert_right(ours, here, "apple pear plum")
    assert_right(ours, StoredLexicon(ours), "apple pear plum")
    ours.close()
    theirs.close()


@pytest.mark.usefixtures("due")
@pytest.mark.parametrize("then", [(), (("fold",), ("tend",))], ids=["at once", "after a merge"])
def test_what_was_reworded_before_a_purge_is_found_by_a_new_process(
    store: Store, lexicon: StoredLexicon, then: Sequence[Sequence[object]]
) -> None:
    """The purge marks it dead in its segment, and its new words wait behind newer memories."""
    put(store, draft("an apple"), draft("a pear"), draft("a fig"))
    segments.tend(store)
    put(store, draft("a plum"))
    for step in (("reword", 1, "quince"), ("purge", 2), *then):
        act(store, lexicon, step)

    assert_right(store, StoredLexicon(store), "quince", "fig plum", "apple pear")


def act(store: Store, lexicon: StoredLexicon, step: Sequence[object]) -> None:
    match step:
        case ("add", list(words), session, Kind() as kind):
            text = " ".join(map(str, words))
            put(store, draft(text, session_id=session, kind=kind, type="t"))
        case ("reword", int(id_), str(word)):
            if store.memories.get([id_]):
                with store.transaction():
                    store.memories.reword(id_, draft(f"{word} again"), at=NOW)
        case ("retire", int(id_)):
            with store.transaction():
                store.memories.retire(id_, at=NOW)
        case ("purge", int(id_)):
            with store.transaction():
                store.memories.purge(Filter(id=id_))
                segments.fold(store)
        case ("fold",):
            with store.transaction():
                segments.fold(store)
        case ("tend",):
            segments.tend(store)
        case ("rebuild",):
            segments.rebuild(store)
        case _:
            lexicon.sync()
            lexicon.scores(("appl", "pear"), None, 5)


@pytest.mark.usefixtures("due")
def test_many_segments_are_merged_into_few(store: Store, lexicon: StoredLexicon) -> None:
    for number in range(40):
        put(store, draft(f"apple {number} pear", session_id=f"s{number % 3}"))
        segments.tend(store)
        if number % 7 == 0:
            lexicon.sync()

    assert len(store.lexicon.heads()) < 8
    assert_right(store, lexicon, "apple 7", "pear")


@pytest.mark.usefixtures("due")
def test_two_processes_see_what_either_does(tmp_path: Path) -> None:
    path = str(tmp_path / "r.db")
    stores = [SqliteStore(path, key=None, clock=lambda: NOW) for _ in range(2)]
    lexica = [StoredLexicon(store) for store in stores]
    for number in range(24):
        put(stores[number % 2], draft(f"apple {number}"))
        segments.tend(stores[(number // 2) % 2])
        for store, lexicon in zip(stores, lexica, strict=True):
            assert_right(store, lexicon, f"apple {number - 5}")


@pytest.mark.usefixtures("due")
def test_a_segment_that_is_gone_is_looked_for_no_more(store: Store) -> None:
    """Between the look at the segments and the look into them another process has merged."""
    put(store, *(draft(f"apple {number}") for number in range(5)))
    segments.tend(store)
    lexicon = StoredLexicon(store)
    lexicon.sync()
    segments.rebuild(store)

    found = told(lexicon, lexicon.scores(question_terms("apple 3"), None, 10))

    assert found.keys() == {1, 2, 3, 4, 5}


def stopping(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies in this step."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteLexicon, name, die)


@pytest.mark.usefixtures("due")
@pytest.mark.parametrize("step", ["add", "advance", "remove", "touch"])
def test_a_crash_in_any_step_loses_nothing(
    store: Store, lexicon: StoredLexicon, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    for number in range(11):
        put(store, draft(f"apple {number}"))
        segments._flush(store, least=3)
    with monkeypatch.context() as patch:
        stopping(step, patch)
        put(store, draft("apple eleven"))
        with pytest.raises(KeyboardInterrupt):
            segments.tend(store)
        assert_right(store, lexicon, "apple 7", "eleven")

    segments.tend(store)
    assert_right(store, lexicon, "apple 7", "eleven")
    assert_right(store, StoredLexicon(store), "apple 7", "eleven")


@pytest.mark.usefixtures("due")
def test_what_changes_while_a_segment_is_made_is_made_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a memory that is purged in that moment would leave its words behind."""
    put(store, *(draft(f"apple {number}") for number in range(3)), draft("a parsnip"))
    prepared = segments._prepared
    calls: list[object] = []

    def slowly(store: Store, least: int) -> segments._Flush | None:
        made = prepared(store, least)
        if not calls:
            with store.transaction():
                store.memories.purge(Filter(id=4))
                segments.fold(store)
        calls.append(made)
        return made

    monkeypatch.setattr(segments, "_prepared", slowly)
    segments.tend(store)

    assert len(calls) > 1
    assert store.lexicon.find([head.id for head in store.lexicon.heads()], ["parsnip"]) == []
    monkeypatch.undo()
    assert_right(store, StoredLexicon(store), "apple parsnip")


@pytest.mark.usefixtures("due")
def test_a_purge_leaves_no_word_in_any_segment(store: Store, lexicon: StoredLexicon) -> None:
    put(store, *(draft(f"apple {number}") for number in range(4)))
    put(store, draft("a parsnip apple", session_id="secret-session", speaker="Hercules"))
    segments.tend(store)
    with store.transaction():
        store.memories.reword(5, draft("a turnip apple", session_id="secret-session"), at=NOW)
    put(store, *(draft(f"pear {number}") for number in range(3)))
    segments.tend(store)
    lexicon.sync()
    with store.transaction():
        store.memories.purge(Filter(id=5))
        segments.fold(store)

    held = [head.id for head in store.lexicon.heads()]
    assert store.lexicon.find(held, ["parsnip", "turnip", "hercul", "secret"]) == []
    assert all(
        word not in kept.segment.names
        for kept in store.lexicon.segments(held)
        for word in ("secret", "Hercules")
    )
    assert_right(store, lexicon, "apple turnip", "pear")
    assert_right(store, StoredLexicon(store), "apple turnip", "pear")


@pytest.mark.usefixtures("due")
def test_an_index_of_another_version_is_made_anew(
    store: Store, lexicon: StoredLexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, *(draft(f"apple {number}") for number in range(5)))
    segments.tend(store)
    former = {head.id for head in store.lexicon.heads()}
    monkeypatch.setattr(segments, "VERSION", 99)

    assert_right(store, lexicon, "apple 3")

    assert former.isdisjoint({head.id for head in store.lexicon.heads()})
    assert store.lexicon.state().version == 99


def test_strays_are_noticed_and_rebuilding_mends_them(store: Store) -> None:
    put(store, *(draft(f"apple {number}") for number in range(4)))
    segments.rebuild(store)
    with store.transaction():
        store.lexicon.remove([head.id for head in store.lexicon.heads()])
    assert segments.strays(store) == (0, 4)

    segments.rebuild(store)

    assert_right(store, StoredLexicon(store), "apple 2")


@pytest.mark.usefixtures("due")
def test_only_what_is_in_scope_is_found(store: Store, lexicon: StoredLexicon) -> None:
    put(store, *(draft("apple", project=each) for each in ("alpha", "beta", "alpha", "beta")))
    lexicon.sync()
    scope = lexicon.catalogue.project == lexicon.catalogue.code("beta")

    found = lexicon.scores(("appl",), scope, 10)

    assert lexicon.catalogue.ids[found.places].tolist() == [2, 4]
    everything = lexicon.scores(("appl",), None, 10)
    assert found.own == pytest.approx(everything.own[[1, 3]])
    # Drawn before the catalogue grew: what came later is outside.
    put(store, draft("apple", project="beta"))
    lexicon.sync()
    assert len(lexicon.scores(("appl",), scope, 10).places) == 2


@pytest.mark.parametrize("text", ["数据库在这里", "ประเทศไทย", "서울특별시", "カタカナとひらがな"])
def test_any_two_letters_of_a_script_without_spaces_are_found(
    store: Store, lexicon: StoredLexicon, text: str
) -> None:
    put(store, draft(f"before{text}after"))
    lexicon.sync()
    for at in range(len(text) - 1):
        terms = question_terms(text[at : at + 2])
        assert len(lexicon.scores(terms, None, 5).places) == 1, text[at : at + 2]


@pytest.mark.usefixtures("due")
def test_threads_search_while_others_write(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "r.db"), key=None, clock=lambda: NOW)
    put(store, draft("apple 0"))
    lexicon = StoredLexicon(store)
    failures: list[BaseException] = []
    done = threading.Event()

    def keep_on(action: Callable[[], None]) -> None:
        try:
            while not done.is_set():
                action()
        except BaseException as error:  # noqa: BLE001 - shown at the end
            failures.append(error)

    def search() -> None:
        lexicon.sync()
        catalogue = lexicon.catalogue
        found = lexicon.scores(("appl", "7"), np.ones(len(catalogue), np.bool_), 20)
        assert (catalogue.ids[found.places[found.places < len(catalogue)]] > 0).all()
        lexicon.at(("appl",), found.places)

    threads = [threading.Thread(target=keep_on, args=(search,)) for _ in range(3)]
    threads.append(threading.Thread(target=keep_on, args=(lambda: segments.tend(store),)))
    for thread in threads:
        thread.start()
    for number in range(120):
        put(store, draft(f"apple {number}", session_id=f"s{number % 4}"))
        if number % 5 == 0:
            with store.transaction():
                store.memories.retire(number, at=NOW)
    done.set()
    for thread in threads:
        thread.join()

    assert failures == []
    assert_right(store, lexicon, "apple 7")
    store.close()


def test_pruning_finds_what_a_full_look_finds(
    store: Store, lexicon: StoredLexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(
        store,
        *(
            draft(f"apple {number % 2} pear{number % 10} fig{number % 50}", session_id=None)
            for number in range(500)
        ),
    )
    lexicon.sync()
    catalogue, terms = lexicon._find(question_terms("apple 1 pear7 fig17"))

    pruned = lexical.ranked(catalogue, terms, None, 10, exact=0, budget=20)
    full = lexical.ranked(catalogue, terms, None, 10)

    assert pruned.own.tolist() == pytest.approx(full.own.tolist())
    assert sorted(pruned.places.tolist()) == sorted(full.places.tolist())
