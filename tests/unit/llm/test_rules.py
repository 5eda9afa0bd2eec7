"""Each tool use as nmem's extraction table has it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.llm.rules import Rules
from recollect.model.event import Head, ToolUse
from recollect.model.memory import Draft, Kind, Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.llm.port import Reader

HEAD = Head(
    key="k1",
    session_id="s1",
    project="app",
    cwd="/home/ada/app",
    platform="claude-code",
    at=1_707_400_000_000,
    source_event="PostToolUse",
)
READER: Reader = Rules()


def draft(tool: str, /, **changes: Any) -> Draft:
    usual: dict[str, Any] = {
        "kind": Kind.OBSERVATION,
        "type": "tool_other",
        "text": tool,
        "project": "app",
        "session_id": "s1",
        "created_at": 1_707_400_000_000,
        "origin": Origin.TOOL,
        "source_event": "PostToolUse",
        "tool_name": tool,
    }
    return Draft(**(usual | changes))


TABLE: list[tuple[str, dict[str, object], dict[str, Any], str]] = [
    # tool, input, what is remembered, because
    (
        "Read",
        {"file_path": "/src/auth.rs"},
        {"type": "file_read", "text": "Read /src/auth.rs", "file_path": "/src/auth.rs"},
        "the path is in the text and stands alone",
    ),
    (
        "Write",
        {"file_path": "/src/new.rs", "gist": "fn main() {"},
        {"type": "file_write", "text": "Write /src/new.rs", "file_path": "/src/new.rs"},
        "a new file is told by its path",
    ),
    (
        "Edit",
        {"file_path": "/src/auth.rs", "gist": "check  the token"},
        {
            "type": "file_edit",
            "text": "Edit /src/auth.rs: check the token",
            "file_path": "/src/auth.rs",
        },
        "an edit also by its gist, on one line",
    ),
    (
        "Edit",
        {"file_path": "/src/auth.rs"},
        {"type": "file_edit", "text": "Edit /src/auth.rs", "file_path": "/src/auth.rs"},
        "there may be none",
    ),
    (
        "Edit",
        {"file_path": "/a", "gist": "x" * 200},
        {"type": "file_edit", "text": "Edit /a: " + "x" * 80, "file_path": "/a"},
        "at most 80 characters of it",
    ),
    (
        "MultiEdit",
        {"file_path": "/src/auth.rs", "gist": "rename"},
        {"text": "MultiEdit /src/auth.rs: rename", "file_path": "/src/auth.rs"},
        "tool_other in the table, found by its path all the same",
    ),
    (
        "NotebookEdit",
        {"notebook_path": "/n.ipynb"},
        {"text": "NotebookEdit /n.ipynb", "file_path": "/n.ipynb"},
        "a notebook is a file",
    ),
    ("TodoWrite", {"todos": []}, {}, "any other tool is its name"),
    (
        "Grep",
        {"pattern": "fn auth", "path": "/src"},
        {"type": "search", "text": "fn auth in /src", "file_path": "/src"},
        "where it was searched",
    ),
    ("Grep", {"pattern": "fn auth"}, {"type": "search", "text": "fn auth"}, "or everywhere"),
    ("Glob", {"pattern": "**/*.rs"}, {"type": "search", "text": "**/*.rs"}, "names are searches"),
    (
        "Glob",
        {"pattern": "*.rs", "path": "/src"},
        {"type": "search", "text": "*.rs in /src", "file_path": "/src"},
        "also in a folder",
    ),
    ("Bash", {"command": "ls -la"}, {"type": "command", "text": "ls -la"}, "a command"),
    (
        "Bash",
        {"command": "echo " + "x" * 600},
        {"type": "command", "text": "echo " + "x" * 495},
        "the first 500 characters",
    ),
    ("Bash", {"command": "gh pr list"}, {"type": "github", "text": "gh pr list"}, "GitHub"),
    (
        "Bash",
        {"command": "curl https://example.org"},
        {"type": "command", "text": "curl https://example.org"},
        "a command that fetches is a command, its origin the tool",
    ),
    (
        "Task",
        {"description": "Find the bug", "prompt": "Look at …"},
        {"type": "task_spawn", "text": "Find the bug"},
        "a task by its description",
    ),
    (
        "Agent",
        {"prompt": "p" * 300},
        {"type": "task_spawn", "text": "p" * 200},
        "else its prompt, 200 characters",
    ),
    (
        "WebFetch",
        {"url": "https://example.org/x", "prompt": "what is it"},
        {"type": "web_fetch", "text": "https://example.org/x", "origin": Origin.WEB},
        "what comes from the web is trusted as such",
    ),
    (
        "WebSearch",
        {"query": "fts5 stack"},
        {"type": "web_search", "text": "fts5 stack", "origin": Origin.WEB},
        "searching too",
    ),
    (
        "AskUserQuestion",
        {"questions": [{"question": "Which database?"}, {"question": "Why?"}]},
        {"text": "Which database?"},
        "the first question",
    ),
    (
        "mcp__github__create_issue",
        {"title": "x"},
        {"type": "mcp_call"},
        "a name with two underscores is a call of another server's tool",
    ),
    ("Read", {}, {"type": "file_read"}, "without its input, the tool's name"),
    ("Read", {"file_path": 7}, {"type": "file_read", "text": "Read 7", "file_path": "7"}, "odd"),
    (
        "Read",
        {"file_path": ["a"]},
        {"type": "file_read", "text": "Read a", "file_path": "a"},
        "odd",
    ),
    ("Grep", {"path": "/src"}, {"type": "search", "text": "/src", "file_path": "/src"}, "half"),
    ("Grep", {"pattern": None}, {"type": "search"}, "nothing"),
    ("Bash", {"command": ["ls", "-l"]}, {"type": "command", "text": "ls -l"}, "a list of words"),
    ("Bash", {"value": "ls"}, {"type": "command", "text": "ls"}, "an input that was no object"),
    ("Bash", {"command": "   "}, {"type": "command"}, "an empty command"),
    ("AskUserQuestion", {"questions": "Why?"}, {}, "odd"),
    ("AskUserQuestion", {"questions": ["Why?"]}, {"text": "Why?"}, "odd"),
    ("Task", {"description": True}, {"type": "task_spawn"}, "odd"),
]


@pytest.mark.parametrize(("tool", "input_", "changes", "because"), TABLE)
def test_a_tool_use_is_remembered_as_the_table_says(
    tool: str, input_: Mapping[str, object], changes: dict[str, Any], because: str
) -> None:
    assert READER.observation(ToolUse(HEAD, tool, input_)) == draft(tool, **changes), because


def bash(command: str, response: str = "", **more: Any) -> ToolUse:
    return ToolUse(HEAD, "Bash", {"command": command}, response=response, **more)


COMMITTED = "[main 1a2b3c4] Fix\n 1 file changed, 2 insertions(+)\n"
PUSHED = "To example.org:app.git\n   1a2b3c4..5d6e7f8  main -> main\n"
COMMIT_FACTS: dict[str, object] = {
    "branch": "main",
    "commit_hash": "1a2b3c4",
    "commit_message": "Fix",
    "files_changed": 1,
    "insertions": 2,
    "deletions": 0,
}
PUSH_FACTS: dict[str, object] = {
    "branch": "main",
    "hash_range": "1a2b3c4..5d6e7f8",
    "remote_url": "example.org:app.git",
}

DETAILS: list[tuple[ToolUse, str, dict[str, object] | None, str]] = [
    # use, type, detail, because
    (bash("git commit -m Fix", COMMITTED), "git_commit", COMMIT_FACTS, "what git said"),
    (bash("git push", PUSHED), "git_push", PUSH_FACTS, "what git said"),
    (
        bash("git commit -m Fix && git push", COMMITTED + PUSHED),
        "git_push",
        COMMIT_FACTS | PUSH_FACTS,
        "both",
    ),
    (bash("git commit -qm Fix"), "git_commit", None, "a quiet commit says nothing"),
    (bash("cat log", COMMITTED), "command", None, "only of commands that commit"),
    (
        bash("cargo test", "assertion failed", is_failed=True, exit_code=101),
        "command_error",
        {
            "command": "cargo test",
            "exit_code": 101,
            "failed": True,
            "response": "assertion failed",
        },
        "a failure with its exit code, as in the contract's sample",
    ),
    (
        bash("cargo test", "x" * 3_000, is_failed=True),
        "command_error",
        {"command": "cargo test", "failed": True, "response": "x" * 2_000},
        "without one, and the first 2,000 characters of the answer",
    ),
    (
        bash("false", exit_code=1),
        "command_error",
        {"command": "false", "exit_code": 1, "failed": True, "response": ""},
        "the exit code alone is a failure",
    ),
    (
        bash("git push", "rejected", is_failed=True),
        "command_error",
        {"command": "git push", "failed": True, "response": "rejected"},
        "a push that failed is a failure",
    ),
    (bash("true", exit_code=0), "command", None, "exit code 0 is none"),
    (
        ToolUse(HEAD, "Read", {"file_path": "/a"}, response="no such file", is_failed=True),
        "file_read",
        {"failed": True, "response": "no such file"},
        "other tools keep their type",
    ),
    (
        ToolUse(HEAD, "Write", {"file_path": "/a"}, marks={"content_length": 9}),
        "file_write",
        {"content_length": 9},
        "fingerprints of what was left out",
    ),
    (
        ToolUse(replace(HEAD, is_redacted=True), "Read", {"file_path": "/a"}),
        "file_read",
        {"redacted": True},
        "that something was taken out",
    ),
]


@pytest.mark.parametrize(("use", "type_", "detail", "because"), DETAILS)
def test_facts_of_a_tool_use_are_kept_beside_its_text(
    use: ToolUse, type_: str, detail: dict[str, object] | None, because: str
) -> None:
    seen = READER.observation(use)
    assert (seen.type, seen.detail) == (type_, detail), because


TOOLS = st.sampled_from([row[0] for row in TABLE]) | st.text(max_size=8)
NAMES = st.sampled_from(
    ["file_path", "gist", "command", "pattern", "path", "url", "query", "questions", "question"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)


@given(TOOLS, st.dictionaries(NAMES, VALUES, max_size=4), st.text(max_size=30), st.booleans())
@settings(deadline=None, max_examples=400)
def test_no_input_is_too_odd_to_remember(
    tool: str, input_: dict[str, object], response: str, is_failed: bool
) -> None:
    seen = READER.observation(ToolUse(HEAD, tool, input_, response, is_failed))
    assert seen.text.strip()
    assert len(seen.text) <= 7_000
