"""What is embedded in a store, in a real Chroma: brought there, followed, searched, and lost."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from benchmarks.chroma import ChromaServer, serving

from embedders import BagOfWords
from promises import last, promise
from recollect.model.errors import OutpostMisfit, OutpostUnavailable
from recollect.model.memory import Kind
from recollect.model.question import Found, Question
from recollect.outpost.chroma import REST, Chroma
from recollect.outpost.port import Copy
from recollect.search.meaning import TEXT
from recollect.search.profile import DEFAULT
from recollect.service import afar, backends
from recollect.service import outpost as outposts
from recollect.service.afar import OutpostNearness
from recollect.service.find import Finder
from recollect.service.lexicon import StoredLexicon
from recollect.service.meanings import Meanings
from recollect.service.nearness import StoredNearness
from recollect.service.outpost import Backfilled, Following
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from store.conftest import NOW
from store.drafts import draft, put
from store.test_nearness import embed_all, forget_changes

EMBEDDER = BagOfWords()
FRUIT = ("an apple a day", "a pear tree", "plum jam in the cellar", "figs and dates")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    with serving(tmp_path_factory.mktemp("chroma")) as known:
        yield known


@pytest.fixture
def running(server: ChromaServer) -> Iterator[ChromaServer]:
    """For tests that kill it: the next one finds it as it was."""
    yield server
    server.kill()
    server.start()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A collection of its own for each test."""
    return f"c-{zlib.crc32(request.node.nodeid.encode())}"


class Counting(Chroma):
    """What was brought, and how often the server was asked at all."""

    def __init__(self, *arguments: Any, **values: Any) -> None:
        super().__init__(*arguments, **values)
        self.brought: list[int] = []
        self.asked = 0

    def put(self, model: str, copies: Sequence[Copy]) -> None:
        super().put(model, copies)
        self.brought += [each.memory_id for each in copies]

    def _ask(self, path: str, asked: object, timeout: float) -> tuple[int, bytes]:
        answer = super()._ask(path, asked, timeout)
        self.asked += 1
        return answer


@dataclass
class World:
    store: Store
    outpost: Counting
    embedder: BagOfWords = EMBEDDER
    time: list[float] = field(default_factory=lambda: [0.0])

    def following(self) -> Following:
        return Following(self.store, self.outpost, lambda: self.embedder)

    def bring(self) -> None:
        embed_all(self.store, self.embedder)
        following = self.following()
        while following.step():
            pass

    def finder(self, mode: str) -> Finder:
        meanings = Meanings(self.store, [self.embedder])
        meaning: Callable[[], Any] = meanings.of
        if mode != "sqlite":
            meaning = backends.meaning(meanings, self.outpost, is_hybrid=mode == "hybrid")
        return Finder(self.store, StoredLexicon(self.store), lambda: NOW, meaning=meaning)

    def find(self, mode: str, text: str, **where: Any) -> Found:
        return self.finder(mode).find(Question(text=text, **{"project": None, **where}), DEFAULT)


@pytest.fixture
def world(store: Store, server: ChromaServer, name: str) -> World:
    made = World(store, Counting(server.url, name, question_timeout=20.0))
    made.outpost._now = lambda: made.time[0]
    return made


def ids(found: Found) -> list[int]:
    return [hit.memory.id for hit in found.hits]


# -- what is there


SORTS = [
    # kind              id                  because
    (Kind.OBSERVATION, "observation:1", "what a tool did"),
    (Kind.NOTE, "observation:1", "what was saved by hand is an observation there"),
    (Kind.FACT, "observation:1", "and so is a fact"),
    (Kind.FRAME, "observation:1", "and a decision"),
    (Kind.SUMMARY, "summary:1", "what a session came to"),
    (Kind.PROMPT, "prompt:1", "what the user asked"),
    (Kind.THOUGHT, None, "thoughts are never found"),
    (Kind.LIFECYCLE, None, "nothing but a word of ours"),
]


