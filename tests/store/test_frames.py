"""Frames: kept whole or not at all, once where that is promised, and found by what was asked."""

from __future__ import annotations

import itertools
import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from promises import last, promise
from recollect.model.errors import EntryRefused, InvalidArgument, StoreFull
from recollect.model.frame import Frame, FrameDraft, Image, ImageNote, Status, content_hash
from recollect.model.frame_errors import DuplicateFrame, FrameExists, FrameNotFound, ImageNotKept
from recollect.model.memory import Kind, Origin
from recollect.service import facts, frames, health, remember
from recollect.store.port.memories import Filter
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from store.conftest import NOW
from store.drafts import draft as memory_draft

MINUTE = 60_000
PICTURE = Image("image/gif", b"GIF89a\x01\0\x01\0\0\0\0;")
_numbers = itertools.count(1)


def draft(reference_point: str = "that auth deadlock", **more: Any) -> FrameDraft:
    given: dict[str, Any] = {
        "reference_point": reference_point,
        "summary_caption": "Add User button disabled",
        "status": Status(next_action="Reroute the panel"),
        "module_scope": ("ui/panel", "services/auth"),
        "branch": "main",
        "at": NOW,
        **more,
    }
    return FrameDraft(**given)


def keep(
    store: Store,
    reference_point: str = "that auth deadlock",
    *,
    frame_id: str | None = None,
    project: str = "alpha",
    is_once: bool = False,
    images: tuple[Image, ...] = (),
    **more: Any,
) -> Frame:
    return frames.remember(
        store,
        draft(reference_point, **more),
        project=project,
        origin=Origin.ASSISTANT,
        frame_id=frame_id or f"frame-{next(_numbers)}",
        is_once=is_once,
        images=images,
    )


def points(found: list[Frame]) -> list[str]:
    return [each.reference_point for each in found]


WHOLE = draft(
    status=Status(
        next_action="Reroute",
        blockers=("b", "b"),
        merge_blockers=("m",),
        tests_failing=("t1", "t2"),
    ),
    module_scope=("z", "a", "z"),
    jira="TICKET-1",
    keywords=("auth", "認証"),
    atlas_frame_id="atlas-1",
    feature_flags=("flag",),
    permissions=("admin",),
    run_id="run",
    plan_hash="hash",
    spend={"prompts": 3, "tokens_estimated": 0},
    user_id="system-default",
)


@promise("lex:frames:whole")
def test_what_was_remembered_is_read_as_it_was(store: Store) -> None:
    told = frames.remember(
        store,
        WHOLE,
        project="alpha",
        origin=Origin.USER,
        frame_id="any id / of ours",
        is_once=True,
        images=[PICTURE, Image("image/png", bytes(range(256)))],
    )

    read = frames.get(store, "any id / of ours")
    assert read == told
    fields = {name: getattr(read, name) for name in FrameDraft.__dataclass_fields__}
    assert FrameDraft(**fields) == WHOLE
    assert (read.project, read.is_live) == ("alpha", True)
    assert read.images == (ImageNote(1, "image/gif", 14), ImageNote(2, "image/png", 256))
    assert frames.image(store, read.id, 2) == Image("image/png", bytes(range(256)))
    (memory,) = store.memories.get([read.memory_id])
    assert (memory.kind, memory.type, memory.origin) == (Kind.FRAME, "frame", Origin.USER)
    assert (memory.title, memory.created_at, memory.tags) == (
        "that auth deadlock",
        NOW,
        ("auth", "認証"),
    )


@promise("lex:frames:get")
@pytest.mark.parametrize("number", [0, -1, 2, 2**70])
def test_what_is_not_there_is_named(store: Store, number: int) -> None:
    frame = keep(store, images=(PICTURE,))
    with pytest.raises(FrameNotFound, match="frame-x"):
        frames.get(store, "frame-x")
    with pytest.raises(FrameNotFound, match="frame-x"):
        frames.image(store, "frame-x", 1)
    with pytest.raises(FrameNotFound, match=str(number)):
        frames.image(store, frame.id, number)


