"""The files of a tree: what git would keep, no links, and limits that say when they cut."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from promises import last, promise
from recollect.model.policy_errors import PathNotFound
from recollect.workspace import ignored
from recollect.workspace.tree import Limits, walk


def plant(root: Path, *paths: str, text: str = "") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def paths_in(root: Path, limits: Limits | None = None) -> list[str]:
    return [file.path for file in walk(str(root), limits).files]


IGNORED = [
    # .gitignore by folder, because
    ({"": "*.log\n!keep.log\n"}, "a rule, and its exception"),
    ({"": "/build\n"}, "only at the top"),
    ({"": "build/\n"}, "at any depth, folders only"),
    ({"": "*.py\n", "a": "!x.py\n"}, "a deeper file takes back what one above it says"),
    ({"": "a/**/x.py\n"}, "any depth between"),
    ({"": "# comment\n\n   \n\\#odd\n"}, "comments and blank lines"),
    ({"a": "/b\n"}, "the folder's own top"),
    ({"": "a/*\n!a/b\n"}, "a folder that is taken back"),
    ({"": "a\n!a/b/x.py\n"}, "nothing within what is ignored can be taken back"),
]


@promise("lex:code-atlas:gitignore")
@pytest.mark.parametrize(("rules", "because"), IGNORED, ids=last)
def test_what_is_left_out_is_what_git_leaves_out(
    tmp_path: Path, rules: dict[str, str], because: str
) -> None:
    plant(tmp_path, "x.py", "a.log", "keep.log", "build/x.py", "#odd")
    plant(tmp_path, "a/x.py", "a/b/x.py", "a/b/build/x.py", "a/keep.log", "a/b/c/x.py")
    for folder, text in rules.items():
        (tmp_path / folder / ".gitignore").write_text(text, encoding="utf-8")
    git = ["git", "-c", "core.excludesFile=/dev/null", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--others", "--exclude-standard"], check=True, capture_output=True
    )
    assert paths_in(tmp_path) == sorted(filter(None, listed.stdout.decode().split("\0"))), because


@promise("lex:code-atlas:gitignore")
def test_the_rules_of_a_repository_hold_in_its_folders_and_worktrees(tmp_path: Path) -> None:
    plant(tmp_path, "repo/part/x.py", "repo/part/secret.py", "repo/part/private.py")
    plant(tmp_path, "repo/.git/info/exclude", text="secret.py\n")
    plant(tmp_path, "repo/.gitignore", text="private.py\n")
    assert paths_in(tmp_path / "repo" / "part") == ["x.py"]
    plant(tmp_path, "side/x.py", "side/secret.py")
    plant(tmp_path, "side/.git", text="gitdir: ../repo/.git/worktrees/side\n")
    plant(tmp_path, "repo/.git/worktrees/side/commondir", text="../..\n")
    assert "secret.py" not in paths_in(tmp_path / "side")


def test_a_root_that_its_repository_ignores_is_a_tree_of_its_own(tmp_path: Path) -> None:
    plant(tmp_path, "repo/versions/one/x.py", "repo/versions/one/y.py", "repo/.git/HEAD")
    plant(tmp_path, "repo/.gitignore", text="/versions/*\n")
    plant(tmp_path, "repo/versions/one/.gitignore", text="y.py\n")
    assert paths_in(tmp_path / "repo" / "versions" / "one") == [".gitignore", "x.py"]
    assert paths_in(tmp_path / "repo") == [".gitignore"]


BOMBS = ["*a" * 20 + "b", "**/a/" * 30 + "b", "a" * 1_000_000, "[" * 1_000, "\\", "!"]


@pytest.mark.parametrize("line", BOMBS, ids=["stars", "folders", "letters", "brackets", "-", "!"])
def test_a_hostile_rule_takes_no_time_and_spoils_no_other(tmp_path: Path, line: str) -> None:
    plant(tmp_path, "a" * 200, "/".join("a" * 50), "x.log")
    plant(tmp_path, ".gitignore", text=f"*.log\n{line}\n")
    begun = time.perf_counter()
    found = walk(str(tmp_path))
    paths = [file.path for file in found.files]
    assert time.perf_counter() - begun < 2
    assert "a" * 200 in paths
    is_too_large = len(line) > ignored.LARGEST
    assert ("x.log" in paths) == is_too_large
    assert found.left_out == ({"too many rules": 1} if is_too_large else {"ignored": 1})


@promise("lex:code-atlas:links")
def test_links_are_not_followed_wherever_they_lead(tmp_path: Path) -> None:
    plant(tmp_path, "outside/secret.py", "tree/x.py", "tree/a/y.py")
    (tmp_path / "tree" / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "tree" / "out.py").symlink_to(tmp_path / "outside" / "secret.py")
    (tmp_path / "tree" / "a" / "round").symlink_to(tmp_path / "tree")
    (tmp_path / "tree" / "nowhere").symlink_to(tmp_path / "gone")
    found = walk(str(tmp_path / "tree"))
    assert [file.path for file in found.files] == ["a/y.py", "x.py"]
    assert found.left_out == {"link": 4}


def test_what_is_no_file_and_other_peoples_source_is_left_out(tmp_path: Path) -> None:
    plant(tmp_path, "x.py", "node_modules/m/x.js", ".git/config", "env/pyvenv.cfg", "env/y.py")
    os.mkfifo(tmp_path / "pipe.py")
    assert paths_in(tmp_path) == ["x.py"]


def test_a_name_of_no_letters_is_left_out(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).write_text("", encoding="utf-8")
    assert walk(str(tmp_path)).left_out == {"unreadable name": 1}


@promise("lex:code-atlas:unreadable")
def test_a_folder_that_cannot_be_read_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "x.py", "closed/y.py")
    listing = os.scandir

    def scandir(path: str) -> object:  # root may read everything, so modes would prove nothing
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = walk(str(tmp_path))
    assert [file.path for file in found.files] == ["x.py"]
    assert found.left_out == {"unreadable": 1}
    with pytest.raises(PathNotFound):
        walk(str(tmp_path / "closed"))


LIMITS = [
    (Limits(files=3), 3, 3, "over the limit", "so many files"),
    (Limits(parsed_files=2), 5, 2, "over the limit", "so many parsed"),
    (Limits(parsed_bytes=250), 5, 2, "over the limit", "so many bytes"),
    (Limits(file_bytes=99), 5, 0, "too large", "so large a file"),
    (Limits(depth=1), 4, 4, "too deep", "so deep a folder"),
]


@promise("lex:code-atlas:limits")
@pytest.mark.parametrize(("limits", "files", "parsed", "reason", "because"), LIMITS, ids=last)
def test_a_limit_that_cuts_says_so(
    tmp_path: Path, limits: Limits, files: int, parsed: int, reason: str, because: str
) -> None:
    plant(tmp_path, "a.py", "b.py", "c/d.py", "c/e.py", "c/d/e/f.py", text="#" * 100)
    found = walk(str(tmp_path), limits)
    sources = list(found.sources())
    assert (len(found.files), len(sources)) == (files, parsed), because
    assert found.is_cut
    assert found.left_out[reason] > 0


def test_a_tree_within_its_limits_is_not_cut(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "README.md")
    found = walk(str(tmp_path))
    assert [file.path for file in found.sources()] == ["a.py"]
    assert not found.is_cut


def test_a_very_deep_tree_is_cut_not_overrun(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(1_500):  # longer than any path may be
            os.mkdir("d", dir_fd=folder)
            below = os.open("d", os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = below
    finally:
        os.close(folder)
    assert walk(str(tmp_path)).is_cut
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


@pytest.mark.parametrize("path", ["gone", "a.py"])
def test_a_root_that_is_no_folder_is_not_found(tmp_path: Path, path: str) -> None:
    plant(tmp_path, "a.py")
    with pytest.raises(PathNotFound):
        walk(str(tmp_path / path))