@promise("search:outpost:entries")
@pytest.mark.parametrize(("kind", "id_", "because"), SORTS, ids=last)
def test_each_memory_goes_there_under_its_published_id(
    world: World, server: ChromaServer, name: str, kind: Kind, id_: str | None, because: str
) -> None:
    put(world.store, draft("an apple", kind=kind, project="beta", created_at=7_000))
    put(world.store, draft("something else", session_id=None))
    world.bring()
    entries = server.entries(name)
    assert len(entries) == (1 if id_ is None else 2)
    if id_ is not None:
        assert entries[id_] == {
            "kind": id_.partition(":")[0],
            "item_id": 1,
            "project": "beta",
            "created_at_epoch": 7_000,
            "model": EMBEDDER.name,
        }


@promise("search:outpost:follows")
def test_what_is_reworded_retired_or_removed_here_is_so_there(
    world: World, server: ChromaServer, name: str
) -> None:
    first, second, third, fourth = put(world.store, *map(draft, FRUIT))
    world.bring()
    with world.store.transaction():
        world.store.memories.reword(first.id, draft("a bicycle"), at=2_000)
        world.store.memories.retire(second.id, at=2_000)
        world.store.memories.purge(Filter(id=third.id))
    world.bring()

    assert set(server.entries(name)) == {f"observation:{first.id}", f"observation:{fourth.id}"}
    found, rows = world.outpost.vectors(EMBEDDER.name, {first.id: None})
    assert found.tolist() == [first.id]
    read = "a bicycle"
    assert rows[0] == pytest.approx(EMBEDDER.one(read), abs=1e-3)
    assert ids(world.find("chroma", "bicycle"))[0] == first.id


def test_it_goes_on_where_it_was_and_brings_nothing_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outposts, "PAGE", 3)
    put(world.store, *(draft(f"apple {number}") for number in range(10)))
    embed_all(world.store)
    for _ in range(3):
        world.following().step()  # another process each time
    put(world.store, *(draft(f"pear {number}") for number in range(3)))
    world.bring()
    assert sorted(world.outpost.brought) == list(range(1, 14))
    asked = world.outpost.asked
    assert not world.following().step()
    assert world.outpost.asked == asked, "nothing new asks nobody"


