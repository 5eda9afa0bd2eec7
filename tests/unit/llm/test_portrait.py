"""What a tool use looks like to people, as a catalogue: the tools of every agent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.llm import bounds
from recollect.llm.portrait import portrait
from recollect.model.event import Head, ToolUse
from recollect.model.portrait import Portrait

HEAD = Head(
    key="k1",
    session_id="s1",
    project="app",
    cwd="/home/ada/app",
    platform="claude-code",
    at=1_707_400_000_000,
    source_event="PostToolUse",
)
PYTEST = """Exit code 1
=================================== FAILURES ===================================
E       assert 61 == 60
FAILED tests/test_clock.py::test_skew - assert 61 == 60
FAILED tests/test_clock.py::test_drift - KeyError: 'drift'
========================= 2 failed, 12 passed in 1.23s =========================
"""
COMMIT = """[main abc1234] Allow a minute of clock skew
 2 files changed, 12 insertions(+), 3 deletions(-)
"""
PATCH = """*** Begin Patch
*** Update File: src/retry.py
@@
-    pass
+    wait = min(2 ** n, LONGEST)
*** Add File: tests/test_retry.py
+import pytest
*** End Patch"""


def use(tool: str, given: dict[str, object], response: str = "", **more: Any) -> ToolUse:
    return ToolUse(HEAD, tool=tool, input=given, response=response, **more)


def failed(tool: str, given: dict[str, object], response: str, code: int | None = 1) -> ToolUse:
    return use(tool, given, response, is_failed=True, exit_code=code)


def bash(command: str, response: str = "") -> ToolUse:
    return use("Bash", {"command": command}, response)


TITLES = [
    # what was done                                                      type         title
    (use("Edit", {"file_path": "/a/tokens.py", "gist": "a minute of clock skew"}),
     "change", "Edited tokens.py: a minute of clock skew"),
    (use("MultiEdit", {"file_path": "/a/tokens.py"}), "change", "Edited tokens.py"),
    (use("NotebookEdit", {"notebook_path": "/a/n.ipynb"}), "change", "Edited n.ipynb"),
    (use("Write", {"file_path": "/a/tokens.py", "gist": "LEEWAY = 60"}),
     "change", "Wrote tokens.py: LEEWAY = 60"),
    (use("Read", {"file_path": "/a/tokens.py"}), "discovery", "Read tokens.py"),
    (use("Grep", {"pattern": "retry", "path": "/home/ada/app/src"}),
     "discovery", "Searched for `retry` in src"),
    (use("Grep", {"pattern": "retry"}), "discovery", "Searched for `retry`"),
    (use("Glob", {"pattern": "**/*.rs"}), "discovery", "Looked for files named `**/*.rs`"),
    (use("LS", {"path": "/home/ada/app/src"}), "discovery", "Listed src"),
    (use("WebFetch", {"url": "https://docs.python.org/3/", "prompt": "How?"}),
     "discovery", "Fetched https://docs.python.org/3/"),
    (use("WebSearch", {"query": "fts5 ranking"}),
     "discovery", "Searched the web for “fts5 ranking”"),
    (use("Task", {"description": "Find callers", "subagent_type": "Explore"}),
     "discovery", "Delegated: Find callers"),
    (use("AskUserQuestion", {"questions": [{"question": "Which one?"}]}),
     "discovery", "Asked the user: Which one?"),
    (use("TodoWrite",
         {"todos": [{"content": "Fix", "status": "in_progress"}, {"content": "Test"}]}),
     "discovery", "Planned 2 steps, now: Fix"),
    (bash("ls -la"), "execution", "Ran `ls -la`"),
    (bash("cd app && uv run pytest -q"), "execution", "Ran `pytest -q`"),
    (bash("sudo -E timeout 60 python -m pytest tests"), "execution", "Ran `pytest tests`"),
    (bash("pip install httpx rich"), "execution", "Installed httpx, rich (pip)"),
    (bash("npm ci"), "execution", "Installed what the project needs (npm)"),
    (bash("git commit -am 'Allow skew'"), "execution", "Committed: Allow skew"),
    (bash("git add . && git commit -qm x && git push", COMMIT),
     "execution", "Committed: Allow a minute of clock skew"),
    (bash("git -C there push origin main"), "execution", "Pushed main to origin"),
    (bash("git switch -c skew"), "execution", "Created branch skew"),
    (bash("git checkout main"), "execution", "Switched to main"),
    (bash("git checkout -- a.py"), "execution", "Ran `git checkout -- a.py`"),
    (bash("gh pr create --title 'Clock skew'"),
     "execution", "Opened pull request: Clock skew"),
    (bash("gh issue list"), "execution", "Listed issues"),
    (bash("gh api /user"), "execution", "Asked GitHub: `gh api /user`"),
    (bash("curl -s https://example.org/x"), "execution", "Asked https://example.org/x"),
    (bash('echo "git push"'), "execution", 'Ran `echo "git push"`'),
    (failed("Bash", {"command": "pytest -q"}, PYTEST),
     "execution", "pytest failed: 2 of 14 tests in test_clock.py"),
    (failed("Bash", {"command": "cargo build"}, "error[E0382]: use of moved value"),
     "execution", "`cargo build` failed: error[E0382]: use of moved value"),
    (failed("Bash", {"command": "false"}, ""), "execution", "`false` failed with exit code 1"),
    (failed("Bash", {"command": "false"}, "", None), "execution", "`false` failed"),
    (failed("Edit", {"file_path": "/a/b.py"}, "String to replace not found in file."),
     "change", "Could not edit b.py: String to replace not found in file."),
    # Codex
    (use("exec_command", {"cmd": "bash -lc 'rg retry src'"}), "execution", "Ran `rg retry src`"),
    (use("shell", {"command": ["bash", "-lc", "make check"]}), "execution", "Ran `make check`"),
    (use("apply_patch", {"input": PATCH}), "change",
     "Patched retry.py and test_retry.py: wait = min(2 ** n, LONGEST)"),
    (use("update_plan", {"plan": [{"step": "Fix", "status": "in_progress"}]}),
     "discovery", "Planned 1 step, now: Fix"),
    # Gemini
    (use("run_shell_command", {"command": "make test"}), "execution", "Ran `make test`"),
    (use("read_file", {"absolute_path": "/a/b.ts"}), "discovery", "Read b.ts"),
    (use("read_many_files", {"paths": ["a.ts", "b.ts", "c.ts"]}),
     "discovery", "Read a.ts and 2 more"),
    (use("write_file", {"file_path": "/a/b.ts", "gist": "export"}), "change", "Wrote b.ts: export"),
    (use("replace", {"file_path": "/a/b.ts", "instruction": "Rename it"}),
     "change", "Edited b.ts: Rename it"),
    (use("search_file_content", {"pattern": "retry"}), "discovery", "Searched for `retry`"),
    (use("google_web_search", {"query": "wal mode"}),
     "discovery", "Searched the web for “wal mode”"),
    # Cursor
    (use("afterFileEdit", {"file_path": "/a/b.ts", "gist": "const x"}),
     "change", "Edited b.ts: const x"),
    (use("codebase_search", {"query": "where is retry"}),
     "discovery", "Searched for `where is retry`"),
    # anything else
    (use("mcp__github__create_issue", {"title": "Login fails"}),
     "discovery", "github: create issue “Login fails”"),
    (use("Frobnicate", {"level": 3, "name": "x"}), "discovery", "Used Frobnicate: x"),
    (use("Frobnicate", {}), "discovery", "Used Frobnicate"),
    (use("Edit", {}), "change", "Used Edit"),
    (use("Bash", {}), "execution", "Used Bash"),
]  # fmt: skip


@pytest.mark.parametrize(("done", "type_", "title"), TITLES, ids=[title for _, _, title in TITLES])
def test_a_title_is_what_a_person_would_write(done: ToolUse, type_: str, title: str) -> None:
    drawn = portrait(done)
    assert (drawn.type, drawn.title) == (type_, title)


def test_a_failed_test_run_is_told_whole() -> None:
    command: dict[str, object] = {"command": "pytest -q", "description": "Run the tests"}
    assert portrait(failed("Bash", command, PYTEST)) == Portrait(
        type="execution",
        title="pytest failed: 2 of 14 tests in test_clock.py",
        subtitle="Run the tests",
        facts=(
            "exit code 1",
            "2 of 14 tests failed",
            "failed: tests/test_clock.py::test_skew",
            "failed: tests/test_clock.py::test_drift",
            "error: assert 61 == 60",
        ),
        narrative="Ran `pytest -q`. Run the tests. It failed with exit code 1: "
        "assert 61 == 60. "
        "Failed tests: tests/test_clock.py::test_skew, tests/test_clock.py::test_drift.",
        concepts=("error", "testing", "pytest", "python"),
        files_read=(),
        files_modified=(),
    )


def test_an_edit_is_told_whole() -> None:
    edit = use("Edit", {"file_path": "/home/ada/app/src/tokens.py", "gist": "LEEWAY = 60"})
    assert portrait(edit) == Portrait(
        type="change",
        title="Edited tokens.py: LEEWAY = 60",
        subtitle="src/tokens.py",
        facts=("new text begins: LEEWAY = 60",),
        narrative="Edited /home/ada/app/src/tokens.py: LEEWAY = 60.",
        concepts=("what-changed", "python"),
        files_read=(),
        files_modified=("/home/ada/app/src/tokens.py",),
    )


def test_a_commit_is_told_by_what_git_said() -> None:
    drawn = portrait(bash("git commit -m x", COMMIT))
    assert drawn.subtitle == "abc1234 on main"
    assert drawn.facts == (
        "commit abc1234",
        "branch main",
        "message: Allow a minute of clock skew",
        "2 files changed, 12 insertions, 3 deletions",
    )
    assert drawn.concepts == ("what-changed", "git")


def test_a_patch_names_its_files_and_none_of_their_content_but_the_first_line() -> None:
    drawn = portrait(use("apply_patch", {"input": PATCH}))
    assert drawn.files_modified == ("src/retry.py", "tests/test_retry.py")
    assert drawn.facts == ("updated src/retry.py", "added tests/test_retry.py")
    assert "import pytest" not in drawn.narrative


def test_a_failed_edit_has_modified_nothing() -> None:
    drawn = portrait(failed("Edit", {"file_path": "/a/b.py"}, "String to replace not found"))
    assert drawn.files_modified == ()
    assert "what-changed" not in drawn.concepts
    assert "/a/b.py" in drawn.narrative


COUNTS = [
    # what the runner said                                                  title
    ("Tests:       1 failed, 3 passed, 4 total\nFAIL src/a.test.ts", "1 of 4 tests in a.test.ts"),
    (" Tests  2 failed | 12 passed (14)", "2 of 14 tests"),
    ("test a::b ... FAILED\ntest result: FAILED. 12 passed; 2 failed; 0 ignored", "2 of 14 tests"),
    ("--- FAIL: TestSkew (0.00s)\nFAIL", "1 test"),
    ("Ran 14 tests in 0.1s\n\nFAILED (failures=1, errors=1)", "2 of 14 tests"),
    ("14 examples, 2 failures", "2 of 14 examples"),
    ("  12 passing (3s)\n  2 failing", "2 of 14 tests"),
    ("Found 3 errors in 2 files (checked 9 source files)", "3 errors"),
    ("✖ 5 problems (5 errors, 0 warnings)", "5 problems"),
    ("1 failed in 0.1s", "1 of 1 test"),
]


@pytest.mark.parametrize(("said", "counted"), COUNTS)
def test_what_failed_is_counted(said: str, counted: str) -> None:
    drawn = portrait(failed("Bash", {"command": "npm test"}, said))
    assert drawn.title == f"npm test failed: {counted}"


ERRORS = [
    # answer                                                          first error
    ("Exit code 127\nbash: cargoo: command not found", "bash: cargoo: command not found"),
    ('Traceback (most recent call last):\n  File "x"\nValueError: no', "ValueError: no"),
    ("compiling\nwarn\nfatal: not a git repository", "fatal: not a git repository"),
    ("something odd\nmore", "something odd"),
]


@pytest.mark.parametrize(("answer", "line"), ERRORS)
def test_the_first_lines_of_an_error_are_kept(answer: str, line: str) -> None:
    drawn = portrait(failed("Bash", {"command": "./x"}, answer))
    assert drawn.title == f"`./x` failed: {line}"
    assert f"error: {line}" in drawn.facts
    assert line in drawn.narrative


def test_what_is_searched_for_later_is_in_the_narrative() -> None:
    drawn = portrait(use("Grep", {"pattern": "retry", "path": "/a/src"}))
    assert drawn.narrative == "Searched for `retry` in /a/src."
    assert drawn.facts == ("pattern: retry", "path: /a/src")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(sorted({done.tool for done, _, _ in TITLES})) | st.text(max_size=30)
FIELDS = st.sampled_from(
    (
        *("command", "cmd", "file_path", "path", "paths", "pattern", "query", "url", "prompt"),
        *("input", "gist", "todos", "plan", "questions", "description", "instruction", "offset"),
    )
)


def test_an_empty_plan_says_so() -> None:
    drawn = portrait(use("TodoWrite", {"todos": []}))

    assert (drawn.title, drawn.narrative) == ("Planned 0 steps", "Planned 0 steps.")


@settings(max_examples=400, deadline=None)
@given(
    tool=NAMES,
    given_=st.dictionaries(FIELDS | st.text(max_size=10), VALUES, max_size=6),
    response=st.text(max_size=300) | st.just(PYTEST) | st.just("\n" * 4_000),
    is_failed=st.booleans(),
    code=st.none() | st.integers(-300, 300),
)
def test_whatever_was_done_has_a_portrait_within_bounds(
    tool: str, given_: Any, response: str, is_failed: bool, code: int | None
) -> None:
    done = ToolUse(
        HEAD, tool=tool, input=given_, response=response, is_failed=is_failed, exit_code=code
    )
    drawn = portrait(done)
    assert drawn.type in {"discovery", "change", "execution"}
    assert 0 < len(drawn.title) <= bounds.TITLE
    assert 0 < len(drawn.narrative) <= bounds.NARRATIVE
    assert len(drawn.subtitle or "") <= bounds.SUBTITLE
    for told, bound in (
        (drawn.facts, bounds.FACTS),
        (drawn.concepts, bounds.CONCEPTS),
        (drawn.files_read, bounds.FILES),
        (drawn.files_modified, bounds.FILES),
    ):
        assert len(told) == len(set(told)) <= bound.most
        assert all(0 < len(each) <= bound.longest for each in told)
    texts = [drawn.title, drawn.narrative, drawn.subtitle or "", *drawn.facts, *drawn.concepts]
    texts += [*drawn.files_read, *drawn.files_modified]
    assert not any(ord(letter) < 32 or ord(letter) == 127 for text in texts for letter in text)
