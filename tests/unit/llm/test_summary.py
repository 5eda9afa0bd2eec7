"""What a session came to, told by rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from recollect.llm.rules import Rules
from recollect.llm.summary import MOST_ITEMS, summary
from recollect.model.memory import Draft, Kind, Memory, Origin
from recollect.model.session import Session

COUNTED = "7 actions: 2 command_error, 2 file_edit, 1 command, 1 file_read, 1 git_commit"
SESSION = Session(id="s1", project="app", platform="claude-code", started_at=1_000)


def memories(*rows: tuple[str, str] | tuple[str, str, dict[str, Any]]) -> list[Memory]:
    """A session's memories; observations belong to the prompt before them."""
    made: list[Memory] = []
    prompt_id: int | None = None
    for number, (type_, text, *more) in enumerate(rows, start=1):
        is_prompt = type_ == "user_prompt"
        usual: dict[str, Any] = {
            "id": number,
            "kind": Kind.PROMPT if is_prompt else Kind.OBSERVATION,
            "type": type_,
            "text": text,
            "project": "app",
            "session_id": "s1",
            "created_at": 1_000 + number,
            "updated_at": 1_000 + number,
            "origin": Origin.USER if is_prompt else Origin.TOOL,
            "source_event": "UserPromptSubmit" if is_prompt else "PostToolUse",
            "prompt_id": None if is_prompt else prompt_id,
        }
        made.append(Memory(**(usual | (more[0] if more else {}))))
        prompt_id = number if is_prompt else prompt_id
    return made


def edit(path: str, gist: str, **more: Any) -> tuple[str, str, dict[str, Any]]:
    return ("file_edit", f"Edit {path}: {gist}", {"file_path": path, "tool_name": "Edit", **more})


def read(path: str) -> tuple[str, str, dict[str, Any]]:
    return ("file_read", f"Read {path}", {"file_path": path, "tool_name": "Read"})


def test_a_session_is_told_by_what_plainly_happened() -> None:
    done = memories(
        ("session_start", "startup", {"kind": Kind.LIFECYCLE}),
        ("user_prompt", "hello"),
        ("user_prompt", "Fix the login bug"),
        read("/src/auth.rs"),
        ("command_error", "cargo test"),
        edit("/src/auth.rs", "if token.expired() {"),
        edit("/src/auth.rs", "return Err(Expired)"),
        ("command", "cargo test"),
        ("command_error", "cargo clippy"),
        ("git_commit", "git commit -am x", {"detail": {"commit_message": "Refuse old tokens"}}),
        ("agent_thinking", "hmm", {"kind": Kind.THOUGHT, "origin": Origin.ASSISTANT}),
    )
    assert summary(SESSION, done, 9_000) == Draft(
        kind=Kind.SUMMARY,
        type="session_summary",
        title="Fix the login bug",
        text=(
            "Fix the login bug. "
            "Done: Commit: Refuse old tokens; Edit /src/auth.rs: return Err(Expired). "
            "Learned: `cargo test` failed, then passed. "
            "Next: `cargo clippy` still fails. "
            "Read: /src/auth.rs. "
            f"{COUNTED}."
        ),
        project="app",
        session_id="s1",
        created_at=9_000,
        origin=Origin.TOOL,
        source_event="Stop",
        detail={
            "intent": "Fix the login bug",
            "learned": ["`cargo test` failed, then passed"],
            "completed": ["Commit: Refuse old tokens", "Edit /src/auth.rs: return Err(Expired)"],
            "next_steps": ["`cargo clippy` still fails"],
            "files_read": ["/src/auth.rs"],
            "files_edited": ["/src/auth.rs"],
            "notes": COUNTED,
        },
    )


def test_a_session_without_an_action_has_no_summary() -> None:
    assert summary(SESSION, [], 9_000) is None
    assert summary(SESSION, memories(("user_prompt", "hello")), 9_000) is None


INTENTS = [
    # memories, intent, because
    (
        [("user_prompt", "hi"), ("user_prompt", "Fix it"), ("command", "ls")],
        "Fix it",
        "the first prompt that led to something",
    ),
    (
        [("user_prompt", "Fix it"), ("command", "ls"), ("user_prompt", "thanks"), ("command", "x")],
        "Fix it",
        "not a later one",
    ),
    (
        [("command", "ls"), ("user_prompt", "Fix it")],
        "Fix it",
        "else the first prompt",
    ),
    ([("file_read", "Read /a"), edit("/a", "x"), ("command", "ls")], "Edit /a: x", "else an edit"),
    ([("file_read", "Read /a"), ("command", "ls")], "ls", "else a command"),
    ([("file_read", "Read /a"), ("search", "x")], "Read /a", "else the first action"),
    ([("user_prompt", "a\n\n  b"), ("command", "ls")], "a b", "on one line"),
    ([("user_prompt", "x" * 300), ("command", "ls")], "x" * 199 + "…", "200 characters"),
]