def test_what_is_brought_and_not_marked_is_brought_again(
    world: World, server: ChromaServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(world.store, *map(draft, FRUIT))
    embed_all(world.store)
    following = world.following()
    following.step()

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(following, "_move", crash)
    with pytest.raises(KeyboardInterrupt):
        following.step()
    world.bring()
    assert world.outpost.brought == [1, 2, 3, 4, 1, 2, 3, 4]
    assert len(server.entries(name)) == 4


@promise("search:outpost:lost")
def test_a_collection_that_was_removed_is_filled_again(
    world: World, server: ChromaServer, name: str
) -> None:
    put(world.store, *map(draft, FRUIT))
    world.bring()
    server.remove(name)
    assert world.find("chroma", "apple").hits, "it is made anew, and empty"
    world.bring()
    assert len(server.entries(name)) == 4


def test_a_server_that_lost_everything_is_filled_again(
    world: World, running: ChromaServer, name: str
) -> None:
    put(world.store, *map(draft, FRUIT))
    world.bring()
    running.kill()
    running.empty()
    running.start()
    put(world.store, draft("a cherry"))
    world.bring()
    assert len(running.entries(name)) == 5


def test_what_went_while_nobody_looked_is_swept_out(
    world: World, server: ChromaServer, name: str
) -> None:
    memories = put(world.store, *map(draft, FRUIT))
    world.bring()
    with world.store.transaction():
        for memory in memories[:2]:
            world.store.memories.purge(Filter(id=memory.id))
    put(world.store, draft("a cherry"))
    forget_changes(world.store, keep=1)
    world.bring()
    assert set(server.entries(name)) == {f"observation:{number}" for number in (3, 4, 5)}


def test_entries_of_others_stay_and_are_not_found(
    world: World, server: ChromaServer, name: str
) -> None:
    memories = put(world.store, *map(draft, FRUIT))
    embed_all(world.store)
    id_, _ = world.outpost.connect(is_hurried=True)
    theirs = {"kind": "observation", "item_id": 2, "project": "alpha", "created_at_epoch": 1}
    server.ask(
        "POST",
        f"/api/v2/tenants/default_tenant/databases/default_database/collections/{id_}/upsert",
        {
            "ids": ["theirs:2"],
            "embeddings": [EMBEDDER.one("apple").tolist()],
            "metadatas": [theirs],
        },
    )
    world.bring()
    assert server.entries(name)["theirs:2"] == theirs
    assert ids(world.find("chroma", "apple"))[0] == memories[0].id


def test_another_model_brings_its_own_vectors(
    world: World, server: ChromaServer, name: str
) -> None:
    put(world.store, *map(draft, FRUIT))
    world.bring()
    world.embedder = BagOfWords("other")
    world.bring()
    assert {each["model"] for each in server.entries(name).values()} == {"other"}
    assert len(server.entries(name)) == 4
    assert ids(world.find("chroma", "apple"))[0] == 1


@promise("search:outpost:misfit")
def test_vectors_of_another_size_are_told_and_nothing_is_overwritten(
    world: World, server: ChromaServer, name: str
) -> None:
    put(world.store, *map(draft, FRUIT))
    world.bring()
    world.embedder = BagOfWords("wide", 48)
    embed_all(world.store, world.embedder)
    following = world.following()
    with pytest.raises(OutpostMisfit, match="holds vectors of 32 numbers; wide makes 48"):
        following.step()
    assert "wide makes 48" in str(following.standing().problem)
    assert {each["model"] for each in server.entries(name).values()} == {EMBEDDER.name}
    found = world.find("chroma", "apple")
    assert (ids(found)[0], found.used_vectors) == (1, False)
    assert "those stored have 32" in str(found.problem)
    hybrid = world.find("hybrid", "apple")
    assert (ids(hybrid)[0], hybrid.used_vectors) == (1, True)
    assert "it holds vectors of 32 numbers, the store has 48" in str(hybrid.problem)


BACKFILLS = [
    # project  limit  brought              because
    (None, 1_000, Backfilled(5, 1, 2), "everything that has a vector"),
    ("alpha", 1_000, Backfilled(4, 1, 2), "one project"),
    (None, 2, Backfilled(2, 1, 2), "the newest two of each sort"),
    ("nothing", 1_000, Backfilled(), "a project that is not known"),
]


@promise("search:outpost:backfill")
@pytest.mark.parametrize(("project", "limit", "brought", "because"), BACKFILLS, ids=last)
def test_a_backfill_brings_everything_once_more(
    world: World,
    server: ChromaServer,
    name: str,
    project: str | None,
    limit: int,
    brought: Backfilled,
    because: str,
) -> None:
    put(world.store, *map(draft, FRUIT), draft("a cherry", project="beta", session_id=None))
    put(world.store, *(draft(f"apple? {n}", kind=Kind.PROMPT) for n in range(2)))
    put(world.store, draft("about apples", kind=Kind.SUMMARY))
    embed_all(world.store)
    assert world.following().backfill(project, limit) == brought
    total = brought.observations + brought.summaries + brought.prompts
    assert len(server.entries(name)) == total
    world.bring()
    assert len(server.entries(name)) == 8


def test_without_a_model_there_is_nothing_to_bring(store: Store, server: ChromaServer) -> None:
    following = Following(store, Chroma(server.url, "nobody"), lambda: None)
    assert following.backfill(None, 10) == Backfilled(is_skipped=True)
    assert not following.step()
    assert following.standing().wanted == 0


# -- what is found


QUESTIONS: list[tuple[str, dict[str, Any], str]] = [
    # question        where                           because
    ("apple", {}, "one word"),
    ("jam and figs", {"limit": 3}, "several"),
    ("apple", {"project": "beta"}, "in one project"),
    ("apple", {"kinds": frozenset({Kind.PROMPT})}, "of one kind"),
    ("nothing like it", {}, "no word of it is there"),
    ("apple", {"project": "nowhere"}, "nothing is in scope"),
]


def orchard(world: World, many: int = 0) -> None:
    put(world.store, *map(draft, FRUIT))
    put(world.store, *(draft(f"{text} too", project="beta", session_id="s2") for text in FRUIT))
    put(world.store, draft("an apple?", kind=Kind.PROMPT), draft("plums", kind=Kind.SUMMARY))
    put(world.store, *(draft(f"basket {n} of figs", session_id=None) for n in range(many)))
    world.bring()


@promise("search:outpost:same")
@pytest.mark.parametrize("mode", ["chroma", "hybrid"])
def test_every_backend_gives_the_same_answer(world: World, mode: str) -> None:
    orchard(world)
    for text, where, because in QUESTIONS:
        expected, found = world.find("sqlite", text, **where), world.find(mode, text, **where)
        assert ids(found) == ids(expected), because
        assert found.used_vectors, because
        assert found.problem is None, because
        for mine, its in zip(found.hits, expected.hits, strict=True):
            assert mine.total == pytest.approx(its.total, abs=2e-3), because


def test_of_many_nearly_all_that_are_near_are_found_with_their_cosines(world: World) -> None:
    """Chroma searches a graph, which misses one now and then."""
    orchard(world, 600)
    lexicon = StoredLexicon(world.store)
    lexicon.sync()
    stored = StoredNearness(world.store, EMBEDDER.name, TEXT)
    stored.sync()
    for query in map(EMBEDDER.one, ("apple", "a basket of figs", "basket 77", "nothing")):
        _, cosines = stored.nearest(query, lexicon.catalogue, None, 100)
        there = OutpostNearness(world.outpost, EMBEDDER.name)
        theirs, told = there.nearest(query, lexicon.catalogue, None, 100)
        assert len(set(theirs.tolist())) == len(theirs) == 100
        assert told.tolist() == sorted(told.tolist(), reverse=True)
        assert (told >= cosines.min() - 0.05).mean() >= 0.9
        known = stored.cosines(query, lexicon.catalogue.ids[theirs])
        assert told == pytest.approx(known, abs=1e-3)


def test_it_is_told_where_what_was_near_came_from(world: World) -> None:
    orchard(world)
    every = frozenset(range(1, 11))
    assert world.find("sqlite", "apple").near == {"sqlite": every}
    assert world.find("chroma", "apple").near == {"chroma": every}
    assert world.find("hybrid", "apple").near == {"sqlite": every, "chroma": every}


def test_more_are_asked_for_when_the_first_are_not_in_scope(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(afar, "FEW", 0)
    orchard(world, 300)
    found = world.find("chroma", "basket of figs", session_id="s1")
    assert ids(found)[0] == 4
    assert found.near["chroma"] >= {1, 2, 3, 4}
    prompts = world.find("chroma", "basket of figs", kinds=frozenset({Kind.PROMPT}))
    assert prompts.near["chroma"] == {9}
    beta = world.find("chroma", "basket of figs", project="beta")
    assert beta.near["chroma"] == {5, 6, 7, 8}


@promise("search:outpost:hybrid")
def test_hybrid_knows_what_either_of_the_two_knows(world: World) -> None:
    orchard(world)
    store, model_id = world.store, 1
    # Half of the vectors are here only, half there only.
    world.outpost.remove([1, 2, 3, 4])
    with store.transaction():
        store.vectors.drop(model_id, TEXT, [5, 6, 7, 8])
    found = world.find("hybrid", "apple")
    assert found.near["sqlite"] == {1, 2, 3, 4, 9, 10}
    assert found.near["chroma"] == {5, 6, 7, 8, 9, 10}
    assert set(ids(found)) >= {1, 5, 9}
    assert all(hit.components.get("semantic", 0.0) is not None for hit in found.hits)


# -- what goes wrong


@promise("search:outpost:gone")
def test_a_server_that_is_killed_is_done_without_and_comes_back(
    world: World, running: ChromaServer, name: str
) -> None:
    orchard(world)
    running.kill()
    put(world.store, draft("an apple that came later"))
    embed_all(world.store)
    following = world.following()
    with pytest.raises(OutpostUnavailable):
        following.step()
    assert "does not answer" in str(following.standing().problem)

    found, hybrid = world.find("chroma", "apple"), world.find("hybrid", "apple")
    assert (ids(found)[0], found.used_vectors) == (11, False)
    assert str(found.problem).startswith("searched by words only: http://127.0.0.1:")
    assert (hybrid.used_vectors, set(hybrid.near)) == (True, {"sqlite"})
    assert str(hybrid.problem).startswith("searched without the vector server: http://")

    running.start()
    assert world.find("chroma", "apple").problem is not None, "it has a rest"
    world.time[0] += REST + 1
    assert world.find("chroma", "apple").problem is None, "searches find out by themselves"
    while following.step():
        pass
    assert following.standing().problem is None
    assert len(running.entries(name)) == 11
    assert 11 in world.find("chroma", "apple").near["chroma"]


def test_a_dead_server_is_asked_once_in_a_while(world: World, running: ChromaServer) -> None:
    orchard(world)
    running.kill()
    tried: list[str] = []
    ask = world.outpost._failed

    def failed(problem: str) -> OutpostUnavailable:
        tried.append(problem)
        return ask(problem)

    world.outpost._failed = failed  # type: ignore[method-assign]
    finder = world.finder("chroma")
    for _ in range(20):
        assert finder.find(Question(text="apple", project=None), DEFAULT).hits
    assert len(tried) == 1
    world.time[0] += REST + 1
    finder.find(Question(text="apple", project=None), DEFAULT)
    assert len(tried) == 2


def test_following_finds_out_first_that_the_server_is_back(
    world: World, running: ChromaServer
) -> None:
    orchard(world)
    running.kill()
    assert world.find("chroma", "apple").problem is not None
    running.start()
    put(world.store, draft("a cherry"))
    world.bring()
    assert world.find("chroma", "apple").problem is None, "no time has passed"


def test_vectors_come_back_as_they_were_brought(world: World) -> None:
    orchard(world)
    found, rows = world.outpost.vectors(EMBEDDER.name, dict.fromkeys(range(1, 200)))
    assert sorted(found.tolist()) == list(range(1, 11))
    kept = world.store.outposts.since(1, TEXT, 0, 20)
    expected = {e.memory_id: np.frombuffer(e.vector, "<f2").astype(np.float32) for e in kept}
    for id_, row in zip(found.tolist(), rows, strict=True):
        assert row == pytest.approx(expected[id_], abs=1e-6)


def test_many_search_while_the_store_changes_and_is_followed(world: World) -> None:
    orchard(world, 250)
    following = world.following()
    finder = world.finder("chroma")
    problems: list[BaseException] = []
    is_over = threading.Event()

    def guarded(step: Callable[[], object]) -> None:
        try:
            while not is_over.is_set():
                step()
        except BaseException as error:  # noqa: BLE001 - told to the test
            problems.append(error)

    def search() -> None:
        found = finder.find(Question(text="apple", project=None), DEFAULT)
        assert found.problem is None
        assert len(set(ids(found))) == len(found.hits) > 0

    def follow() -> None:
        if not following.step():
            is_over.wait(0.002)

    steps = [search] * 6 + [follow, lambda: following.backfill(None, 5)]
    threads = [threading.Thread(target=guarded, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for number in range(15):
        put(world.store, draft(f"cherry {number}", session_id=None))
        with world.store.transaction():
            world.store.memories.remove(number + 20)
        embed_all(world.store)
    is_over.set()
    for thread in threads:
        thread.join()
    assert problems == []
    world.bring()
    found, _ = world.outpost.vectors(EMBEDDER.name, dict.fromkeys(range(1, 300)))
    expected = world.store.outposts.embedded(1, TEXT, range(1, 300))
    assert sorted(found.tolist()) == sorted(expected)
    assert not expected & set(range(20, 35)), "what was removed stays removed"
