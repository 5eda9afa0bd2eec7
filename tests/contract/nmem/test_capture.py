"""What nmem remembers of each hook event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, SECOND, World
from promises import last, promise

COMMIT = """[main 1a2b3c4] Fix token refresh
 2 files changed, 10 insertions(+), 3 deletions(-)
 create mode 100644 tests/test_refresh.py
"""
PUSH = """To github.com:acme/alpha.git
   1a2b3c4..5d6e7f8  main -> main
"""

EXTRACTION = [
    # tool          input                                            type, content, file_path
    ("Bash", {"command": "ls -la"}, ("command", "ls -la", None)),
    ("Bash", {"command": "x" * 900}, ("command", "x" * 500, None)),
    (
        "Bash",
        {"command": "git add . && git commit -m 'x'"},
        ("git_commit", "git add . && git commit -m 'x'", None),
    ),
    (
        "Bash",
        {"command": "git commit -m x; git push"},
        ("git_push", "git commit -m x; git push", None),
    ),
    ("Bash", {"command": "gh pr create"}, ("github", "gh pr create", None)),
    ("Bash", {"command": "echo git; echo push"}, ("command", "echo git; echo push", None)),
    ("Read", {"file_path": "/a/b.py"}, ("file_read", "Read /a/b.py", "/a/b.py")),
    (
        "Write",
        {"file_path": "/a/b.py", "content": "x = 1\n"},
        ("file_write", "Write /a/b.py", "/a/b.py"),
    ),
    (
        "Edit",
        {"file_path": "/a/b.py", "old_string": "a", "new_string": "\n\ndef login():\n    pass"},
        ("file_edit", "Edit /a/b.py: def login():", "/a/b.py"),
    ),
    ("Grep", {"pattern": "TODO", "path": "src"}, ("search", "TODO in src", "src")),
    ("Grep", {"pattern": "TODO"}, ("search", "TODO", None)),
    ("Glob", {"pattern": "**/*.rs"}, ("search", "**/*.rs", None)),
    ("Task", {"description": "Find it", "prompt": "long"}, ("task_spawn", "Find it", None)),
    ("Task", {"prompt": "p" * 300}, ("task_spawn", "p" * 200, None)),
    ("WebFetch", {"url": "https://x.example/"}, ("web_fetch", "https://x.example/", None)),
    ("WebSearch", {"query": "fts5 rank"}, ("web_search", "fts5 rank", None)),
    (
        "AskUserQuestion",
        {"questions": [{"question": "Which one?"}]},
        ("tool_other", "Which one?", None),
    ),
    ("mcp__git__log", {"n": 1}, ("mcp_call", "mcp__git__log", None)),
    ("TodoWrite", {"todos": []}, ("tool_other", "TodoWrite", None)),
]


def memories(world: World, session: str = "s1") -> list[Any]:
    house = world.house()
    found = house.store.memories.of_session(session)
    house.close()
    return found


@promise("nmem:record:extraction")
@pytest.mark.parametrize(("tool", "given", "expected"), EXTRACTION)
def test_each_tool_has_its_type_content_and_path(
    world: World, tool: str, given: dict[str, object], expected: tuple[str, str, str | None]
) -> None:
    world.hook("PostToolUse", tool_name=tool, tool_input=given, tool_response="")

    (memory,) = memories(world)
    assert (memory.type, memory.text, memory.file_path) == expected
    assert (memory.source_event, memory.tool_name) == ("PostToolUse", tool)


@promise("nmem:record:git-metadata")
def test_a_commit_and_a_push_leave_what_git_said(world: World) -> None:
    world.bash("git commit -am 'Fix token refresh'", {"stdout": COMMIT, "stderr": ""})
    world.bash("git push", {"stdout": "", "stderr": PUSH})

    commit, push = memories(world)
    assert commit.detail == {
        "branch": "main",
        "commit_hash": "1a2b3c4",
        "commit_message": "Fix token refresh",
        "files_changed": 2,
        "insertions": 10,
        "deletions": 3,
        "new_files": ["tests/test_refresh.py"],
    }
    assert push.detail == {
        "remote_url": "github.com:acme/alpha.git",
        "hash_range": "1a2b3c4..5d6e7f8",
        "branch": "main",
    }


FAILURES = [
    # event                    response                                  exit code    because
    ("PostToolUseFailure", {"error": "Exit code 2\nno rule"}, 2, "a failure event is a failure"),
    (
        "PostToolUse",
        {"tool_response": {"stdout": "", "exit_code": 1}},
        1,
        "so is a non-zero exit code",
    ),
    (
        "PostToolUse",
        {"tool_response": {"stderr": "x", "is_error": True}},
        None,
        "and an error flag",
    ),
]


@promise("nmem:record:command-error")
@pytest.mark.parametrize(("event", "payload", "exit_code", "because"), FAILURES, ids=last)
def test_a_command_that_failed_is_a_command_error(
    world: World, event: str, payload: dict[str, Any], exit_code: int | None, because: str
) -> None:
    world.hook(event, tool_name="Bash", tool_input={"command": "make"}, **payload)

    (memory,) = memories(world)
    assert memory.type == "command_error"
    assert memory.detail["command"] == "make"
    assert memory.detail.get("exit_code") == exit_code


REPEATS = [
    # two events, seconds apart                              kept   because
    (
        ("Read", {"file_path": "/a"}),
        ("Read", {"file_path": "/a"}),
        299,
        1,
        "a read repeats within 300 s",
    ),
    (
        ("Read", {"file_path": "/a"}),
        ("Read", {"file_path": "/a"}),
        301,
        2,
        "later it is a new read",
    ),
    (
        ("Read", {"file_path": "/a"}),
        ("Read", {"file_path": "/b"}),
        1,
        2,
        "another path is another read",
    ),
    (
        ("Grep", {"pattern": "x", "path": "/a"}),
        ("Grep", {"pattern": "x", "path": "/a"}),
        1,
        1,
        "a search repeats too",
    ),
    (
        ("Grep", {"pattern": "x", "path": "/a"}),
        ("Grep", {"pattern": "y", "path": "/a"}),
        1,
        2,
        "two patterns in one folder are two searches",
    ),
    (
        ("Write", {"file_path": "/a", "content": "1"}),
        ("Write", {"file_path": "/a", "content": "1"}),
        1,
        2,
        "writes never repeat",
    ),
    (("Bash", {"command": "ls"}), ("Bash", {"command": "ls"}), 1, 2, "commands never repeat"),
]


@promise("nmem:record:dedup")
@pytest.mark.parametrize(("first", "second", "apart", "kept", "because"), REPEATS, ids=last)
def test_reads_and_searches_are_kept_once_within_300_seconds(
    world: World,
    first: tuple[str, dict[str, str]],
    second: tuple[str, dict[str, str]],
    apart: int,
    kept: int,
    because: str,
) -> None:
    for (tool, given), at in (
        (first, NOW - 1000 * SECOND),
        (second, NOW - (1000 - apart) * SECOND),
    ):
        world.hook("PostToolUse", tool_name=tool, tool_input=given, at=at)

    assert len(memories(world)) == kept


@promise("nmem:record:dedup")
def test_a_read_that_failed_is_neither_a_duplicate_nor_makes_one(world: World) -> None:
    failed: dict[str, Any] = {
        "tool_name": "Read",
        "tool_input": {"file_path": "/a"},
        "error": "no such file",
    }
    world.read("/a", at=NOW - 4)
    world.hook("PostToolUseFailure", at=NOW - 3, **failed)
    world.hook("PostToolUseFailure", at=NOW - 2, **failed, tool_use_id="again")

    assert len(memories(world)) == 3


@promise("nmem:record:dedup")
def test_another_session_reads_for_itself(world: World) -> None:
    world.read("/a")
    world.read("/a", session="s2")

    assert len(memories(world)) == len(memories(world, "s2")) == 1


@promise("nmem:record:once")
def test_one_host_event_delivered_twice_is_one_memory(world: World) -> None:
    world.bash("make", tool_use_id="toolu_1")
    world.bash("make", tool_use_id="toolu_1")
    world.house().close()
    world.bash("make", tool_use_id="toolu_1")
    world.bash("make", tool_use_id="toolu_2")

    assert len(memories(world)) == 2


@promise("nmem:record:lifecycle")
def test_a_session_leaves_its_starts_and_one_end(world: World) -> None:
    at = NOW - 100 * SECOND
    for number, source in enumerate(("startup", "resume", "clear", "compact", "fork")):
        world.hook("SessionStart", source=source, at=at + number)
    world.hook("Stop", at=at + 10)
    world.hook("Stop", at=at + 20)
    world.hook("SessionEnd", reason="exit", at=at + 30)

    house = world.house()
    assert [(memory.type, memory.text) for memory in house.store.memories.of_session("s1")] == [
        ("session_start", "startup"),
        ("session_resume", "resume"),
        ("session_clear", "clear"),
        ("session_compact", "compact"),
        ("session_start", "startup"),
        ("session_end", "stop"),
    ]
    session = house.store.sessions.find("s1")
    assert session is not None
    assert session.ended_at == at + 10


@promise("nmem:record:signature")
def test_a_closed_session_has_its_signature(world: World) -> None:
    world.prompt("Fix it")
    for number in range(3):
        world.bash(f"make {number}")
    world.read("/a")
    world.hook("Stop")

    session = world.house().store.sessions.find("s1")
    assert session is not None
    assert session.signature == (("command", 3), ("file_read", 1))


@promise("nmem:record:signature")
def test_a_later_prompt_makes_the_session_active_again(world: World) -> None:
    world.hook("Stop", at=NOW - 10)
    world.prompt("One more thing", at=NOW - 5)

    session = world.house().store.sessions.find("s1")
    assert session is not None
    assert session.ended_at is None


@promise("nmem:record:prompts")
@pytest.mark.parametrize("text", ["", "   ", "<system-reminder>Be nice</system-reminder>"])
def test_a_prompt_that_says_nothing_leaves_nothing(world: World, text: str) -> None:
    world.prompt(text)

    assert memories(world) == []


@promise("nmem:record:prompts")
def test_a_prompt_keeps_its_first_2000_characters(world: World) -> None:
    world.prompt("word " * 1000)

    (memory,) = memories(world)
    assert (memory.type, memory.text) == ("user_prompt", ("word " * 1000)[:2000])


@promise("nmem:record:private")
def test_a_private_prompt_makes_its_turn_private(world: World) -> None:
    world.prompt("Public question", at=NOW - 60)
    world.bash("echo public", at=NOW - 50)
    world.prompt("<private>My diagnosis</private>", at=NOW - 40)
    world.bash("echo diagnosis", at=NOW - 30)
    world.hook("Stop", at=NOW - 20)
    world.prompt("Public again", at=NOW - 10)
    world.bash("echo again", at=NOW - 5)

    found = memories(world)
    for path in world.home.rglob("*"):
        assert path.is_dir() or b"diagnosis" not in path.read_bytes().lower(), path
    assert [memory.text for memory in found if memory.kind in ("prompt", "observation")] == [
        "Public question",
        "echo public",
        "Public again",
        "echo again",
    ]
    assert not any("diagnosis" in memory.text for memory in found)


@promise("nmem:record:redaction")
def test_secrets_are_redacted_wherever_they_stand(world: World) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    world.prompt(f"use {secret} please")
    world.bash(f"curl -H 'Authorization: Bearer {secret}' x", f"token={secret}")
    world.read(f"/a/{secret}/b")
    world.hook(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": f"deploy --token {secret}"},
        error=f"denied for {secret}",
    )

    found = memories(world)
    assert len(found) == 4
    for memory in found:
        assert secret not in memory.text + json.dumps(memory.detail) + str(memory.file_path)
        assert "[REDACTED]" in memory.text
        assert memory.detail["redacted"] is True


def transcript(path: Path, *records: dict[str, Any]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def thinking(text: str) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": text}]}}


@promise("nmem:record:thinking", "nmem:trace:thinking")
def test_thoughts_are_kept_once_redacted_and_shown_in_the_trace(
    world: World, tmp_path: Path
) -> None:
    secret = "sk-ant-api03-" + "Zx9Yw8Vu7" * 4
    path = tmp_path / "transcript.jsonl"
    transcript(path, thinking("First the tests"), thinking(f"The key is {secret}"))
    world.prompt("Fix it", at=NOW - 50)
    for number in range(2):
        world.hook(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": f"make {number}"},
            transcript_path=str(path),
            at=NOW - 40 + number,
        )
    house = world.house()
    ask = house.asker("nmem", "alpha")

    trace = json.loads(ask("session_trace", {"session_id": "s1"}).text)
    assert [
        (prompt["source"], prompt["content"], prompt["observation_count"])
        for prompt in trace["prompts"]
    ] == [
        ("user", "Fix it", 2),
        ("agent", "First the tests", 0),
        ("agent", "The key is [REDACTED]", 0),
    ]
    assert json.loads(ask("search", {"query": "tests", "project": None}).text) == []
    first, last_ = (hit["id"] for hit in json.loads(ask("recent_context", {}).text)[::-1])
    after = json.loads(ask("timeline", {"anchor": first}).text)["after"]
    before = json.loads(ask("timeline", {"anchor": last_}).text)["before"]
    assert [entry["content"] for entry in (*before, *after)] == ["Fix it", "make 0", "make 1"]


@promise("nmem:record:private", "nmem:record:thinking")
def test_thoughts_about_a_private_prompt_are_not_kept(world: World, tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    where: dict[str, Any] = {"transcript_path": str(path)}
    transcript(path, thinking("A public thought"))
    world.prompt("Public question", at=NOW - 60, **where)
    world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, at=NOW - 50, **where)
    world.prompt("<private>My diagnosis</private>", at=NOW - 40, **where)
    transcript(path, thinking("A public thought"), thinking("The diagnosis is grave"))
    world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "cat"}, at=NOW - 30, **where)
    transcript(
        path,
        thinking("A public thought"),
        thinking("The diagnosis is grave"),
        thinking("More about the diagnosis"),
    )
    world.prompt("Public again", at=NOW - 20, **where)
    world.hook("Stop", at=NOW - 10, **where)

    thoughts = [memory.text for memory in memories(world) if memory.kind == "thought"]
    assert thoughts == ["A public thought"]
    for file in Path(world.settings.store).parent.glob("r.db*"):
        assert file.is_dir() or b"diagnosis" not in file.read_bytes(), file


@promise("nmem:record:project")
def test_a_linked_worktree_belongs_to_its_main_checkout(world: World, tmp_path: Path) -> None:
    main = tmp_path / "engine"
    (main / ".git" / "worktrees" / "fix").mkdir(parents=True)
    linked = tmp_path / "fix"
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {main}/.git/worktrees/fix\n", encoding="utf-8")
    world.bash("make", cwd=str(linked / "deep" / "below"))

    assert [memory.project for memory in memories(world)] == ["engine"]


@promise("nmem:record:never-stores-contents")
def test_file_contents_are_never_stored(world: World, tmp_path: Path) -> None:
    body = "first line\n" + "PARSNIP and carrots\n" * 1000
    world.tool("Write", {"content": body}, file_path="/a/b.txt", content=body)
    world.tool("Read", {"file": {"content": body}}, file_path="/a/c.txt")
    world.tool("Edit", {"originalFile": body}, file_path="/a/d", old_string=body, new_string=body)
    world.bash("cat /a/b.txt", {"stdout": body, "stderr": ""})
    world.tool("Grep", {"content": body}, pattern="x", output_mode="content")
    world.tool("mcp__fs__read", [{"type": "text", "text": body}], path="/a/b.txt")
    world.tool("mcp__fs__insert", "", path="/a/b.txt", insert_text=body)
    world.house().close()

    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"PARSNIP" not in path.read_bytes(), path
