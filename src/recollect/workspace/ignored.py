"""What git would leave out of a checkout: `.gitignore` at any depth, and git's own exclude file.

A user's global excludes are not read: what an atlas shows is to be the same for everybody.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.workspace import regular
from recollect.workspace.root import upwards

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FILE = ".gitignore"
LARGEST = 64 * 1024
"""Bytes of rules, some thousands: each name of the tree is held against each."""
MOST_STARS = 3
"""In one name, and of `**` in one pattern. The library tries all ways to read them, so one hostile
line with a dozen would take hours; such a line is passed over."""


class Rules:
    """The rules in force in one folder: those of the folders above it, and its own."""

    def __init__(self, specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._specs = specs  # the nearest last; each with the folder that its patterns count from

    def within(self, folder: str, *, has_file: bool) -> Rules:
        """The rules one folder further down; `folder` is an absolute path."""
        spec = _spec(os.path.join(folder, FILE)) if has_file else None
        return self if spec is None else Rules((*self._specs, (folder, spec)))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether git would leave this absolute path out; the nearest rule that has a word wins."""
        for folder, spec in reversed(self._specs):
            name = path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
            told = spec.check_file(f"{name}/" if is_folder else name).include
            if told is not None:
                return told
        return False


def rules_above(root: str) -> Rules:
    """The rules that hold at a root already: of its repository, and of the folders between.

    None do where the repository ignores the root itself: then it is a tree of its own.
    """
    above = list(upwards(root))
    tops = [at for at, folder in enumerate(above) if os.path.lexists(os.path.join(folder, ".git"))]
    if not tops:
        return Rules()
    top = above[tops[0]]
    exclude = _spec(os.path.join(_git_folder(top), "info", "exclude"))
    rules = Rules() if exclude is None else Rules(((top, exclude),))
    for folder in reversed(above[1 : tops[0] + 1]):
        rules = rules.within(folder, has_file=True)
    is_own = tops[0] > 0 and rules.ignores(root, is_folder=True)
    return Rules() if is_own else rules


def _git_folder(top: str) -> str:
    """The folder that all worktrees of the repository share."""
    path = os.path.join(top, ".git")
    if os.path.isdir(path):
        return path
    try:
        told = regular.contents(path, at_most=LARGEST).decode("utf-8", "replace")
        folder = os.path.join(top, told.removeprefix("gitdir:").strip())
        shared = regular.contents(os.path.join(folder, "commondir"), at_most=LARGEST)
        return os.path.normpath(os.path.join(folder, shared.decode("utf-8", "replace").strip()))
    except (OSError, ValueError):  # a submodule has no shared folder; what it excludes is its own
        return path


def _spec(path: str) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec  # 28 ms, for those who read source

    try:
        text = regular.contents(path, at_most=LARGEST).decode("utf-8", "replace")
    except OSError:
        return None
    kept = [line for line in text.splitlines() if not _is_bomb(line)]
    try:
        return GitIgnoreSpec.from_lines(kept)
    except ValueError:  # git passes over a pattern that it cannot read, too
        return GitIgnoreSpec.from_lines([line for line in kept if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _is_bomb(line: str) -> bool:
    """Whether a pattern would be tried in more ways than there is time for, name by name."""
    names = line.split("/")
    return names.count("**") > MOST_STARS or any(
        name.count("*") > MOST_STARS for name in names if name != "**"
    )
