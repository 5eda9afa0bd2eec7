"""`memory_remember`: what it keeps, what it refuses, and who else finds it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.codemem.past import Call, caller
from contract.world import DAY, MINUTE, NOW, World
from promises import last, promise
from recollect import wiring
from recollect.dialects.codemem.kinds import KINDS

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def house(world: World) -> Iterator[wiring.House]:
    opened = world.house()
    yield opened
    opened.close()


@pytest.fixture
def call(house: wiring.House) -> Call:
    return caller(house)


def remember(call: Call, **more: object) -> int:
    told = {"kind": "decision", "title": "Keep cloves dry", "body": "Zanzibar is humid.", **more}
    id_: int = call("memory_remember", **told).json["id"]
    return id_


def row(call: Call, id_: int) -> dict[str, Any]:
    found: dict[str, Any] = call("memory_get", memory_id=id_).json
    return found


@promise("codemem:remember:kinds")
@pytest.mark.parametrize("kind", KINDS)
def test_all_eleven_kinds_can_be_remembered(call: Call, kind: str) -> None:
    kept = row(call, remember(call, kind=f" {kind.upper()} "))

    assert (kept["kind"], kept["title"]) == (kind, "Keep cloves dry")
    assert kept["body_text"] == "Zanzibar is humid."


@promise("codemem:remember:kinds")
def test_there_are_eleven_kinds() -> None:
    assert sorted(KINDS) == [
        *("bugfix", "change", "decision", "discovery", "entities", "exploration"),
        *("feature", "note", "observation", "refactor", "session_summary"),
    ]


REFUSED = [
    # kind        because
    ("wisdom", "an unknown kind is refused, and the known ones are named"),
    ("project", "of a project, a decision is what is meant"),
    ("", "a blank kind is none"),
]


@promise("codemem:remember:unknown-kind")
@pytest.mark.parametrize(("kind", "because"), REFUSED, ids=last)
def test_an_unknown_kind_is_refused_with_the_allowed_ones(
    call: Call, kind: str, because: str
) -> None:
    error = call("memory_remember", kind=kind, title="x", body="y").error

    told = json.loads(error)["error"]
    assert told.startswith(f"kind must be one of {', '.join(KINDS)}")
    assert ("decision" in told.removeprefix(f"kind must be one of {', '.join(KINDS)}")) == (
        kind == "project"
    )
    assert call("memory_recent").json["items"] == []


@promise("codemem:remember:fields")
def test_it_keeps_session_speaker_time_and_confidence(call: Call) -> None:
    kept = row(
        call,
        remember(
            call,
            session_id="monday",
            speaker="Ada",
            created_at="2024-01-15T10:30:00Z",
            confidence=0,
            project="/code/beta",
        ),
    )

    assert (kept["session_id"], kept["actor_display_name"]) == ("monday", "Ada")
    assert kept["created_at"] == "2024-01-15T10:30:00+00:00"
    assert (kept["confidence"], kept["project"], kept["origin_source"]) == (0, "beta", "assistant")


TIMES = [
    # created_at                  kept                                because
    (1_705_314_600, "2024-01-15T10:30:00+00:00", "seconds since 1970"),
    (1_705_314_600_123, "2024-01-15T10:30:00.123000+00:00", "milliseconds since 1970"),
    ("2024-01-15", "2024-01-15T00:00:00+00:00", "a day is its midnight"),
    ("2024-01-15T12:30:00+02:00", "2024-01-15T10:30:00+00:00", "any zone, told in UTC"),
    (None, "2026-09-21T14:13:20+00:00", "without one it is now"),
]


@promise("codemem:remember:fields")
@pytest.mark.parametrize(("created_at", "kept", "because"), TIMES, ids=last)
def test_a_time_in_many_forms(call: Call, created_at: object, kept: str, because: str) -> None:
    assert row(call, remember(call, created_at=created_at))["created_at"] == kept


@promise("codemem:remember:fields")
def test_without_a_confidence_it_is_one_half(call: Call) -> None:
    for kind in ("decision", "session_summary"):
        assert row(call, remember(call, kind=kind))["confidence"] == 0.5
        assert row(call, remember(call, kind=kind, confidence=0.9))["confidence"] == 0.9


@promise("codemem:remember:session")
def test_without_a_session_it_stands_beside_the_newest_of_its_project(
    world: World, call: Call
) -> None:
    world.bash("make", session="tuesday", at=NOW - DAY)
    world.bash("make", session="b1", cwd="/code/beta")

    assert row(call, remember(call))["session_id"] == "tuesday"
    assert row(call, remember(call, project="gamma"))["session_id"] == f"mark-{NOW // 1000}"


@promise("codemem:remember:privacy")
def test_secrets_and_private_blocks_are_gone_before_anything_is_written(
    world: World, call: Call
) -> None:
    id_ = remember(
        call,
        title=f"The key {SECRET}",
        body=f"Use <private>my own diary</private> {SECRET}",
        speaker="Ada<private>hidden speaker</private>",
    )

    kept = row(call, id_)
    assert kept["title"] == "The key [REDACTED]"
    assert kept["body_text"] == "Use  [REDACTED]"
    assert kept["actor_display_name"] == "Ada"
    assert kept["metadata_json"] == {"redacted": True}
    written = b"".join(path.read_bytes() for path in world.home.rglob("*") if path.is_file())
    for gone in (SECRET, "my own diary", "hidden speaker"):
        assert gone.encode() not in written


@promise("codemem:remember:privacy")
@pytest.mark.parametrize("name", ["title", "body"])
def test_what_is_wholly_private_is_refused_by_name(call: Call, name: str) -> None:
    given = {"kind": "note", "title": "a", "body": "b", name: "<private>all of it</private>"}

    assert call("memory_remember", **given).error == f'{{"error":"{name} must not be empty"}}'


@promise("codemem:remember:nmem")
@pytest.mark.parametrize("word", ["cloves", "humid"])
def test_nmem_s_search_finds_title_and_body(world: World, call: Call, word: str) -> None:
    id_ = remember(call, project="alpha")
    nmem = world.door("stdio", cwd=str(world.home / "alpha"))

    (found,) = nmem.call("search", query=word).json
    (whole,) = nmem.call("get_observations", ids=[id_]).json
    nmem.close()

    assert (found["id"], found["obs_type"]) == (id_, "decision")
    assert whole["content"] == "Keep cloves dry\nZanzibar is humid."


@promise("codemem:remember:nmem")
def test_a_note_is_what_nmem_calls_a_marker(world: World, call: Call) -> None:
    remember(call, kind="note")

    (found,) = json.loads(world.run("search", "cloves", "--type", "marker").stdout)
    assert found["obs_type"] == "marker"


@promise("codemem:remember:claim")
def test_it_claims_something_about_its_project(house: wiring.House, call: Call) -> None:
    id_ = remember(call, confidence=0.7)

    claimed = house.store.facts.of([id_])[id_]
    assert (claimed.claim.subject, claimed.claim.category) == ("alpha", "context")
    assert claimed.claim.confidence == 0.7
    assert claimed.public_id.startswith("mem_")
    assert claimed.is_live


@promise("codemem:remember:memento")
def test_memento_and_codemem_see_the_same_memories(house: wiring.House, call: Call) -> None:
    id_ = remember(call, confidence=0.7)
    memento = house.asker("memento", "alpha")

    (listed,) = json.loads(memento("list_recent_memories", {}).text)["memories"]
    assert listed["content"] == "Keep cloves dry\nZanzibar is humid."
    assert (listed["subject"], listed["category"]) == ("alpha", "context")
    assert listed["confidence"] == 0.7

    fact = {"content": "Emma likes cinnamon", "subject": "Emma", "category": "preference"}
    memento("store_memory", fact)
    (found,) = call("memory_explain", query="cinnamon", project="*").json["items"]
    assert (found["kind"], found["title"]) == ("note", "Emma likes cinnamon")

    memento("update_memory", {"memory_id": listed["id"], "new_content": "Cloves may get wet\nNow."})
    kept = row(call, id_)
    assert (kept["title"], kept["body_text"]) == ("Cloves may get wet", "Cloves may get wet\nNow.")

    gone = {"memory_id": listed["id"], "mark_outdated": True, "reason": "moved"}
    assert not memento("update_memory", gone).is_error
    assert call("memory_get", memory_id=id_).is_error
    assert call("memory_explain", ids=[id_]).json["missing_ids"] == [id_]


@promise("codemem:remember:export")
def test_it_is_exported_and_imported_as_the_same_memory(
    world: World, call: Call, tmp_path: Path
) -> None:
    for kind in KINDS:
        remember(call, kind=kind, speaker="Ada", confidence=0.25)
    exported = world.run("export").stdout
    other = World(tmp_path / "other", NOW)
    other.home.mkdir()
    (other.home / "in.jsonl").write_text(exported)

    assert other.run("import", str(other.home / "in.jsonl")).returncode == 0

    assert other.run("export").stdout == exported


@promise("codemem:remember:summary")
def test_a_remembered_summary_is_not_rewritten_by_one_that_is_made(
    world: World, house: wiring.House, call: Call
) -> None:
    world.prompt("Dry the cloves", session="monday", at=NOW - DAY)
    world.bash("make dry", session="monday", at=NOW - DAY + MINUTE)
    id_ = remember(call, kind="session_summary", session_id="monday", created_at=NOW - DAY)
    world.hook("Stop", session="monday", at=NOW - DAY + 2 * MINUTE)
    house.catch_up()

    kept = row(call, id_)
    assert (kept["title"], kept["body_text"]) == ("Keep cloves dry", "Zanzibar is humid.")
    rows = call("memory_recent", kind="session_summary").json["items"]
    assert len(rows) == 2, "that of the session's end stands beside it"

    world.run("purge", "--session", "monday", "--type", "command", "--confirm")
    assert row(call, id_)["body_text"] == "Zanzibar is humid.", "nor is it by a purge"