@promise("lex:frames:never-overwritten")
def test_an_id_is_one_frames_for_ever(store: Store) -> None:
    first = keep(store, frame_id="mine")
    for is_once in (True, False):
        with pytest.raises(FrameExists, match="already exists"):
            keep(store, "another", frame_id="mine", is_once=is_once)
    with store.transaction():
        store.memories.retire(first.memory_id, at=NOW)
    with pytest.raises(FrameExists):
        keep(store, "another", frame_id="mine")
    assert frames.get(store, "mine") == replace(first, is_live=False)
    assert store.upkeep.counts().memories == 1


@pytest.mark.parametrize("frame_id", ["   ", "x" * 201])
def test_an_id_says_something_and_is_no_novel(store: Store, frame_id: str) -> None:
    with pytest.raises(InvalidArgument, match="id"):
        keep(store, frame_id=frame_id)


@promise("lex:frames:once")
def test_a_repetition_is_refused_where_that_is_promised(store: Store) -> None:
    first = keep(store, is_once=True)
    with pytest.raises(DuplicateFrame, match="already exists") as refused:
        keep(store, is_once=True, branch="other", jira="T-1", keywords=("k",))
    assert refused.value.context == {"existing": first.id}
    keep(store, is_once=False)
    keep(store, is_once=True, at=NOW + 5 * MINUTE)
    assert frames.count(store) == 3

    with store.transaction():
        for each in frames.newest(store, limit=None):
            store.memories.retire(each.memory_id, at=NOW)
    keep(store, is_once=True)


@promise("lex:frames:once")
def test_a_frame_that_came_through_another_door_counts(store: Store) -> None:
    first = keep(store, is_once=False)
    with pytest.raises(DuplicateFrame) as refused:
        keep(store, is_once=True)
    assert refused.value.context == {"existing": first.id}


def _crowd(path: str, start: Any, told: Any) -> None:
    store = SqliteStore(path, key=None, clock=lambda: NOW)
    start.wait()
    told.put(_stored(store, 25))
    store.close()


def _stored(store: Store, rounds: int) -> int:
    """How many of these frames this one was the first to store."""
    stored = 0
    for number in range(rounds):
        try:
            keep(store, f"frame {number}", frame_id=_chance(), is_once=True)
        except DuplicateFrame as error:
            frames.get(store, str(error.context["existing"]))  # it is there, whole
        else:
            stored += 1
    return stored


def _chance() -> str:
    import uuid

    return f"frame-{uuid.uuid4()}"


@promise("lex:frames:once")
def test_of_a_crowd_of_processes_one_is_first(tmp_path: Path) -> None:
    path = str(tmp_path / "r.db")
    store = SqliteStore(path, key=None, clock=lambda: NOW)
    context = multiprocessing.get_context("spawn")
    start, told = context.Event(), context.Queue()
    crowd = [context.Process(target=_crowd, args=(path, start, told)) for _ in range(4)]
    for each in crowd:
        each.start()
    start.set()
    counts = [told.get(timeout=60) for _ in crowd]
    for each in crowd:
        each.join(60)

    assert sum(counts) == frames.count(store) == 25
    assert sorted(points(frames.newest(store, limit=None))) == sorted(
        f"frame {number}" for number in range(25)
    )
    store.close()