@pytest.mark.parametrize(("rows", "intent", "because"), INTENTS)
def test_the_intent_is_the_users_where_there_is_one(
    rows: list[Any], intent: str, because: str
) -> None:
    assert _detail(memories(*rows))["intent"] == intent, because


RUNS = [
    # runs in order, learned, next, because
    (["-a", "+a"], ["`a` failed, then passed"], [], "mended"),
    (["-a"], [], ["`a` still fails"], "not mended"),
    (["-a", "+a", "-a"], [], ["`a` still fails"], "mended and broken again"),
    (["+a", "-a"], [], ["`a` still fails"], "it worked before, not now"),
    (["+a"], [], [], "never broken"),
    (["-a", "+b"], [], ["`a` still fails"], "another command proves nothing"),
    (["-a", "-b", "-a"], [], ["`b` still fails", "`a` still fails"], "the newest last"),
    ([f"-{n}" for n in range(9)], [], [f"`{n}` still fails" for n in range(4, 9)], "the last five"),
]


@pytest.mark.parametrize(("runs", "learned", "next_steps", "because"), RUNS)
def test_failures_are_told_by_how_they_ended(
    runs: list[str], learned: list[str], next_steps: list[str], because: str
) -> None:
    rows = [("command_error" if run[0] == "-" else "command", run[1:]) for run in runs]
    detail = _detail(memories(*rows))
    assert (detail["learned"], detail["next_steps"]) == (learned, next_steps), because


ORIGINS = [
    ([Origin.TOOL], Origin.TOOL, "tools"),
    ([Origin.TOOL, Origin.WEB], Origin.WEB, "one page from the web"),
    ([Origin.WEB, Origin.IMPORT], Origin.WEB, "the web is trusted least"),
    ([Origin.IMPORT, Origin.TOOL], Origin.IMPORT, "an import less than a tool"),
    ([Origin.ASSISTANT], Origin.ASSISTANT, "the agent's own"),
]


@pytest.mark.parametrize(("origins", "expected", "because"), ORIGINS)
def test_a_summary_is_trusted_as_little_as_its_least_trusted_source(
    origins: list[Origin], expected: Origin, because: str
) -> None:
    rows = [("command", "ls", {"origin": origin}) for origin in origins]
    told = summary(SESSION, memories(("user_prompt", "Fix it"), *rows), 9_000)
    assert told is not None
    assert told.origin == expected, because


def test_what_failed_was_not_done() -> None:
    detail = _detail(memories(edit("/a", "x", detail={"failed": True})))
    assert (detail["completed"], detail["files_edited"]) == ([], [])


def test_files_are_told_once_in_order_and_bounded() -> None:
    rows = [read("/b"), read("/a"), read("/b"), *(read(f"/{n}") for n in range(50))]
    files = _detail(memories(*rows))["files_read"]
    assert files == ["/b", "/a", *(f"/{n}" for n in range(MOST_ITEMS - 2))]


def test_notebooks_count_as_edited_files() -> None:
    rows = [("tool_other", "NotebookEdit /n", {"file_path": "/n", "tool_name": "NotebookEdit"})]
    detail = _detail(memories(*rows))
    assert (detail["files_edited"], detail["completed"]) == (["/n"], ["NotebookEdit /n"])


def test_an_older_summary_is_no_source() -> None:
    done = memories(("user_prompt", "Fix it"), ("command", "ls"))
    told = summary(SESSION, done, 9_000)
    older = replace(done[0], id=9, kind=Kind.SUMMARY, text="old", origin=Origin.WEB)
    assert summary(SESSION, [*done, older], 9_000) == told


def test_a_question_keeps_its_mark() -> None:
    told = Rules().summary(SESSION, memories(("user_prompt", "Why?"), ("command", "ls")), 1)
    assert told is not None
    assert told.text == "Why? 1 action: 1 command."


def _detail(done: list[Memory]) -> dict[str, Any]:
    told = summary(SESSION, done, 9_000)
    assert told is not None
    assert told.detail is not None
    return dict(told.detail)
