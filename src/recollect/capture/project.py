"""Which project a folder belongs to. Names only: no subprocess, and the folder need not exist.

In this order: the name given by the user, `.recollect.toml` at or above the folder, the git
checkout around it (a linked worktree counts as its main checkout, a submodule as itself), the
folder.
Symbolic links are not followed: the name is the one that the user sees.
"""

from __future__ import annotations

import os
import stat

from recollect.model.scope import HOME, UNKNOWN, project_named

OWN_FILE = ".recollect.toml"
LONGEST_PATH = 4096
LARGEST_FILE = 64 * 1024


def project_of(
    cwd: str, *, named: str = "", home: str = "", strategy: str = "git"
) -> tuple[str, str | None]:
    """The project's name, and what stood in the way of reading a file that should have told it."""
    if named.strip():
        return project_named(named), None
    folder = _folder(cwd)
    if folder is None:
        return UNKNOWN, None
    own_name, problem = _named_by_file(folder)
    if own_name:
        return project_named(own_name), problem
    root = (_checkout(folder) if strategy == "git" else None) or folder
    return _name(root, home), problem


def _folder(cwd: str) -> str | None:
    if "\\" in cwd and "/" not in cwd:  # a Windows path, whatever system the hook runs on
        cwd = cwd.rstrip("\\").rpartition("\\")[2]
        if cwd.endswith(":"):
            return None
    folder = os.path.normpath(cwd.replace("\0", "")) if cwd else ""
    return None if folder in {"", ".", "..", "/", "//"} else folder


def _name(root: str, home: str) -> str:
    if home and root == os.path.normpath(home):
        return HOME
    return os.path.basename(root).strip() or UNKNOWN


def _upwards(folder: str) -> list[str]:
    """The folder and those above it; none for a relative path, which nobody can find."""
    if not os.path.isabs(folder) or len(folder) > LONGEST_PATH:
        return []
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        folders.append(folder)
    return folders


def _named_by_file(folder: str) -> tuple[str | None, str | None]:
    for above in _upwards(folder):
        path = os.path.join(above, OWN_FILE)
        if not os.path.lexists(path):
            continue
        try:
            return _name_in(_read(path)), None
        except (OSError, ValueError) as problem:
            return None, f"{path} cannot be read: {problem}"
    return None, None


def _name_in(blob: bytes) -> str:
    import tomllib  # 17 ms, paid only in a project that has the file

    name = tomllib.loads(blob.decode("utf-8")).get("project")
    if not isinstance(name, str) or not name.strip():
        raise ValueError("it has no text named project")
    return name.strip()


def _checkout(folder: str) -> str | None:
    for above in _upwards(folder):
        path = os.path.join(above, ".git")
        mode = _mode(path)
        if stat.S_ISDIR(mode):
            return above
        if stat.S_ISREG(mode):
            return _main_checkout(above, path)
    return None


def _main_checkout(folder: str, git_file: str) -> str:
    """The checkout that a `.git` file belongs to: `gitdir: …/<main>/.git/worktrees/<name>`."""
    try:
        told = _read(git_file).decode("utf-8", "surrogateescape")
    except OSError:
        return folder  # there is a checkout here; only whose worktree it is cannot be seen
    git_folder = os.path.normpath(os.path.join(folder, told.removeprefix("gitdir:").strip()))
    parts = git_folder.split(os.sep)
    if not told.startswith("gitdir:") or len(parts) < 4 or parts[-2] != "worktrees":
        return folder
    repository = os.sep.join(parts[:-2])
    if os.path.basename(repository).startswith("."):  # `.git`, or a `.bare` beside its worktrees
        return os.path.dirname(repository)
    return repository.removesuffix(".git")  # a bare repository, or a submodule in `.git/modules`


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):  # not there, not ours to see, or no possible name
        return 0


def _read(path: str) -> bytes:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("it is not a regular file")  # a FIFO would wait for somebody to write
    with open(path, "rb") as file:
        return file.read(LARGEST_FILE)
