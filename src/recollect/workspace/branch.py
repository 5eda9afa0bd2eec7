"""The git branch that is checked out, read from git's own files; no git is needed."""

from __future__ import annotations

import os

from recollect.workspace import regular
from recollect.workspace.root import upwards

LARGEST = 64 * 1024
HEADS = "refs/heads/"
NONE_YET = ".invalid"
"""What HEAD names where refs are kept in tables, which are not read here."""


def branch_of(folder: str) -> str | None:
    """None outside a checkout, on a detached head, and where git's files cannot be read."""
    for above in upwards(os.path.normpath(folder)):
        path = os.path.join(above, ".git")
        if os.path.isdir(path):
            return _in_head(path)
        if os.path.isfile(path):  # a linked worktree, or a submodule
            told = _text(path)
            if not told.startswith("gitdir:"):
                return None
            git_folder = told.removeprefix("gitdir:").strip()
            return _in_head(os.path.normpath(os.path.join(above, git_folder)))
    return None


def _in_head(git_folder: str) -> str | None:
    head = os.path.join(git_folder, "HEAD")
    if os.path.islink(head):  # how git kept it long ago
        named = os.readlink(head)
    else:
        told = _text(head)
        named = told.removeprefix("ref:").strip() if told.startswith("ref:") else ""
    branch = named.removeprefix(HEADS) if named.startswith(HEADS) else ""
    return branch if branch and branch != NONE_YET and branch.isprintable() else None


def _text(path: str) -> str:
    try:
        return regular.contents(path, at_most=LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError):  # not there, not ours to see, or no possible name
        return ""
