"""The files of a tree: what git would keep, without following links, within stated limits.

What is in them is read elsewhere.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from recollect.model.errors import InvalidArgument
from recollect.model.policy_errors import PathNotFound
from recollect.model.source import SourceFile
from recollect.workspace import ignored
from recollect.workspace.ignored import Rules

LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
}
NEVER = {".git", ".hg", ".svn", "node_modules", "__pycache__"}
"""Folders that are nobody's source, whether or not they are ignored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of a tree is read; what is more is left out, and said to be."""

    files: int = 200_000
    parsed_files: int = 20_000
    parsed_bytes: int = 256 * 1024 * 1024
    file_bytes: int = 1024 * 1024
    depth: int = 64


@dataclass(slots=True)
class Tree:
    """`left_out` counts what was passed over, by reason; `is_cut` when limits were reached."""

    root: str
    limits: Limits
    files: list[SourceFile] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    is_cut: bool = False

    def sources(self) -> Iterator[SourceFile]:
        """The files that can be parsed, within the limits; the tree says when these cut."""
        count = size = 0
        for file in self.files:
            if file.language is None:
                continue
            if file.size > self.limits.file_bytes:
                self.left_out["too large"] += 1
                self.is_cut = True
                continue
            count, size = count + 1, size + file.size
            if count > self.limits.parsed_files or size > self.limits.parsed_bytes:
                self.left_out["over the limit"] += 1
                self.is_cut = True
                continue
            yield file


def walk(root: str, limits: Limits | None = None) -> Tree:
    """The tree below a folder, or one file; paths in their order, so the same tree every time."""
    if not os.path.isabs(root) or "\0" in root:
        raise InvalidArgument("path", "must lead to a folder")
    tree = Tree(os.path.normpath(root), limits or Limits())
    if not os.path.isdir(tree.root):
        raise PathNotFound(root)
    rules = ignored.rules_above(tree.root)
    _walk(tree, tree.root, rules)
    tree.files.sort(key=lambda file: file.path)
    return tree


def _walk(tree: Tree, root: str, rules: Rules) -> None:
    waiting: list[tuple[str, Rules, int]] = [(root, rules, 0)]
    while waiting:
        folder, above, depth = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            if folder == root:
                raise PathNotFound(root) from None
            tree.left_out["unreadable"] += 1
            continue
        names = {entry.name for entry in entries}
        if "pyvenv.cfg" in names and depth:  # an environment: other people's source
            tree.left_out["environment"] += 1
            continue
        here = above.within(folder, has_file=ignored.FILE in names)
        deeper = []
        for entry in entries:
            if len(tree.files) >= tree.limits.files:
                tree.is_cut = True
                tree.left_out["over the limit"] += 1
                return
            try:
                is_folder = _is_folder(tree, entry, here)
            except OSError:  # not ours to see, or gone meanwhile
                tree.left_out["unreadable"] += 1
                continue
            if is_folder:
                deeper.append((entry.path, here, depth + 1))
        if deeper and depth >= tree.limits.depth:
            tree.is_cut = True
            tree.left_out["too deep"] += len(deeper)
        else:
            waiting += reversed(deeper)


def _is_folder(tree: Tree, entry: os.DirEntry[str], rules: Rules) -> bool:
    """Takes a file into the tree; a folder that is to be read is left to the caller."""
    if entry.is_symlink():  # git does not follow them either: they may lead out, or round
        tree.left_out["link"] += 1
        return False
    is_folder = entry.is_dir(follow_symlinks=False)
    if entry.name in NEVER:
        return False
    if rules.ignores(entry.path, is_folder=is_folder):
        tree.left_out["ignored"] += 1
        return False
    if is_folder:
        return True
    if not entry.is_file(follow_symlinks=False):  # a pipe, a socket, a device
        tree.left_out["no file"] += 1
        return False
    path = os.path.relpath(entry.path, tree.root) if tree.root == os.sep else _below(tree, entry)
    if not _is_text(path):
        tree.left_out["unreadable name"] += 1
        return False
    size = entry.stat(follow_symlinks=False).st_size
    if entry.name == ignored.FILE and size > ignored.LARGEST:
        tree.left_out["too many rules"] += 1
    language = LANGUAGES.get(os.path.splitext(entry.name)[1].lower())
    tree.files.append(SourceFile(path, language, size))
    return False


def _below(tree: Tree, entry: os.DirEntry[str]) -> str:
    return entry.path[len(tree.root) + 1 :].replace(os.sep, "/")


def _is_text(path: str) -> bool:
    """A name of bytes that are no letters cannot be told to anybody."""
    return path.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in path)
