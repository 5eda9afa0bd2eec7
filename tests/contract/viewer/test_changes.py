"""What the page changes, seen from every door: pinned, said otherwise, outdated, restored, gone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contract.viewer.past import HOUR, NOW, Viewer, fill, served
from contract.world import World
from promises import promise
from recollect.model.frame import FrameDraft, Status
from recollect.model.memory import Origin
from recollect.service import frames

EDIT = "/code/alpha/src/auth/session.py"
EVERYWHERE = ("nmem", "codexmem", "codemem")


@pytest.fixture
def filled(tmp_path: Path) -> Any:
    """With `fill` in it, and for the test alone."""
    world = World(tmp_path, NOW)
    fill(world)
    with served(world) as viewer:
        yield viewer


def found_by(viewer: Viewer, dialect: str, query: str) -> str:
    """What the search of a dialect tells."""
    tool = {"nmem": "search", "codexmem": "search", "codemem": "memory_search"}[dialect]
    return viewer.call(dialect, tool, query=query)


@promise("viewer:pin")
def test_a_memory_is_pinned_and_let_go(filled: Viewer) -> None:
    assert filled.post("memories/4/pin", pinned=True)["is_pinned"]
    assert [each["id"] for each in filled.get("memories", pinned="true")["items"]] == [4]
    assert 4 not in [each["id"] for each in filled.get("memories", pinned="false")["items"]]
    (shown,) = json.loads(filled.call("nmem", "get_observations", ids=[4]))
    assert shown["is_pinned"] is True
    assert not filled.post("memories/4/pin", pinned=False)["is_pinned"]
    assert filled.get("memories", pinned="true")["items"] == []


@promise("viewer:edit")
def test_what_is_said_otherwise_is_said_so_at_every_door(filled: Viewer) -> None:
    was = filled.get("memories/4")
    shown = filled.post(
        "memories/4/edit", text="Zebras are striped.", title="Zebras", reason="it was wrong"
    )
    assert (shown["title"], shown["text"], shown["origin"]) == (
        "Zebras",
        "Zebras are striped.",
        was["origin"],
    )
    assert shown["history"] == [
        {
            "changed_at": NOW,
            "title": was["title"],
            "text": was["text"],
            "reason": "it was wrong",
        }
    ]
    portrait = shown["portrait"]
    assert (portrait["title"], portrait["narrative"], portrait["facts"], portrait["made_by"]) == (
        "Zebras",
        "Zebras are striped.",
        [],
        "hand",
    )
    for dialect in EVERYWHERE:
        assert "ebras" in found_by(filled, dialect, "zebras striped"), dialect
    assert 4 not in [each["id"] for each in json.loads(found_by(filled, "nmem", "refresh"))]
    filled.post("memories/4/edit", text="Zebras are striped.", title="Zebras")
    assert len(filled.get("memories/4")["history"]) == 1, "the same words change nothing"


@promise("viewer:edit")
def test_a_title_that_is_not_named_stays_and_an_empty_one_is_none(filled: Viewer) -> None:
    was = filled.get("memories/4")["title"]
    assert filled.post("memories/4/edit", text="other words")["title"] == was
    painted = filled.post("memories/4/edit", text="other words", title="")
    assert painted["portrait"]["title"] == "other words"
    fact = _fact(filled)
    assert filled.post(f"memories/{fact}/edit", text="x", title="t")["title"] == "t"
    assert filled.post(f"memories/{fact}/edit", text="x", title="")["title"] is None


@promise("viewer:edit")
def test_a_summary_said_otherwise_is_not_said_over(filled: Viewer) -> None:
    filled.post("memories/6/edit", text="It was the cookie.", title="Login mended")
    filled.world.prompt("once more", session="a", at=NOW - 1)
    filled.world.read("/code/alpha/a.py", session="a", at=NOW - 1)
    filled.world.hook("SessionEnd", session="a", at=NOW - 1, reason="exit")
    filled.house.catch_up()
    summary = filled.get("sessions/1")["summary"]
    assert (summary["id"], summary["text"]) == (6, "It was the cookie.")
    trace = json.loads(filled.call("nmem", "session_trace", session_id="a"))
    assert trace["summary"]["intent"] == "Login mended"
    assert trace["summary"]["notes"] == "It was the cookie."


@promise("viewer:edit:private")
def test_what_is_written_by_hand_is_cleaned_first(filled: Viewer) -> None:
    shown = filled.post(
        "memories/4/edit",
        text="The key is ghp_0123456789abcdefghijklmnopqrstuvwxyz <private>and mine</private>.",
        title="token=ghp_0123456789abcdefghijklmnopqrstuvwxyz",
        reason="<private>nobody's business</private>",
    )
    told = json.dumps(shown)
    assert "ghp_" not in told
    assert "mine" not in told
    assert "business" not in told
    assert "[REDACTED]" in shown["text"]


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("memories/4/pin", {}, "pinned is required", "nothing is named"),
    ("memories/4/pin", {"pinned": None}, "pinned is required", "null is nothing"),
    ("memories/4/pin", {"pinned": "yes"}, "pinned must be true or false", "no flag"),
    ("memories/4/edit", {}, "text is required", "no text"),
    ("memories/4/edit", {"text": ""}, "text must not be empty", "an empty text"),
    ("memories/4/edit", {"text": "  "}, "text must not be empty", "a blank text"),
    ("memories/4/edit", {"text": ["x"]}, "text must be a text", "no text at all"),
    ("memories/4/edit", {"text": "x" * 100_001}, "at most 100000", "too long a text"),
    ("memories/4/edit", {"text": "x", "title": "x" * 501}, "at most 500", "too long a title"),
    ("memories/4/edit", {"text": "x", "title": 7}, "title must be a text", "no title"),
    ("memories/4/edit", {"text": "<private>x</private>"}, "text holds nothing but", "private"),
    ("memories/4/outdate", {"reason": 7}, "reason must be a text", "no reason"),
]


@promise("viewer:refused")
@pytest.mark.parametrize(
    ("path", "body", "text", "because"), REFUSED, ids=[row[3] for row in REFUSED]
)
def test_what_cannot_be_written_is_named(
    past: Viewer, path: str, body: dict[str, Any], text: str, because: str
) -> None:
    status, told = past.rejected(path, **body)
    assert status == 400
    assert text in told


@promise("viewer:refused")
@pytest.mark.parametrize("change", ["pin", "edit", "outdate", "restore"])
def test_a_memory_that_is_not_there_cannot_be_changed(past: Viewer, change: str) -> None:
    status, told = past.rejected(f"memories/999/{change}", pinned=True, text="x")
    assert (status, told) == (404, "there is no memory 999")


@promise("viewer:outdate")
def test_what_is_outdated_is_found_by_no_door_until_it_is_restored(filled: Viewer) -> None:
    (before,) = filled.get("memories", type="file_edit")["items"]
    shown = filled.post("memories/4/outdate", reason="it was another file")
    assert (shown["is_outdated"], shown["outdated_at"]) == (True, NOW)
    assert shown["history"][0]["reason"] == "it was another file"
    assert (
        filled.texts(type="file_edit") == filled.texts(q="refresh cookie", type="file_edit") == []
    )
    assert filled.texts(outdated="true") == [before["text"]]
    assert filled.texts(outdated="true", q="refresh") == [before["text"]]
    assert filled.texts(outdated="true", q="zebra") == []
    assert filled.get("memories")["total"] == 6
    for dialect in EVERYWHERE:
        assert '"id":4' not in found_by(filled, dialect, "refresh").replace(" ", ""), dialect
    assert "#4" not in filled.get("told", project="alpha")["text"]

    assert filled.post("memories/4/outdate")["outdated_at"] == NOW, "once more changes nothing"
    assert filled.rejected("memories/4/edit", text="x") == (
        400,
        "text cannot be changed while it is outdated; restore it",
    )

    assert not filled.post("memories/4/restore")["is_outdated"]
    assert filled.get("memories", type="file_edit")["items"] == [before]
    assert filled.texts(q="refresh cookie", type="file_edit") == [before["text"]]
    for dialect in EVERYWHERE:
        assert "refresh" in found_by(filled, dialect, "refresh"), dialect
    assert "#4" in filled.get("told", project="alpha")["text"]
    assert not filled.post("memories/4/restore")["is_outdated"], "once more changes nothing"


@promise("viewer:outdate")
def test_a_fact_comes_back_beside_one_that_was_stored_meanwhile(empty: Viewer) -> None:
    first = _fact(empty)
    empty.post(f"memories/{first}/outdate", reason="she changed her mind")
    assert empty.get(f"memories/{first}")["claim"]["reason"] == "she changed her mind"
    second = _fact(empty)
    assert second != first
    assert empty.post(f"memories/{first}/restore")["claim"]["reason"] is None
    listed = json.loads(empty.call("memento", "list_recent_memories"))["memories"]
    assert [each["content"] for each in listed] == ["likes tea", "likes tea"]
    empty.post(f"memories/{first}/outdate")
    assert _fact(empty) == second, "the one that is live is still the same"


@promise("viewer:outdate")
def test_a_frame_comes_back_as_a_frame(empty: Viewer) -> None:
    kept = _frame(empty, "frame-1")
    empty.post(f"memories/{kept}/outdate")
    assert empty.get("frames")["items"] == []
    again = _frame(empty, "frame-2")
    empty.post(f"memories/{kept}/restore")
    assert [each["memory"] for each in empty.get("frames")["items"]] == [again, kept]
    assert empty.rejected(f"memories/{kept}/edit", text="x", title="another") == (
        400,
        "title cannot be changed: it is the frame's reference point",
    )
    said = empty.post(f"memories/{kept}/edit", text="Where we stood\nNow all is well")
    assert said["frame"]["summary_caption"] == "Now all is well"


@promise("viewer:delete")
def test_what_is_deleted_is_gone_for_good(filled: Viewer) -> None:
    filled.post("memories/4/edit", text="xylophone quarks", title="xylophone", reason="xylophone")
    filled.post("memories/4/outdate")
    answered = filled.delete("memories/4")
    assert answered == {"id": 4, "purged": True}
    again = filled.http.delete("/api/viewer/memories/4")
    assert (again.status_code, again.json()) == (404, {"error": "there is no memory 4"})
    store = Path(filled.world.settings.store)
    for file in (store, store.with_name(f"{store.name}-wal")):
        content = file.read_bytes()
        assert b"xylophone" not in content
        assert b"refresh(cookie)" not in content
    assert filled.texts(outdated="true") == []
    assert filled.texts(q="xylophone") == []
    assert "refresh(cookie)" not in filled.get("sessions/1")["summary"]["text"]


def _fact(viewer: Viewer) -> int:
    stored = viewer.call(
        "memento", "store_memory", subject="Ann", category="preference", content="likes tea"
    )
    claimed = viewer.house.store.facts.find(json.loads(stored)["id"])
    assert claimed is not None
    return claimed.memory_id


def _frame(viewer: Viewer, frame_id: str) -> int:
    draft = FrameDraft(
        reference_point="Where we stood",
        summary_caption="The tests are red",
        status=Status(next_action="Mend them"),
        module_scope=("core",),
        branch="main",
        at=NOW - HOUR,
    )
    kept = frames.remember(
        viewer.house.store,
        draft,
        project="alpha",
        origin=Origin.TOOL,
        frame_id=frame_id,
        is_once=True,
    )
    return kept.memory_id
