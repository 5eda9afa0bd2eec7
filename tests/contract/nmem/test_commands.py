"""nmem's command line."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlcipher3 import dbapi2 as sqlite

from contract.world import DAY, NOW, World
from promises import last, promise
from recollect.capture import spool


@promise("nmem:cli:search", "nmem:cli:search-stderr")
def test_search_prints_the_index_as_json(world: World) -> None:
    world.bash("cargo test", at=NOW)

    done = world.run("search", "cargo")

    assert json.loads(done.stdout) == [
        {
            "id": 1,
            "timestamp": NOW // 1000,
            "obs_type": "command",
            "content_preview": "cargo test",
            "file_path": None,
            "session_id": "s1",
            "is_pinned": False,
        }
    ]
    assert done.stderr == 'nmem: 1 results for "cargo"\n'


@promise("nmem:cli:search")
def test_search_prints_whole_observations_or_ids(world: World) -> None:
    world.bash("cargo test")
    world.bash("cargo build")

    full = world.run("search", "cargo", "--full")
    ids = world.run("search", "cargo", "--ids")

    assert {"source_event", "tool_name", "content", "metadata", "project"} <= set(
        json.loads(full.stdout)[0]
    )
    assert sorted(ids.stdout.split()) == ["1", "2"]
    assert ids.stderr == 'nmem: 2 results for "cargo"\n'


SEARCHES = [
    # arguments                             how many   because
    (["echo"], 20, "twenty by default"),
    (["echo", "--limit", "500"], 100, "the limit is held to 100"),
    (["echo", "--limit", "-1"], 1, "and to 1"),
    (["echo", "--project", "/x/beta"], 1, "a project may be a path"),
    (["echo", "--type", "file_read"], 0, "the type filters"),
    ([""], 0, "an empty query finds nothing"),
]


@promise("nmem:cli:search-filters")
@pytest.mark.parametrize(("arguments", "count", "because"), SEARCHES, ids=last)
def test_search_keeps_to_its_flags(
    world: World, arguments: list[str], count: int, because: str
) -> None:
    for number in range(120):
        world.bash(f"echo {number}")
    world.bash("echo far", cwd="/code/beta")

    done = world.run("search", "--ids", *arguments)

    assert len(done.stdout.split()) == count
    assert done.stderr == f'nmem: {count} results for "{arguments[0]}"\n'


@promise("nmem:cli:search")
def test_a_malformed_query_exits_1_and_says_why(world: World) -> None:
    world.bash("make")

    done = world.run("search", '"auth')

    assert (done.returncode, done.stdout) == (1, "")
    assert "unbalanced quote" in done.stderr


@promise("nmem:cli:missing-store")
def test_a_missing_store_is_empty_to_search_and_status_and_told_by_others(world: World) -> None:
    assert world.run("search", "x").stdout == "[]\n"
    assert world.run("status").stdout == f"no database at {world.settings.store}\n"
    assert world.run("status").returncode == 0
    for command in (["context"], ["pin", "1"], ["purge", "--id", "1"], ["maintain"]):
        done = world.run(*command)
        assert done.returncode == 1, command
        assert f"database not found: {world.settings.store}" in done.stderr
    assert not Path(world.settings.store).exists()


@promise("nmem:cli:pin")
def test_pin_and_unpin_turn_the_mark_on_and_off(world: World) -> None:
    world.bash("make")

    assert world.run("pin", "1").stderr == "nmem: pinned observation 1\n"
    assert json.loads(world.run("search", "make").stdout)[0]["is_pinned"] is True
    assert world.run("unpin", "1").stderr == "nmem: unpinned observation 1\n"
    assert json.loads(world.run("search", "make").stdout)[0]["is_pinned"] is False


@promise("nmem:cli:pin")
@pytest.mark.parametrize("id_", ["99", "0", "-3", str(10**30)])
def test_pinning_what_is_not_there_exits_1(world: World, id_: str) -> None:
    world.bash("make")

    done = world.run("pin", "--", id_)

    assert done.returncode == 1
    assert f"observation {id_} not found" in done.stderr


@promise("nmem:cli:mark")
def test_a_mark_is_a_marker_beside_the_newest_session(world: World) -> None:
    world.bash("make", cwd="/code/alpha")

    marked = world.run("mark", "We chose WAL mode", "--project", "alpha")
    alone = world.run("mark", "Elsewhere", "--project", "gamma")

    assert marked.stdout == "2\n"
    (found,) = json.loads(world.run("search", "WAL", "--full").stdout)
    assert (found["obs_type"], found["source_event"]) == ("marker", "AgentMarker")
    assert (found["session_id"], found["project"]) == ("s1", "alpha")
    (other,) = json.loads(world.run("search", "Elsewhere", "--full").stdout)
    assert other["session_id"].startswith("mark-")
    assert alone.stderr == ""


@promise("nmem:cli:mark", "nmem:cli:context")
def test_a_deleted_working_directory_stops_no_command(world: World, tmp_path: Path) -> None:
    world.bash("make", cwd="")
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    command = [sys.executable, "-m", "recollect.cli.main"]
    for arguments in (["mark", "here"], ["context"], ["status"]):
        done = subprocess.run(
            ["sh", "-c", script, "sh", *command, *arguments, "--db", world.settings.store],
            env=world.environ,
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), arguments


@promise("nmem:cli:mark")
def test_a_secret_in_a_mark_is_redacted_and_told(world: World) -> None:
    done = world.run("mark", "password=hunter2 for the router")

    assert "[REDACTED]" in done.stderr
    (found,) = json.loads(world.run("search", "router", "--full").stdout)
    assert "hunter2" not in found["content"]


@promise("nmem:cli:mark")
@pytest.mark.parametrize("text", ["", "   ", "<private>all of it</private>"])
def test_an_empty_mark_is_refused(world: World, text: str) -> None:
    done = world.run("mark", text)

    assert done.returncode == 1
    assert "text must not be empty" in done.stderr


@promise("nmem:cli:status")
def test_status_tells_what_there_is(world: World) -> None:
    world.prompt("Fix it")
    for number in range(3):
        world.bash(f"make {number}")
    world.read("/a")
    world.run("pin", "2")

    lines = world.run("status").stdout.splitlines()

    assert lines[0].startswith("database — ")
    assert lines[0].endswith(" WAL)")
    assert lines[1:5] == [
        "observations — 4 (command: 3, file_read: 1)",
        "pinned — 1",
        "prompts — 1",
        "sessions — 1",
    ]
    assert lines[5].startswith("last session — 20")
    assert lines[5].endswith("(project: alpha)")
    assert "encryption — disabled" in lines
    assert "spool — 0 waiting" in lines


@promise("nmem:cli:status", "nmem:spool:quarantine")
def test_an_entry_that_can_never_be_stored_is_put_aside_and_shown(world: World) -> None:
    world.bash("make one")
    (spooled,) = Path(world.settings.spool_dir).glob("*.json")
    broken = spooled.with_name("00000000000000000001-1-x.json")
    broken.write_text('{"v": 1, "kind": "surprise"}', encoding="utf-8")

    status = world.run("status")

    assert "observations — 1 (command: 1)" in status.stdout
    assert "put aside — 00000000000000000001-1-x.json: the entry's key is not a text" in (
        status.stdout
    )
    assert world.run("doctor").returncode == 1


FILTERS = [
    # flags                                            what is left    because
    (["--session", "s1"], [], "a session goes whole"),
    (["--id", "2"], [1, 3, 4], "one id"),
    (["--type", "command"], [1, 3], "a type"),
    (["--session", "s1", "--type", "command"], [1, 3], "all filters must hold, the rest stays"),
    (["--project", "/w/alpha"], [], "a project may be a path"),
    (["--project", "beta"], [1, 2, 3, 4], "another project is another"),
    (["--search", "cargo NOT build"], [1, 3, 4], "what a search finds"),
    (["--search", "😀"], [1, 2, 3, 4], "a search that finds nothing purges nothing"),
    (["--before", "2026-09-21"], [3, 4], "before a day, in UTC"),
    (["--type", "command", "--older-than", "0"], [1, 3], "no days means everything"),
    (["--type", "command", "--older-than", "36500"], [1, 2, 3, 4], "a hundred years mean nothing"),
]


def purgeable(world: World) -> None:
    day = 1_789_948_800_000  # 2026-09-21T00:00:00Z
    world.prompt("Make it build", at=day - DAY)  # 1
    world.bash("cargo test", at=day - 1)  # 2
    world.read("/code/alpha/a.py", at=day)  # 3
    world.bash("cargo build", at=day + 1)  # 4


def left(world: World) -> list[int]:
    house = world.house()
    found = [memory.id for memory in house.store.memories.of_session("s1")]
    house.close()
    return sorted(found)


@promise("nmem:cli:purge-filters")
@pytest.mark.parametrize(("flags", "remaining", "because"), FILTERS, ids=last)
def test_purge_removes_what_every_filter_means(
    world: World, flags: list[str], remaining: list[int], because: str
) -> None:
    purgeable(world)

    done = world.run("purge", *flags, "--confirm")

    assert done.returncode == 0
    assert left(world) == remaining
    house = world.house()
    assert house.store.upkeep.strays() == (0, 0)
    assert (house.store.sessions.find("s1") is None) == (remaining == [])


@promise("nmem:cli:purge-dry-run")
def test_purge_without_confirm_only_says_what_it_would_do(world: World) -> None:
    purgeable(world)

    dry = world.run("purge", "--session", "s1")
    wet = world.run("purge", "--session", "s1", "--confirm")
    again = world.run("purge", "--session", "s1", "--confirm")

    assert dry.stderr == (
        "nmem: would purge 3 observations, 1 prompts, 1 sessions\n"
        "nmem: re-run with --confirm to delete\n"
    )
    assert wet.stderr == "nmem: purged 3 observations, 1 prompts, 1 sessions\n"
    assert again.stderr == "nmem: nothing to purge\n"


BAD_PURGES = [
    # flags                            words of the error           because
    ([], "needs at least one filter", "without a filter nothing is purged"),
    (["--confirm"], "needs at least one filter", "not even when confirmed"),
    (["--before", "2026-02-30"], "YYYY-MM-DD", "a day must exist"),
    (["--before", "yesterday"], "YYYY-MM-DD", "and be written as one"),
    (["--older-than", "5"], "needs --type", "an age needs a type"),
    (["--search", '"x'], "unbalanced quote", "a search must be readable"),
]


@promise("nmem:cli:purge-filters")
@pytest.mark.parametrize(("flags", "error", "because"), BAD_PURGES, ids=last)
def test_a_purge_that_cannot_be_meant_is_refused(
    world: World, flags: list[str], error: str, because: str
) -> None:
    purgeable(world)

    done = world.run("purge", *flags)

    assert done.returncode == 1
    assert error in done.stderr
    assert left(world) == [1, 2, 3, 4]


@promise("nmem:cli:purge-for-good")
def test_what_is_purged_is_gone_from_every_file(world: World, tmp_path: Path) -> None:
    world.prompt("Look at the parsnip")
    world.bash("echo parsnip")
    world.bash("echo turnip")
    world.edit("/code/alpha/parsnip.py")
    world.hook("Stop")
    assert any(_contains(path, b"parsnip") for path in tmp_path.rglob("*"))
    world.house().close()

    world.run("pin", "2")
    assert world.run("purge", "--search", "parsnip", "--confirm").returncode == 0

    assert [path for path in tmp_path.rglob("*") if _contains(path, b"parsnip")] == []
    (summary,) = json.loads(world.run("search", "turnip", "--type", "session_summary").stdout)
    assert "turnip" in summary["content_preview"]


@promise("nmem:cli:purge-for-good")
def test_a_purge_says_when_a_reader_keeps_the_log(world: World, tmp_path: Path) -> None:
    world.bash("echo parsnip")
    world.bash("echo turnip")
    world.house().close()
    reader = sqlite.connect(world.settings.store, isolation_level=None)
    reader.execute("begin")
    reader.execute("select count(*) from memories").fetchone()

    done = world.run("purge", "--search", "parsnip", "--confirm")
    reader.close()

    assert done.returncode == 1
    assert "it is removed, but the log still holds it" in done.stderr
    assert left(world) == [2]
    assert world.run("maintain").returncode == 0
    assert [path for path in tmp_path.rglob("*") if _contains(path, b"parsnip")] == []


@promise("nmem:cli:purge-for-good")
def test_what_only_the_event_held_is_purged_as_well(world: World, tmp_path: Path) -> None:
    world.tool("Task", description="Plan it", prompt="grow a parsnip")
    world.house().close()

    world.run("purge", "--search", "parsnip", "--confirm")

    assert [path for path in tmp_path.rglob("*") if _contains(path, b"parsnip")] == []
    assert left(world) == [1]


@promise("nmem:cli:maintain")
def test_maintain_does_what_its_flags_say(world: World) -> None:
    world.prompt("Fix it")
    world.bash("make")

    done = world.run("maintain", "--session", "s1", "--rebuild-fts", "--sweep", "--catch-up")

    assert done.returncode == 0
    steps = done.stderr.splitlines()
    assert len(steps) == 5
    assert all(line.endswith(" — ok") for line in steps)
    assert json.loads(world.run("search", "fix", "--type", "session_summary").stdout)


@promise("nmem:cli:maintain")
def test_maintaining_an_unknown_session_is_refused(world: World) -> None:
    world.bash("make")

    assert "session not found: nope" in world.run("maintain", "--session", "nope").stderr


@promise("nmem:cli:config")
def test_config_show_tells_each_value_and_its_origin(world: World) -> None:
    done = world.run("config", "show", RECOLLECT_PORT="4000", RECOLLECT_TOKEN="s3cret-t0ken")

    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "RECOLLECT_PORT" in rows["port"]
    assert "4000" in rows["port"]
    assert "--db" in rows["store"]
    assert "default" in rows["host"]
    assert "s3cret" not in done.stdout


@promise("nmem:cli:doctor")
def test_doctor_finds_a_sound_store_sound(world: World) -> None:
    world.bash("make")

    done = world.run("doctor")

    assert done.returncode == 0
    assert "memories — 1\nword index — 1 rows\n" in done.stdout
    assert "SQLite 3." in done.stdout
    assert done.stdout.endswith("all is well\n")


@promise("nmem:cli:doctor")
def test_doctor_finds_and_rebuilds_a_broken_index(world: World) -> None:
    world.bash("make one")
    world.bash("make two")
    house = world.house()
    with house.store.transaction():
        connections: Any = house.store
        connections._connections.run("delete_words", ids="[1]")
    house.close()

    sick = world.run("doctor")
    cured = world.run("doctor", "--rebuild")

    assert sick.returncode == 1
    assert "problem — 1 memories are not in the word index" in sick.stdout
    assert cured.returncode == 0
    assert len(json.loads(world.run("search", "make").stdout)) == 2


@promise("nmem:cli:doctor")
def test_doctor_tells_what_it_had_to_put_aside_itself(world: World) -> None:
    spool.append(world.settings.spool_dir, b"[]")

    done = world.run("doctor")

    assert done.returncode == 1
    assert "the entry is not a JSON object" in done.stdout
    assert done.stdout.endswith("1 problems found\n")


@promise("nmem:cli:doctor")
def test_doctor_tells_damage_and_what_to_do_about_it(world: World) -> None:
    world.bash("make one")
    world.house().close()
    world.bash("make two")
    with open(world.settings.store, "r+b") as file:  # the first page stays: it opens as a database
        file.seek(4_096)
        file.write(b"\xaa" * 60_000)

    done = world.run("doctor")

    assert done.returncode == 1
    assert "problem — the store cannot be trusted: database disk image is malformed" in done.stdout
    assert "put a backup, or nothing, in its place: what waits" in done.stdout
    assert done.stdout.endswith(" problems found\n")
    assert len(spool.waiting(world.settings.spool_dir)) == 1


@promise("nmem:cli:doctor")
def test_doctor_rebuilds_an_index_that_is_so_broken_that_nothing_can_be_stored(
    world: World,
) -> None:
    world.bash("make one")
    world.house().close()
    connection = sqlite.connect(world.settings.store, isolation_level=None)
    connection.execute("update words_data set block = x'ffffffffff'")
    connection.close()
    world.bash("make two")

    sick = world.run("doctor")
    cured = world.run("doctor", "--rebuild")

    assert sick.returncode == 1
    assert "problem — the store cannot be trusted: " in sick.stdout
    assert (cured.returncode, cured.stderr) == (0, "")
    assert len(json.loads(world.run("search", "make").stdout)) == 2


@promise("nmem:cli:doctor")
def test_doctor_finds_files_that_others_can_read(world: World) -> None:
    world.bash("make")
    world.house().close()
    os.chmod(world.settings.store, 0o644)

    done = world.run("doctor")

    assert done.returncode == 1
    assert f"others can read {world.settings.store} (mode 644)" in done.stdout


@promise("nmem:store:private")
def test_everything_is_made_for_its_owner_only(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)
    world.settings = type(world.settings)(
        {
            **{name: getattr(world.settings, name) for name in world.settings.__slots__},
            "store": str(tmp_path / "new" / "deep" / "r.db"),
        }
    )
    world.bash("make")
    house = world.house()

    for path in (tmp_path / "new").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    house.close()


@promise("nmem:cli:one-name")
def test_the_same_command_lines_are_accepted_under_nmem(world: World) -> None:
    world.bash("cargo test")

    assert world.run("nmem", "search", "cargo").stdout == world.run("search", "cargo").stdout
    assert world.run("nmem", "status").returncode == 0


@promise("nmem:cli:db-option")
def test_the_store_may_be_named_before_or_after_the_command(world: World, tmp_path: Path) -> None:
    world.bash("cargo test")
    store = world.settings.store

    before = world.run("--db", store, "search", "cargo", "--ids")
    after = world.run("search", "cargo", "--ids", "--db", store)
    named = world.run("search", "cargo", "--ids", f"--db={store}")

    assert before.stdout == after.stdout == named.stdout == "1\n"


def _contains(path: Path, word: bytes) -> bool:
    return path.is_file() and word in path.read_bytes()
