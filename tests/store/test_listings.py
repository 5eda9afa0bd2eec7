"""Listings: what the conditions mean together, and the order that pages come in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.portrait import Portrait
from recollect.store.port.listings import Listing
from recollect.store.port.store import Store

DRAFT = Draft(
    kind=Kind.OBSERVATION,
    type=Type.COMMAND,
    text="make",
    project="alpha",
    session_id=None,
    created_at=0,
    origin=Origin.TOOL,
    source_event="PostToolUse",
)
PORTRAIT = Portrait(
    type="bugfix",
    title="Make builds again",
    subtitle=None,
    facts=(),
    narrative="",
    concepts=("Build",),
    files_read=("src/a.py",),
    files_modified=("src/deep/b.py",),
)
EVERYTHING = Listing(kinds=frozenset({Kind.OBSERVATION, Kind.PROMPT}))


@pytest.fixture
def kept(store: Store) -> list[Memory]:
    """Three at the same moment and one before; the first has a portrait."""
    with store.transaction():
        kept = [
            store.memories.add(replace(DRAFT, created_at=5)),
            store.memories.add(
                replace(DRAFT, created_at=5, type=Type.FILE_EDIT, file_path="/a.py")
            ),
            store.memories.add(replace(DRAFT, created_at=5, kind=Kind.PROMPT, project="beta")),
            store.memories.add(replace(DRAFT, created_at=4, concepts=("build",))),
        ]
        store.portraits.paint(kept[0].id, PORTRAIT, made_by="rules")
    return kept


CONDITIONS: list[tuple[Listing, list[int], str]] = [
    (EVERYTHING, [2, 1, 0, 3], "newest first; of one moment, the later ids"),
    (replace(EVERYTHING, project="alpha"), [1, 0, 3], "a project"),
    (replace(EVERYTHING, since=5), [2, 1, 0], "since, inclusive"),
    (replace(EVERYTHING, until=4), [3], "until, inclusive"),
    (replace(EVERYTHING, kinds=frozenset({Kind.PROMPT})), [2], "a kind"),
    (replace(EVERYTHING, concepts=frozenset({"build"})), [0, 3], "a concept, whatever its case"),
    (replace(EVERYTHING, files=frozenset({"b.py"})), [0], "the end of a path in a portrait"),
    (replace(EVERYTHING, files=frozenset({"a.py"})), [1, 0], "a path that has no more than that"),
    (replace(EVERYTHING, files=frozenset({".py"})), [], "no half of a name"),
    (
        replace(EVERYTHING, portrait_types=frozenset({"bugfix"}), types=frozenset({"file_edit"})),
        [1, 0],
        "a portrait's type, and the own of those without",
    ),
    (
        replace(EVERYTHING, portrait_types=frozenset({"none"}), types=frozenset({"command"})),
        [2, 3],
        "who has a portrait is what it says",
    ),
]


@pytest.mark.parametrize(
    ("wanted", "places", "because"), CONDITIONS, ids=[row[-1] for row in CONDITIONS]
)
def test_conditions(
    store: Store, kept: list[Memory], wanted: Listing, places: list[int], because: str
) -> None:
    ids = [kept[place].id for place in places]

    assert [memory.id for memory in store.listings.page(wanted, limit=10)] == ids
    assert store.listings.ids(wanted) == ids
    assert store.listings.count(wanted) == len(ids)


def test_pages_go_both_ways_and_among_ids_as_well(store: Store, kept: list[Memory]) -> None:
    ids = [memory.id for memory in kept]
    among = replace(EVERYTHING, ids=(ids[3], ids[1], ids[1], 99))

    def page(wanted: Listing, *, up: bool = False, limit: int = 2, offset: int = 0) -> list[int]:
        found = store.listings.page(wanted, is_ascending=up, limit=limit, offset=offset)
        return [ids.index(memory.id) for memory in found]

    assert page(EVERYTHING) + page(EVERYTHING, offset=2) == [2, 1, 0, 3]
    assert page(EVERYTHING, up=True, limit=9) == [3, 0, 1, 2]
    assert page(among) == [1, 3], "each once"
    assert page(among, up=True) == [3, 1]
    assert page(among, limit=1, offset=1) == [3]
    assert page(replace(among, files=frozenset({"a.py"}))) == [1], "both conditions"
    assert store.listings.count(among) == 2


def test_what_was_retired_is_in_no_listing(store: Store, kept: list[Memory]) -> None:
    with store.transaction():
        store.memories.retire(kept[1].id, at=9)

    assert kept[1].id not in store.listings.ids(EVERYTHING)
    assert store.listings.page(replace(EVERYTHING, ids=(kept[1].id,)), limit=9) == []
