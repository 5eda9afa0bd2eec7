"""A frame is a memory like others: every dialect finds it, and what one does to it holds in Lex."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import models
from contract.world import NOW, World
from models import needs_model
from promises import promise
from recollect.model.frame import Frame, FrameDraft, Image, Status
from recollect.model.frame_errors import FrameNotFound
from recollect.model.memory import Origin
from recollect.service import frames
from recollect.wiring import House, open_house

PICTURES = [
    Image("image/gif", b"GIF89a\x01\0\x01\0\0\0\0;" + bytes(range(256)) * 9),
    Image("image/svg+xml", b"<svg/>"),
]
DEADLOCK = FrameDraft(
    reference_point="that auth deadlock",
    summary_caption="Handshake timeout; Add User button disabled",
    status=Status(
        next_action="Reroute user-admin-panel to the access api",
        blockers=("Review by Ümit",),
        merge_blockers=("Direct call forbidden by policy",),
        tests_failing=("test_add_user_button_enabled",),
    ),
    module_scope=("ui/user-admin-panel", "services/auth-core", "ui/user-admin-panel"),
    branch="fix/deadlock",
    at=NOW - 60_000,
    jira="TICKET-123",
    keywords=("auth", "policy-violation", "認証"),
    atlas_frame_id="atlas-7",
    feature_flags=("beta_user_admin",),
    permissions=("can_manage_users",),
    run_id="run-1",
    plan_hash="sha256-1",
    spend={"prompts": 3, "tokens_estimated": 1500},
    user_id="system-default",
)
ID = "frame-1699564800-abc123"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = open_house(World(tmp_path, NOW).settings, clock=lambda: NOW)
    yield made
    made.close()


def remember(house: House, draft: FrameDraft = DEADLOCK, frame_id: str = ID) -> Frame:
    return frames.remember(
        house.store,
        draft,
        project="alpha",
        origin=Origin.ASSISTANT,
        frame_id=frame_id,
        is_once=True,
        images=PICTURES,
    )


def call(house: House, dialect: str, tool: str, /, **arguments: object) -> Any:
    reply = house.asker(dialect, "alpha")(tool, arguments)
    assert not reply.is_error, reply.text
    return json.loads(reply.text)


SAID = [
    *("that auth deadlock", "handshake", "reroute", "Ümit", "forbidden", "認証", "TICKET-123"),
    *("test_add_user_button_enabled", "services/auth-core", "policy-violation", "fix/deadlock"),
]


@promise("lex:frames:elsewhere")
@pytest.mark.parametrize("query", SAID)
def test_nmem_finds_it_by_whatever_it_says(house: House, query: str) -> None:
    frame = remember(house)
    (found,) = call(house, "nmem", "search", query=query, obs_type="frame")
    assert found["id"] == frame.memory_id
    assert found["obs_type"] == "frame"
    assert found["content_preview"].startswith("that auth deadlock")


@promise("lex:frames:elsewhere")
def test_nmem_reads_it_whole_and_shows_it_as_recent(house: House) -> None:
    frame = remember(house)
    (whole,) = call(house, "nmem", "get_observations", ids=[frame.memory_id])
    assert "Next: Reroute user-admin-panel" in whole["content"]
    recent = call(house, "nmem", "recent_context", limit=5)
    assert [each["id"] for each in recent] == [frame.memory_id]


@promise("lex:frames:elsewhere")
def test_codexmem_finds_a_decision(house: House) -> None:
    frame = remember(house)
    ask = house.asker("codexmem", "alpha")
    asked = [
        ({"query": "deadlock"}, True),
        ({"query": "deadlock", "obs_type": "decision"}, True),
        ({"query": "deadlock", "obs_type": "discovery"}, False),
        ({"query": "deadlock", "obs_type": "change"}, False),
        ({"obs_type": "decision"}, True),
        ({"obs_type": "discovery"}, False),
        ({"type": "observations"}, True),
    ]
    for arguments, is_found in asked:
        told = ask("search", arguments)
        assert not told.is_error, told.text
        assert (f"#{frame.memory_id}" in told.text) is is_found, arguments
    whole = ask("get_observations", {"ids": [frame.memory_id]}).text
    assert "that auth deadlock" in whole
    assert "decision" in whole


@promise("lex:frames:elsewhere")
def test_codemem_finds_explains_and_packs_a_decision(house: House) -> None:
    frame = remember(house)
    (item,) = call(house, "codemem", "memory_search", query="auth deadlock")["items"]
    assert (item["id"], item["kind"], item["title"]) == (
        frame.memory_id,
        "decision",
        "that auth deadlock",
    )
    (explained,) = call(house, "codemem", "memory_explain", ids=[frame.memory_id])["items"]
    assert explained["id"] == frame.memory_id
    recent = call(house, "codemem", "memory_recent", kind="decision")["items"]
    assert [each["id"] for each in recent] == [frame.memory_id]
    assert "auth deadlock" in call(house, "codemem", "memory_pack", context="deadlock")["pack_text"]


@promise("lex:frames:elsewhere")
def test_memento_lists_it_as_a_context_of_its_project(house: House) -> None:
    remember(house)
    (item,) = call(house, "memento", "list_recent_memories")["memories"]
    assert (item["subject"], item["category"], item["confidence"]) == ("alpha", "context", 1.0)
    assert item["id"].startswith("mem_")
    assert item["tags"] == ["auth", "policy-violation", "認証"]
    assert item["content"].startswith("that auth deadlock\nHandshake timeout")
    assert call(house, "memento", "get_memory_stats")["by_category"]["context"] == 1


@promise("lex:frames:elsewhere", "lex:frames:meaning")
@needs_model
def test_memento_finds_it_by_what_it_means(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, {"RECOLLECT_MODEL_DIR": str(models.FOLDER)})
    house = open_house(world.settings, clock=lambda: NOW)
    remember(house)
    while house.embed_some():
        pass
    found = call(
        house,
        "memento",
        "search_memories",
        query="which deadlock does alpha have in authentication?",
        threshold=0.3,
    )
    assert [each["content"][:18] for each in found["memories"]] == ["that auth deadlock"]
    (item,) = call(house, "codemem", "memory_search", query="login freezes")["items"]
    assert item["title"] == "that auth deadlock"
    house.close()


@promise("lex:frames:retired")
@pytest.mark.parametrize("door", ["codemem", "memento"])
def test_what_another_dialect_retires_lex_recalls_no_more(house: House, door: str) -> None:
    frame = remember(house)
    if door == "codemem":
        call(house, "codemem", "memory_forget", memory_id=frame.memory_id)
    else:
        (item,) = call(house, "memento", "list_recent_memories")["memories"]
        call(house, "memento", "update_memory", memory_id=item["id"], mark_outdated=True)

    assert frames.recall(house.store, text="deadlock", limit=10) == []
    assert frames.newest(house.store, limit=10) == []
    assert frames.of_ticket_or_branch(house.store, "TICKET-123").frames == ()
    assert frames.state(house.store).frames == 0
    assert not frames.get(house.store, ID).is_live


@promise("lex:frames:reworded")
def test_what_memento_rewords_lex_recalls_by_its_new_words(house: House) -> None:
    remember(house)
    (item,) = call(house, "memento", "list_recent_memories")["memories"]
    new = item["content"].replace("Handshake timeout", "Solved: the pool was too small")

    told = call(house, "memento", "update_memory", memory_id=item["id"], new_content=new)

    assert told["memory"]["content"] == new
    (frame,) = frames.recall(house.store, text="pool small", limit=10)
    assert frame.summary_caption == "Solved: the pool was too small; Add User button disabled"
    assert frame.status == DEADLOCK.status
    assert frames.recall(house.store, text="handshake", limit=10) == []


@promise("lex:frames:purged")
def test_what_a_frame_said_before_is_purged_as_well(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)
    house = open_house(world.settings, clock=lambda: NOW)
    frame = remember(house)
    (item,) = call(house, "memento", "list_recent_memories")["memories"]
    updates = [
        ("solved", "the pool was too small"),
        ("solved at last", "no handshake"),
        ("done", ""),
    ]
    for said, reason in updates:
        new = {"new_content": f"that auth deadlock\n{said}", "reason": reason}
        call(house, "memento", "update_memory", memory_id=item["id"], **new)

    done = world.run("purge", "--search", "handshake", "--confirm")
    assert done.returncode == 0, done.stderr

    assert frames.get(house.store, ID).is_live, "it does not say so any more"
    (former,) = house.store.memories.former(frame.memory_id)
    assert former.text == "that auth deadlock\nsolved at last", "the reason for it is gone too"
    house.close()
    assert b"andshake" not in Path(world.settings.store).read_bytes()


@promise("lex:frames:purged")
def test_what_the_command_line_purges_is_gone_and_what_it_pins_stays(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)
    house = open_house(world.settings, clock=lambda: NOW)
    frame = remember(house)
    pinned = world.run("pin", str(frame.memory_id))
    assert pinned.returncode == 0, pinned.stderr
    assert world.run("maintain").returncode == 0
    assert frames.get(house.store, ID).is_live
    assert world.run("doctor").returncode == 0

    done = world.run("purge", "--search", "forbidden", "--confirm")
    assert done.returncode == 0, done.stderr

    with pytest.raises(FrameNotFound):
        frames.get(house.store, ID)
    assert frames.recall(house.store, text="deadlock", limit=10) == []
    assert world.run("doctor").returncode == 0
    house.close()
    written = Path(world.settings.store).read_bytes()
    assert b"GIF89a" not in written
    assert b"deadlock" not in written


@promise("lex:frames:moved")
@pytest.mark.parametrize("is_live", [True, False])
def test_an_export_brings_the_same_frame(tmp_path: Path, is_live: bool) -> None:
    old, new = World(tmp_path / "old", NOW), World(tmp_path / "new", NOW + 1)
    for world in (old, new):
        world.home.mkdir()
    house = open_house(old.settings, clock=lambda: NOW)
    kept = remember(house)
    if not is_live:
        call(house, "codemem", "memory_forget", memory_id=kept.memory_id)
        kept = frames.get(house.store, ID)
    house.close()

    line = old.run("export").stdout
    for _ in range(2):
        done = new.run("import", "-", stdin=line.encode())
        assert done.returncode == 0, done.stderr

    house = open_house(new.settings, clock=lambda: NOW)
    assert frames.get(house.store, ID) == kept
    assert [frames.image(house.store, ID, number) for number in (1, 2)] == PICTURES
    assert len(frames.recall(house.store, text="認証 dead", limit=10)) == is_live
    assert house.store.upkeep.counts().memories == 1
    assert new.run("export").stdout == line
    house.close()


REFUSED = [
    # the frame in the line                        named
    ({"frame": []}, "recollect.frame must be an object"),
    ({"frame": {"id": "x"}}, "recollect.frame.status must be an object"),
    (
        {"frame": {"id": "x", "status": {}, "reference_point": "r", "summary_caption": "c"}},
        "recollect.frame.branch is required",
    ),
    ({"frame": {"id": "x" * 201, "status": {}}}, "recollect.frame.id"),
    ({"images": [{"data": "%"}]}, "recollect.images[0] cannot be kept"),
    ({"images": ["x"]}, "recollect.images[0] must be an object"),
    ({"images": {}}, "recollect.images must be an array"),
    ({"spend": {"prompts": -1}}, "recollect.frame.spend.prompts"),
    ({"module_scope": "a"}, "recollect.frame.module_scope must be an array"),
]


@promise("lex:frames:moved")
@pytest.mark.parametrize(("changed", "named"), REFUSED, ids=str)
def test_a_line_with_a_broken_frame_is_refused_by_name(
    tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    world = World(tmp_path, NOW)
    frame: dict[str, Any] = {
        "id": "frame-1",
        "reference_point": "r",
        "summary_caption": "c",
        "branch": "main",
        "status": {"next_action": "n"},
        "module_scope": ["a"],
    }
    own = {"frame": {**frame, **changed}, **changed}
    done = world.run(
        "import", "-", stdin=json.dumps({"kind": "frame", "text": "t", "recollect": own}).encode()
    )
    assert done.returncode == 1
    assert named in done.stderr


@promise("lex:frames:moved")
def test_a_line_that_only_calls_itself_a_frame_is_a_memory_and_none_of_lexs(house: House) -> None:
    from recollect.privacy.clean import Rules
    from recollect.service import records, transfer
    from recollect.wiring import new_id

    line = {"kind": "frame", "text": "chose sqlite"}
    record = records.read(line, rules=Rules(), project="alpha", now=NOW)
    transfer.bring(house.store, [record], new_id=new_id)
    assert frames.newest(house.store, limit=None) == []
    (item,) = call(house, "memento", "list_recent_memories")["memories"]
    told = call(house, "memento", "update_memory", memory_id=item["id"], new_content="chose it")
    assert told["memory"]["content"] == "chose it"
