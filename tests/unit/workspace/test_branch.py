"""The branch of a frame, and where a workspace begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from promises import promise
from recollect.model.workspace import Workspace
from recollect.service.modules import branch_for
from recollect.workspace.branch import branch_of
from recollect.workspace.root import found_from

HEADS = [
    # HEAD, branch, because
    ("ref: refs/heads/main\n", "main", "a branch"),
    ("ref: refs/heads/feature/ütf-8\n", "feature/ütf-8", "slashes and other letters"),
    ("a5d1bd9c0ffee0000000000000000000000000000\n", None, "detached"),
    ("ref: refs/tags/v1\n", None, "not a branch"),
    ("ref: refs/heads/.invalid\n", None, "refs kept in tables"),
    ("ref: refs/heads/\n", None, "no name"),
    ("ref: refs/heads/a\x1bb\n", None, "no name that git would allow"),
    ("", None, "empty"),
    ("x" * 100_000, None, "no HEAD at all"),
]


@promise("lex:branch:git")
@pytest.mark.parametrize(("head", "branch", "because"), HEADS, ids=[row[-1] for row in HEADS])
def test_the_branch_is_read_from_gits_files(
    tmp_path: Path, head: str, branch: str | None, because: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head, encoding="utf-8")
    (tmp_path / "deep" / "down").mkdir(parents=True)
    assert branch_of(str(tmp_path / "deep" / "down")) == branch, because


@promise("lex:branch:git")
def test_a_linked_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    own = tmp_path / "main" / ".git" / "worktrees" / "side"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/side\n", encoding="utf-8")
    (tmp_path / "side").mkdir()
    for told in (str(own), "../main/.git/worktrees/side"):
        (tmp_path / "side" / ".git").write_text(f"gitdir: {told}\n", encoding="utf-8")
        assert branch_of(str(tmp_path / "side")) == "side"
    (tmp_path / "side" / ".git").write_text("nonsense", encoding="utf-8")
    assert branch_of(str(tmp_path / "side")) is None


def test_an_old_head_is_a_link(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").symlink_to("refs/heads/master")
    assert branch_of(str(tmp_path)) == "master"


@promise("lex:branch:order")
def test_a_branch_is_the_argument_the_setting_gits_or_main(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/work\n", encoding="utf-8")
    configured = Workspace(root=str(tmp_path), default_branch="configured")
    assert branch_for(configured, "asked") == "asked"
    assert branch_for(configured, None) == "configured"
    assert branch_for(Workspace(root=str(tmp_path)), None) == "work"
    assert branch_for(Workspace(root=None), None) == "main"


def test_a_workspace_begins_at_the_nearest_mark(tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "outer" / ".git").mkdir()
    assert found_from(str(inner)) == str(tmp_path / "outer")
    (tmp_path / "outer" / "inner" / ".smartergpt").mkdir()
    assert found_from(str(inner)) == str(tmp_path / "outer" / "inner")
    (tmp_path / "outer" / "inner" / "deep" / ".git").write_text("gitdir: x", encoding="utf-8")
    assert found_from(f"{inner}/../deep") == str(inner)