@promise("lex:frames:once")
def test_of_a_crowd_of_threads_one_is_first(store: Store) -> None:
    counts: list[int] = []
    crowd = [threading.Thread(target=lambda: counts.append(_stored(store, 10))) for _ in range(4)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert sum(counts) == frames.count(store) == 10


@promise("lex:frames:once")
def test_the_store_itself_refuses_a_second_one(store: Store) -> None:
    """Whoever forgets to look first fails, and leaves nothing."""
    first = keep(store, is_once=True)

    def forget_to_look() -> None:
        with store.transaction():
            memory = store.memories.add(memory_draft("another", kind=Kind.FRAME, session_id=None))
            store.frames.add(
                memory.id, draft(), frame_id="x", content_hash=content_hash(draft()), is_once=True
            )

    with pytest.raises(EntryRefused, match="UNIQUE"):
        forget_to_look()
    assert frames.newest(store, limit=None) == [first]
    assert store.upkeep.counts().memories == 1


@promise("lex:images:whole")
def test_with_an_image_that_cannot_be_stored_nothing_is(
    store: Store, damage: Callable[[str], None]
) -> None:
    damage("pragma max_page_count = 300")  # a full disk, as SQLite sees one
    large = Image("image/png", bytes(2_000_000))
    with pytest.raises(ImageNotKept, match="image 2") as refused:
        keep(store, frame_id="mine", images=(PICTURE, large))
    assert isinstance(refused.value.__cause__, StoreFull)
    assert store.upkeep.counts().memories == 0
    assert frames.count(store) == 0

    damage("pragma max_page_count = 1000000")
    assert frames.image(store, keep(store, frame_id="mine", images=(large,)).id, 1) == large


RECALLED = [
    # text                 found                       because
    (
        "auth",
        ["auth", "pool"],
        "the beginning of a word is enough; the reference point weighs most",
    ),
    ("AUTH DEAD", ["auth"], "all words must begin a word, in any case"),
    ("dead auth", ["auth"], "in any order"),
    ("utton", [], "the middle of a word is not enough"),
    ("übung", ["unicode"], "letters beyond ASCII are letters"),
    ("ubung", ["unicode"], "and are found without their marks"),
    ("naïve", ["unicode"], "a mark within a word does not split it"),
    ("naïve", ["unicode"], "nor does one of its own"),
    ("証の", ["unicode"], "any run of a script without spaces"),
    ("の認", [], "only as a run"),
    ("user-admin", ["pool"], "a dash lies between words"),
    ("user_adm", ["pool"], "so does an underscore"),
    ('"auth" OR zebra*', [], "nothing is syntax: OR is a word"),
    ("NOT", [], "so is NOT"),
    ("summary_caption:auth", [], "and a column is none"),
    ("---", [], "without a letter or a digit nothing is found"),
    ("", [], "nor without anything"),
    ("\u0301", [], "a mark alone is no word"),
    ("keyword", ["pool"], "keywords are looked at"),
    ("Reroute", [], "the status is not"),
    ("services", [], "nor are modules"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = SqliteStore(str(tmp_path_factory.mktemp("r") / "r.db"), key=None, clock=lambda: NOW)
    keep(store, "auth deadlock", frame_id="auth", at=NOW - MINUTE)
    keep(
        store,
        "user-admin panel",
        frame_id="pool",
        summary_caption="waits for the authentication",
        keywords=("keywords",),
    )
    keep(store, "Übung 認証の問題", frame_id="unicode", summary_caption="naïve")
    yield store
    store.close()


@promise("lex:recall:text")
@pytest.mark.parametrize(("text", "found", "because"), RECALLED, ids=last)
def test_a_text_finds_frames_by_beginnings_of_words(
    library: Store, text: str, found: list[str], because: str
) -> None:
    assert [each.id for each in frames.recall(library, text=text, limit=10)] == found, because


@promise("lex:recall:order")
def test_the_best_match_comes_first_then_the_newest(store: Store) -> None:
    keep(store, "the pool", summary_caption="a deadlock, once more", at=NOW + MINUTE)
    for minute in (1, 3, 2):
        keep(store, "deadlock", at=NOW - minute * MINUTE)

    found = frames.recall(store, text="deadlock", limit=None)

    assert points(found) == ["deadlock", "deadlock", "deadlock", "the pool"]
    assert [each.at for each in found[:3]] == [NOW - minute * MINUTE for minute in (1, 2, 3)]
    assert frames.recall(store, text="deadlock", limit=2) == found[:2]
    assert frames.recall(store, text="deadlock", limit=0) == []


@promise("lex:recall:and")
def test_all_that_is_given_must_hold(store: Store) -> None:
    keep(store, "auth one", frame_id="1", jira="T-1", branch="main", at=NOW)
    keep(store, "auth two", frame_id="2", jira="T-1", branch="fix", at=NOW + 1)
    keep(store, "pool", frame_id="3", jira="T-2", branch="fix", at=NOW + 2)
    keep(store, "auth three", frame_id="4", branch="fix", project="beta", at=NOW + 3)
    keep(store, "auth four", frame_id="5", branch="fix", project="default", at=NOW + 4)

    def recalled(**given: Any) -> list[str]:
        return sorted(each.id for each in frames.recall(store, **{"limit": 10, **given}))

    assert recalled(jira="T-1") == ["1", "2"]
    assert recalled(jira="t-1") == []
    assert recalled(branch="fix") == ["2", "3", "4", "5"]
    assert recalled(branch="fix", jira="T-1") == ["2"]
    assert recalled(text="auth", branch="fix") == ["2", "4", "5"]
    assert recalled(text="auth", branch="fix", jira="T-2") == []
    assert recalled(text="auth", branch="fix", project="alpha") == ["2", "5"]
    assert recalled(text="---", branch="fix") == []
    assert recalled(project="beta") == ["4", "5"]


@promise("lex:list:filters")
def test_a_list_is_newest_first_and_narrowed_by_branch_module_and_time(store: Store) -> None:
    for number in range(6):
        keep(
            store,
            frame_id=f"{number}",
            at=NOW + number // 2,  # pairs have the same time
            branch="fix" if number % 2 else "main",
            module_scope=("a", "a/b") if number < 3 else ("a/b",),
            project="alpha" if number < 5 else "default",
        )

    def listed(**given: Any) -> str:
        found = [each.id for each in frames.newest(store, **{"limit": 10, **given})]
        counted = {name: given[name] for name in given if name not in ("limit", "offset")}
        assert frames.count(store, **counted) >= len(found)
        return "".join(found)

    assert listed() == "543210"
    assert listed(limit=2) == "54"
    assert listed(limit=2, offset=2) == "32"
    assert listed(offset=2**70) == ""
    assert listed(limit=2**70) == "543210"
    assert listed(branch="fix") == "531"
    assert listed(module="a") == "210"
    assert listed(module="a", branch="main") == "20"
    assert listed(module="A") == listed(module="b") == ""
    assert listed(since=NOW + 1) == "5432"
    assert listed(since=NOW + 1, module="a/b", branch="fix") == "53"
    assert listed(project="beta") == "5"
    assert listed(project="default") == "5"
    assert listed(project="alpha") == "543210"
    assert listed(project="alpha", limit=2, offset=1) == "43"
    assert listed(project="alpha", limit=None, offset=4) == "10"
    assert listed(project="alpha", limit=2**70, offset=2**70) == ""
    assert listed(project="alpha", since=NOW + 1, branch="main") == "42"
    assert frames.count(store, module="a/b", since=NOW + 1) == 4
    assert frames.state(store) == (6, NOW + 2)
    assert frames.state(store, project="beta") == (1, NOW + 2)


@promise("lex:introspect:state")
def test_an_empty_store_has_no_latest_frame(store: Store) -> None:
    assert frames.state(store) == (0, None)


@promise("lex:timeline:ticket-first")
def test_a_name_is_a_tickets_first_and_only_then_a_branchs(store: Store) -> None:
    for number, (jira, branch) in enumerate([("X", "main"), (None, "X"), ("X", "fix")]):
        keep(store, f"{number}", jira=jira, branch=branch, at=NOW - number)

    is_ticket, found = frames.of_ticket_or_branch(store, "X")
    assert (is_ticket, points(list(found))) == (True, ["2", "0"])
    is_ticket, found = frames.of_ticket_or_branch(store, "fix")
    assert (is_ticket, points(list(found))) == (False, ["2"])
    assert frames.of_ticket_or_branch(store, "zebra") == (False, ())


@promise("lex:frames:retired")
def test_a_retired_frame_is_found_no_more_and_stays_readable(store: Store) -> None:
    gone, kept = keep(store, "deadlock one", jira="T-1"), keep(store, "deadlock two", jira="T-1")
    remember.forget(store, gone.memory_id, at=NOW)

    for found in (
        frames.recall(store, text="deadlock", limit=10),
        frames.recall(store, jira="T-1", limit=10),
        frames.newest(store, limit=10),
        frames.newest(store, module="ui/panel", limit=10),
        list(frames.of_ticket_or_branch(store, "T-1").frames),
    ):
        assert found == [kept]
    assert frames.state(store).frames == 1
    assert frames.get(store, gone.id) == replace(gone, is_live=False)


@promise("lex:frames:purged")
@pytest.mark.parametrize("word", ["zebra", "plover", "flagship", "stork"])
def test_a_purged_frame_leaves_nothing(store: Store, word: str) -> None:
    keep(
        store,
        "the zebra",
        status=Status(next_action="ask the plover"),
        feature_flags=("flagship",),
        branch="stork",
        images=(PICTURE,),
        frame_id="gone",
        at=NOW - MINUTE,
    )
    kept = keep(store, "the heron", images=(PICTURE,))
    wanted = Filter(words=_tree(word))
    assert store.memories.count_for_purge(wanted).observations == 1
    with store.transaction():
        store.memories.purge(wanted)

    assert frames.newest(store, limit=None) == [kept]
    assert frames.recall(store, text=word, limit=10) == []
    with pytest.raises(FrameNotFound):
        frames.get(store, "gone")
    assert health.diagnose(store).problems == ()
    keep(store, "the zebra", frame_id="gone")


@promise("lex:frames:purged")
def test_a_purge_spares_what_it_excludes(store: Store) -> None:
    keep(store, "zebra one", feature_flags=("plover",))
    keep(store, "zebra two", at=NOW + 1)
    for tree in ("zebra NOT plover", "zebra NOT modules"):
        with store.transaction():
            store.memories.purge(Filter(words=_tree(tree)))
        assert points(frames.newest(store, limit=None)) == ["zebra one"], tree
    with store.transaction():
        store.memories.purge(Filter(words=_tree("plovers")))
    assert frames.count(store) == 0, "words are stemmed, as in every purge"


def _tree(word: str) -> Any:
    from recollect.search.grammar import parse

    return parse(word)


@promise("lex:frames:reworded")
def test_new_words_are_the_frames_too(store: Store) -> None:
    frame = keep(store, status=Status(next_action="Reroute"), images=(PICTURE,))
    public_id = store.facts.of([frame.memory_id])[frame.memory_id].public_id

    facts.reword(
        store, public_id, "that auth deadlock\nsolved by a pool", at=NOW + 1, reason="found it"
    )

    read = frames.get(store, frame.id)
    assert read == replace(frame, summary_caption="solved by a pool")
    assert frames.recall(store, text="pool", limit=10) == [read]
    assert frames.recall(store, text="button", limit=10) == []
    assert frames.recall(store, text="auth", limit=10) == [read]
    (former,) = store.memories.former(frame.memory_id)
    assert "Add User button disabled" in former.text
    with store.transaction():
        store.memories.purge(Filter(words=_tree("reroute")))
    assert frames.newest(store, limit=None) == [], "what only the frame still says counts as well"


@promise("lex:frames:index")
def test_the_index_of_words_is_made_again_and_what_is_missing_is_noticed(
    store: Store, damage: Callable[[str], None]
) -> None:
    keep(store, "deadlock", permissions=("plover",))
    gone = keep(store, "deadlock, solved")
    remember.forget(store, gone.memory_id, at=NOW)
    assert health.diagnose(store).problems == ()

    damage("insert into frame_words (frame_words) values ('delete-all')")
    damage("insert into frame_words (rowid, reference_point) values (99, 'stray')")
    assert health.diagnose(store).problems == (
        "1 rows of the word index of frames have no frame",
        "2 frames are not in their word index",
    )
    assert frames.recall(store, text="deadlock", limit=10) == []

    health.rebuild(store)
    assert health.diagnose(store).problems == ()
    assert store.memories.count_for_purge(Filter(words=_tree("plover"))).observations == 1
    assert points(frames.recall(store, text="deadlock", limit=10)) == ["deadlock"]


@pytest.fixture
def damage(store: SqliteStore) -> Callable[[str], None]:
    """Change the file as nothing of ours would."""

    def run(statement: str) -> None:
        with store.transaction():
            store._connections._writing().execute(statement)

    return run
