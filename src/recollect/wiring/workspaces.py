"""The workspace of a request: of this process's own folder, or of the one that a client names."""

from __future__ import annotations

import os

from recollect.model.policy_errors import PathNotFound
from recollect.model.workspace import Workspace
from recollect.settings import Settings
from recollect.workspace.root import found_from


def own(settings: Settings, folder: str) -> Workspace:
    """As the settings of this process have it, around its folder; empty when that is gone."""
    return workspace(
        folder,
        home=settings.user_home,
        root=settings.lex_workspace_root,
        policy_path=settings.lex_policy_path,
        default_branch=settings.lex_default_branch,
        is_strict=settings.lex_strict,
    )


def workspace(
    folder: str,
    *,
    home: str,
    root: str | None,
    policy_path: str | None,
    default_branch: str | None,
    is_strict: bool,
) -> Workspace:
    """`PathNotFound` for a root or a folder that was named and is none."""
    if root is not None:
        around: str | None = _folder(root)
    else:
        around = _found(_folder(folder), home) if folder else None
    return Workspace(
        root=around,
        policy_path=policy_path,
        default_branch=default_branch,
        is_strict=is_strict,
    )


def _found(folder: str, home: str) -> str | None:
    """Somebody's home, or the whole machine, is a workspace only when it is named: nobody means to
    have all of it read who merely started something there."""
    found = found_from(folder)
    wide = {os.path.realpath(place) for place in (home, os.sep)}
    return None if os.path.realpath(found) in wide else found


def _folder(path: str) -> str:
    if "\0" in path or not os.path.isabs(path) or not os.path.isdir(path):
        raise PathNotFound(path)
    return path
