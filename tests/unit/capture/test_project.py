"""Which project a folder belongs to, as the rulings list it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recollect.capture.project import project_of

BY_NAME = [
    # cwd                              project      because
    ("/home/test/workspace/myproj", "myproj", "the path need not exist"),
    ("/home/test/workspace/myproj/", "myproj", "a slash at the end means nothing"),
    ("/home/me", "home", "the home folder is home"),
    ("/home/me/", "home", "with a slash as well"),
    ("/home/me/x/..", "home", "however it is spelled"),
    ("", "unknown", "nothing"),
    ("/", "unknown", "the root has no name"),
    ("//", "unknown", "nor has it twice"),
    (".", "unknown", "relative to nobody knows what"),
    ("relative/folder", "folder", "a relative path has a last component too"),
    (r"C:\Users\me\shop", "shop", "a Windows path compares by its last component"),
    ("C:\\Users\\me\\shop\\", "shop", "and may end in a backslash"),
    ("C:\\", "unknown", "a drive has no name"),
    ("/code/\0shop", "shop", "a NUL is no part of a name"),
    ("/code/my shop", "my shop", "blanks are"),
    ("/a" * 5_000, "a", "a path that no system has"),
]


@pytest.mark.parametrize(("cwd", "project", "because"), BY_NAME, ids=[r[-1] for r in BY_NAME])
def test_a_folder_that_need_not_exist_names_its_project(
    cwd: str, project: str, because: str
) -> None:
    assert project_of(cwd, home="/home/me") == (project, None)


def test_the_users_own_name_beats_every_folder() -> None:
    assert project_of("/anywhere", named=" shop ") == ("shop", None)


def test_a_checkout_names_every_folder_in_it(tmp_path: Path) -> None:
    (tmp_path / "shop/.git").mkdir(parents=True)
    deep = tmp_path / "shop/src/deep"
    assert project_of(str(deep)) == ("shop", None)
    assert project_of(str(deep), strategy="cwd") == ("deep", None)


def test_a_checkout_in_the_home_folder_is_home(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert project_of(str(tmp_path / "notes"), home=str(tmp_path)) == ("home", None)


GIT_FILES = [
    # .git file, {top} is above                 project   because
    ("gitdir: {top}/shop/.git/worktrees/fix", "shop", "a linked worktree is its main checkout"),
    ("gitdir: ../shop/.git/worktrees/fix\n", "shop", "also by a relative path"),
    ("gitdir: {top}/shop.git/worktrees/fix", "shop", "the main checkout may be bare"),
    ("gitdir: {top}/shop/.bare/worktrees/fix", "shop", "or hidden beside its worktrees"),
    ("gitdir: {top}/shop/.git/modules/tree", "tree", "a submodule is itself"),
    ("gitdir: {top}/shop/.git/modules/lib/worktrees/w", "lib", "a submodule's worktree is it"),
    ("gitdir: {top}/elsewhere/separate", "tree", "a separate git folder names nobody"),
    ("", "tree", "an empty file tells nothing"),
    ("\x00\xff no git file", "tree", "nor does nonsense"),
]


@pytest.mark.parametrize(("told", "project", "because"), GIT_FILES, ids=[r[-1] for r in GIT_FILES])
def test_a_git_file_tells_whose_checkout_it_is(
    tmp_path: Path, told: str, project: str, because: str
) -> None:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / ".git").write_text(told.format(top=tmp_path), encoding="latin-1")
    assert project_of(str(tree / "src")) == (project, None)


def test_the_nearest_own_file_beats_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/.recollect.toml").write_text('project = "store"\n')
    (tmp_path / "shop/ui").mkdir()
    (tmp_path / "shop/ui/.recollect.toml").write_text('project = "front"\n')
    assert project_of(str(tmp_path / "shop/src")) == ("store", None)
    assert project_of(str(tmp_path / "shop/ui/src")) == ("front", None)


BROKEN_FILES = [
    # .recollect.toml        because
    (b"project = shop", "no TOML"),
    (b"project = 3", "no text"),
    (b'name = "shop"', "no project"),
    (b'project = " "', "an empty name"),
    (b"\xff\xfe", "not UTF-8"),
]


@pytest.mark.parametrize(("blob", "because"), BROKEN_FILES, ids=[r[-1] for r in BROKEN_FILES])
def test_an_own_file_that_cannot_be_read_is_told_and_passed_over(
    tmp_path: Path, blob: bytes, because: str
) -> None:
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/.recollect.toml").write_bytes(blob)
    name, problem = project_of(str(tmp_path / "shop"))
    assert name == "shop"
    assert problem is not None
    assert problem.startswith(f"{tmp_path}/shop/.recollect.toml cannot be read: ")


def test_a_pipe_under_the_name_of_a_file_does_not_make_us_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".recollect.toml")
    os.mkfifo(tmp_path / ".git")
    name, problem = project_of(str(tmp_path / "shop"))
    assert name == "shop"
    assert problem is not None
    assert "not a regular file" in problem


def test_symbolic_links_keep_the_name_that_the_user_sees(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "seen").symlink_to(tmp_path / "real")
    assert project_of(str(tmp_path / "seen")) == ("seen", None)
