"""`recollect import` and `recollect export`, as people type them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, World

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
