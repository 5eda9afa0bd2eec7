"""`recollect import` and `recollect export`, as people type them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, World
from promises import last, promise

LINES: list[dict[str, Any]] = [
    {"id": "d1", "kind": "decision", "text": "We keep SQLite", "tags": ["storage"], "pinned": True},
    {"id": "p1", "kind": "user_prompt", "text": "why is it slow", "session": "s7"},
    {"id": "c1", "kind": "command", "text": "make bench", "session": "s7", "files": ["Makefile"]},
    {"id": "t1", "text": "I adopted a cat", "speaker": "Ada", "session": "s8", "concepts": ["pet"]},
    {"text": "Emma is lactose intolerant", "subject": "Emma", "category": "restriction"},
    {
        "id": 6,
        "kind": "note",
        "title": "Deploys",
        "text": "on Tuesdays",
        "created_at": "2024-05-01",
    },
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, NOW)


def bring(world: World, lines: list[object], *flags: str) -> subprocess.CompletedProcess[str]:
    file = world.home / "in.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return world.run("import", str(file), *flags)


def exported(world: World, *flags: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in world.run("export", *flags).stdout.splitlines()]


def test_what_is_exported_imports_to_the_same_memories(world: World, tmp_path: Path) -> None:
    world.prompt("fix the login")
    world.bash("pytest -q", "1 passed")
    world.run("mark", "remember the milk")
    assert bring(world, list(LINES), "--project", "alpha").returncode == 0
    lines = exported(world)
    other = World(tmp_path / "other", NOW)
    other.home.mkdir()

    assert bring(other, list(lines)).returncode == 0

    assert exported(other) == lines
    assert len(lines) == 3 + len(LINES)


def test_importing_twice_changes_nothing(world: World) -> None:
    bring(world, list(LINES))
    before = exported(world)

    again = bring(world, list(LINES))

    assert again.stderr == "recollect: 6 lines: 0 new, 6 known already, 0 refused\n"
    assert exported(world) == before


def test_a_store_knows_its_own_export(world: World) -> None:
    world.bash("pytest -q", "1 passed")
    lines = exported(world)

    assert "0 new, 1 known already" in bring(world, list(lines)).stderr


def test_the_rest_of_a_file_that_was_cut_off_is_brought(world: World) -> None:
    bring(world, list(LINES[:3]))

    assert "3 new, 3 known already" in bring(world, list(LINES)).stderr


def test_the_map_says_what_each_line_became(world: World) -> None:
    file = world.home / "map.jsonl"
    bring(world, list(LINES[:3]), "--map", str(file))
    bring(world, list(LINES[:3]), "--map", str(file))

    rows = [json.loads(line) for line in file.read_text().splitlines()]

    assert [row["id"] for row in rows] == ["d1", "p1", "c1"]
    (found,) = json.loads(world.run("search", "SQLite").stdout)
    assert found["id"] == rows[0]["memory_id"]


def test_lines_that_are_refused_are_told_and_the_others_kept(world: World) -> None:
    file = world.home / "in.jsonl"
    file.write_bytes(b'{"text": "good"}\n\n{"text": ""}\nnonsense\n\xff\xfe\n{"text": "also"}\n')
    rejects = world.home / "rejects.jsonl"

    done = world.run("import", str(file), "--rejects", str(rejects))

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "recollect: line 3: text must not be empty",
        "recollect: line 4: the line is not JSON: expecting value at character 1",
        "recollect: line 5: the line is not UTF-8",
        "recollect: 5 lines: 2 new, 0 known already, 3 refused",
    ]
    assert [json.loads(line)["line"] for line in rejects.read_text().splitlines()] == [3, 4, 5]


def test_what_was_imported_is_found_and_traced(world: World) -> None:
    bring(world, list(LINES), "--project", "alpha")

    hits = json.loads(world.run("search", "bench").stdout)

    assert [hit["obs_type"] for hit in hits] == ["command"]
    assert hits[0]["session_id"] == "s7"


def test_a_file_that_is_not_there_is_named(world: World) -> None:
    done = world.run("import", "nowhere.jsonl")

    assert done.returncode == 1
    assert "nowhere.jsonl cannot be read: No such file or directory" in done.stderr


def test_one_project_can_be_exported_alone(world: World) -> None:
    bring(world, [{"text": "a", "project": "one"}, {"text": "b", "project": "two"}])

    assert [line["text"] for line in exported(world, "--project", "one")] == ["a"]


def test_what_has_no_ending_is_told_in_a_line(world: World) -> None:
    for name, what in (("..", "Is a directory"), ("x/y", "No such file or directory")):
        done = world.run("import", name)
        assert (done.returncode, done.stderr) == (1, f"recollect: {name} cannot be read: {what}\n")
    file = world.home / "in.jsonl"
    file.write_bytes(b'{"text": "a"}\n')
    done = world.run("import", str(file), "--map", "x/y")
    assert done.stderr == "recollect: x/y cannot be written: No such file or directory\n"
    assert not Path(world.settings.store).exists(), "nothing was begun"


LONG = b'{"text": "%s"}\n' % (b"x" * 10_000_000)
NO_JSON = "the line is not JSON: expecting value at character 1"
FILES: list[tuple[bytes, list[str], str, str]] = [
    # bytes                                  refused                 counts         because
    (b"", [], "0 lines: 0 new", "an empty file is none too many"),
    (b"\n \r\n\n", [], "0 lines: 0 new", "blank lines say nothing"),
    (b"\xef\xbb\xbf", [], "0 lines: 0 new", "nor does a file that an editor began"),
    (b'\xef\xbb\xbf{"text": "a"}\n', [], "1 lines: 1 new", "a mark at the beginning is no text"),
    (b'{"text": "a"}\r\n{"text": "b"}\r\n', [], "2 lines: 2 new", "lines may end as on Windows"),
    (b'{"text": "a"}\n{"text": "b"}', [], "2 lines: 2 new", "the last one need not end"),
    ('{"text": "a\u2028b"}'.encode(), [], "1 lines: 1 new", "only a newline ends a line"),
    (b'{"text": "a"}\n{"te', ["2: the line is not JSON"], "2 lines: 1 new", "cut off in a line"),
    (b'{"text": "a"}\n\n{}\n', ["3: text is required"], "2 lines: 1 new", "blank lines count"),
    ("{}".encode("utf-16"), ["1: the line is not UTF-8"], "1 lines: 0 new", "another encoding"),
    (b"\0" * 9, [f"1: {NO_JSON}"], "1 lines: 0 new", "zeros"),
    (b"[" * 99_999, ["1: the line is nested too deeply"], "1 lines: 0 new", "too many brackets"),
    (b"1" * 5_000, ["1: the line holds a number with too many digits"], "1 lines: 0 new", "digits"),
    (b'{"text": NaN}', ["1: text must be a text"], "1 lines: 0 new", "what is no number"),
    (
        LONG + b'{"text": "after"}',
        ["1: text has 10000000 characters; at most 1000000"],
        "2 lines: 1 new",
        "a line of ten megabytes stops nobody",
    ),
    (b'{"text": "%s"}' % (b"x" * 999_999), [], "1 lines: 1 new", "a megabyte is a text"),
]


@promise("search:transfer:rejects")
@pytest.mark.parametrize(("content", "refused", "counts", "because"), FILES, ids=last)
def test_a_file_is_read_line_by_line(
    world: World, content: bytes, refused: list[str], counts: str, because: str
) -> None:
    file = world.home / "in.jsonl"
    file.write_bytes(content)

    done = world.run("import", str(file), RECOLLECT_EMBEDDER="none")

    *told, summary = done.stderr.splitlines()
    assert summary.startswith(f"recollect: {counts}")
    assert len(told) == len(refused)
    for line, expected in zip(told, refused, strict=True):
        assert line.startswith(f"recollect: line {expected}")
        assert len(line) < 200
    assert done.returncode == (1 if refused else 0)


def numbered(count: int) -> bytes:
    lines = ({"id": f"n{number}", "text": f"number {number}"} for number in range(count))
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@promise("search:transfer:resumable")
def test_an_import_that_is_killed_is_begun_again_and_doubles_nothing(world: World) -> None:
    count = 3_500
    whole = numbered(count)
    command = [sys.executable, "-m", "recollect.cli.main", "--db", world.settings.store]
    with subprocess.Popen(
        [*command, "import", "-"], stdin=subprocess.PIPE, env=world.environ, cwd=world.home
    ) as process:
        assert process.stdin is not None
        process.stdin.write(whole[: len(whole) * 3 // 4])
        process.stdin.flush()
        stored = wait_for(world, 2_000)
        os.kill(process.pid, signal.SIGKILL)
    assert 2_000 <= stored < count
    file, mapped = world.home / "in.jsonl", world.home / "map.jsonl"
    file.write_bytes(whole)

    done = world.run("import", str(file), "--map", str(mapped))

    known = len(exported(world)) - int(done.stderr.split(" lines: ")[1].split(" new")[0])
    assert f"{count} lines: {count - known} new, {known} known already, 0 refused" in done.stderr
    assert known >= 2_000
    assert [line["text"] for line in exported(world)] == [f"number {n}" for n in range(count)]
    rows = [json.loads(line) for line in mapped.read_text().splitlines()]
    assert [row["id"] for row in rows] == [f"n{number}" for number in range(count)]
    assert len({row["memory_id"] for row in rows}) == count


def wait_for(world: World, count: int) -> int:
    """Until so many memories are stored; how many that are."""
    deadline = time.monotonic() + 60
    while True:
        if Path(world.settings.store).exists():
            house = world.house()
            stored = house.store.lexicon.state().newest
            house.close()
            if stored >= count:
                return stored
        assert time.monotonic() < deadline, "nothing is imported"


@promise("search:transfer:progress")
def test_who_watches_sees_how_far_it_is_and_a_pipe_sees_counts(world: World) -> None:
    file = world.home / "in.jsonl"
    file.write_bytes(numbered(2_500) + b"nonsense\n")
    command = [sys.executable, "-m", "recollect.cli.main", "--db", world.settings.store]

    seen = on_a_terminal([*command, "import", str(file)], world)

    assert "\r[........................]   0% 0 kept, 0 refused" in seen
    *_, bar, summary = seen.replace("\r\n", "\n").rstrip().split("\n")
    assert bar.split("\r")[-1] == "[########################] 100% 2500 kept, 1 refused"
    assert summary == "recollect: 2501 lines: 2500 new, 0 known already, 1 refused"
    piped = world.run("import", str(file)).stderr
    assert "\r" not in piped
    assert piped.endswith("recollect: 2501 lines: 0 new, 2500 known already, 1 refused\n")


def on_a_terminal(command: list[str], world: World) -> str:
    """All that a person would see of it."""
    pytest.importorskip("termios", reason="no such terminals here")
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command, stdout=theirs, stderr=theirs, env=world.environ, cwd=world.home
    ) as process:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65_536):
                seen += part
        process.wait(60)
    os.close(ours)
    return seen.decode()


def test_more_refusals_than_a_person_reads_are_counted(world: World) -> None:
    file, rejects = world.home / "in.jsonl", world.home / "rejects.jsonl"
    file.write_bytes(b"nonsense\n" * 30)

    told = world.run("import", str(file)).stderr.splitlines()
    world.run("import", str(file), "--rejects", str(rejects))

    assert told[19].startswith("recollect: line 20: ")
    assert told[20:] == [
        "recollect: 30 lines: 0 new, 0 known already, 30 refused",
        "recollect: --rejects FILE writes all of them to a file",
    ]
    rows = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [row["line"] for row in rows] == list(range(1, 31))
    assert {row["text"] for row in rows} == {"nonsense"}


def test_an_export_that_nobody_reads_to_its_end_is_no_fault(world: World) -> None:
    (world.home / "in.jsonl").write_bytes(numbered(3_000))
    world.run("import", "in.jsonl")
    command = [sys.executable, "-m", "recollect.cli.main", "--db", world.settings.store, "export"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=world.environ,
        cwd=world.home,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"number 0" in process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()
    assert (process.returncode, told) == (0, b"")
