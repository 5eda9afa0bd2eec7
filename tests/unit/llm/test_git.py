"""Facts from what git says."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.llm import git

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = """\
[main 1a2b3c4] Fix the token check
 3 files changed, 10 insertions(+), 2 deletions(-)
 create mode 100644 src/auth/token.py
 delete mode 100644 src/old.py
 create mode 100755 run.sh
"""
NEW_BRANCH = """\
remote:
remote: Create a pull request for 'fix'
To https://example.org/app.git
 * [new branch]      fix -> fix
branch 'fix' set up to track 'origin/fix'.
"""

COMMITS: list[tuple[str, dict[str, object], str]] = [
    (
        COMMIT,
        {
            "branch": "main",
            "commit_hash": "1a2b3c4",
            "commit_message": "Fix the token check",
            "files_changed": 3,
            "insertions": 10,
            "deletions": 2,
            "new_files": ["src/auth/token.py", "run.sh"],
        },
        "everything that git can say",
    ),
    (
        "[main (root-commit) 89abcde] First\n 1 file changed, 1 insertion(+)\n",
        {
            "branch": "main",
            "commit_hash": "89abcde",
            "commit_message": "First",
            "files_changed": 1,
            "insertions": 1,
            "deletions": 0,
        },
        "the first commit of a repository; what is not said did not happen",
    ),
    (
        "[detached HEAD 1234567] Try it\n 1 file changed, 4 deletions(-)",
        {
            "branch": "detached HEAD",
            "commit_hash": "1234567",
            "commit_message": "Try it",
            "files_changed": 1,
            "insertions": 0,
            "deletions": 4,
        },
        "on no branch",
    ),
    (
        "[feature/a-b_c 1234567] [x] say [y]",
        {
            "branch": "feature/a-b_c",
            "commit_hash": "1234567",
            "commit_message": "[x] say [y]",
        },
        "an empty commit has no statistics; brackets in the message",
    ),
    (
        "ruff....Passed\n[a 1111111] One\n 1 file changed, 1 insertion(+)\n[b 2222222] Two\n",
        {"branch": "b", "commit_hash": "2222222", "commit_message": "Two"},
        "the last of several, and nothing from the others",
    ),
    ("nothing to commit, working tree clean", {}, "no commit"),
    ("see [main] and [link abc]", {}, "brackets of other kinds"),
    ("", {}, "no answer"),
]

PUSHES: list[tuple[str, dict[str, object], str]] = [
    (
        "To github.com:me/app.git\n   1a2b3c4..5d6e7f8  main -> main\n",
        {
            "remote_url": "github.com:me/app.git",
            "hash_range": "1a2b3c4..5d6e7f8",
            "branch": "main",
        },
        "a push",
    ),
    (
        NEW_BRANCH,
        {"remote_url": "https://example.org/app.git", "branch": "fix"},
        "a new branch has no range",
    ),
    (
        "To ../app.git\n + 1a2b3c4...5d6e7f8 main -> main (forced update)\n",
        {"remote_url": "../app.git", "hash_range": "1a2b3c4...5d6e7f8", "branch": "main"},
        "a forced push",
    ),
    (
        "To x\n   1a2b3c4..5d6e7f8  HEAD -> release/1.2\n",
        {"remote_url": "x", "hash_range": "1a2b3c4..5d6e7f8", "branch": "release/1.2"},
        "the branch is the remote's",
    ),
    ("Everything up-to-date\n", {}, "nothing was pushed"),
    ("To x\n ! [rejected]        main -> main (fetch first)\n", {}, "nothing was taken"),
    ("To x\n * [new tag]         v1 -> v1\n", {}, "a tag is no branch"),
    ("", {}, "no answer"),
]


@pytest.mark.parametrize(("response", "facts", "because"), COMMITS)
def test_a_commit_is_told_by_its_answer(
    response: str, facts: dict[str, object], because: str
) -> None:
    assert git.commit(response) == facts, because


@pytest.mark.parametrize(("response", "facts", "because"), PUSHES)
def test_a_push_is_told_by_its_answer(
    response: str, facts: dict[str, object], because: str
) -> None:
    assert git.push(response) == facts, because


def test_windows_line_ends_are_no_part_of_the_facts() -> None:
    assert git.commit("[main 1a2b3c4] Fix\r\n 1 file changed, 1 insertion(+)\r\n") == {
        "branch": "main",
        "commit_hash": "1a2b3c4",
        "commit_message": "Fix",
        "files_changed": 1,
        "insertions": 1,
        "deletions": 0,
    }


def test_the_git_of_this_machine_is_understood(tmp_path: Path) -> None:
    work, remote = tmp_path / "work", tmp_path / "remote.git"
    work.mkdir()

    def run(*words: str) -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=work,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "LC_ALL": "C",
                **{f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")},
                **{f"GIT_{who}_EMAIL": "ada@example.org" for who in ("AUTHOR", "COMMITTER")},
            },
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.stdout

    run("init", "-b", "main", ".")
    run("init", "--bare", str(remote))
    (work / "a.txt").write_text("one\ntwo\n")
    run("add", ".")
    first = git.commit(run("commit", "-m", "First"))
    added = git.push(run("push", str(remote), "main"))
    (work / "a.txt").write_text("one\n")
    second = git.commit(run("commit", "-am", "Second"))
    moved = git.push(run("push", str(remote), "main"))

    assert first == {
        "branch": "main",
        "commit_hash": run("rev-parse", "--short", "HEAD~1").strip(),
        "commit_message": "First",
        "files_changed": 1,
        "insertions": 2,
        "deletions": 0,
        "new_files": ["a.txt"],
    }
    assert added == {"branch": "main", "remote_url": str(remote)}
    assert second["deletions"] == 1
    assert moved == {
        "branch": "main",
        "remote_url": str(remote),
        "hash_range": f"{first['commit_hash']}..{second['commit_hash']}",
    }
    assert git.push(run("push", str(remote), "main")) == {}


def test_new_files_are_bounded() -> None:
    response = "[main 1a2b3c4] Many\n" + " create mode 100644 f\n" * 1_000
    files = git.commit(response)["new_files"]
    assert files == ["f"] * git.MOST_FILES


@given(st.text(alphabet="[]main 0a1bTo->.*+\n(files changed)", max_size=200))
@settings(deadline=None, max_examples=300)
def test_any_answer_can_be_read(response: str) -> None:
    assert git.commit(response).keys() <= {
        "branch",
        "commit_hash",
        "commit_message",
        "files_changed",
        "insertions",
        "deletions",
        "new_files",
    }
    assert git.push(response).keys() <= {"branch", "hash_range", "remote_url"}
