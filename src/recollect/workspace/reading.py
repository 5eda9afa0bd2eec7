"""A tree's source, read: what each file defines, and which file imports which.

How much is read is limited, and what was left out is counted by reason.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.model.source import Import, Parsed, SourceFile
from recollect.workspace import grammars, python, regular
from recollect.workspace.imports import Resolver
from recollect.workspace.remembered import Remembered
from recollect.workspace.tree import Limits, Tree, walk

LARGEST_CONFIG = 1024 * 1024
"""Bytes of a `package.json` and the like."""
MOST_KEPT = 100_000
"""Units and mentions of files that are remembered while they do not change: some 25 MB."""


@dataclass(frozen=True, slots=True)
class Source:
    """`parsed` by path, in the order of paths."""

    tree: Tree
    parsed: Mapping[str, Parsed]
    imports: tuple[Import, ...]


def read(root: str, limits: Limits | None = None) -> Source:
    """`PathNotFound` when there is no such folder."""
    tree = walk(root, limits)
    parsed: dict[str, Parsed] = {}
    languages: dict[str, str] = {}
    for file in tree.sources():
        try:
            one = _parsed(tree, file)
        except OSError:  # not ours to see, or gone since the tree was walked
            tree.left_out["unreadable"] += 1
            continue
        parsed[file.path] = one
        languages[file.path] = file.language or ""
        if not one.is_whole:
            tree.left_out["syntax error"] += 1
    return Source(tree, parsed, tuple(_imports(tree, parsed, languages)))


def _parsed(tree: Tree, file: SourceFile) -> Parsed:
    """Parsing is what takes long, so what has not changed is parsed once."""

    def read(blob: bytes) -> Parsed:
        if file.language == "python":
            return python.parsed(blob, file.path)
        return grammars.parsed(blob, file.path, file.language or "")

    path = os.path.join(tree.root, *file.path.split("/"))
    return _KNOWN.of(path, read, at_most=tree.limits.file_bytes, name=file.path)


def _imports(
    tree: Tree, parsed: Mapping[str, Parsed], languages: Mapping[str, str]
) -> Iterator[Import]:
    resolver = Resolver(
        frozenset(file.path for file in tree.files),
        languages,
        {path: one.package for path, one in parsed.items() if one.package},
        lambda path: _blob(tree, path),
    )
    for path, one in parsed.items():
        yield from resolver.imports(path, one)


def _blob(tree: Tree, path: str) -> bytes | None:
    try:
        whole = os.path.join(tree.root, *path.split("/"))
        return regular.contents(whole, at_most=LARGEST_CONFIG)
    except OSError:
        return None


def _weight(parsed: Parsed) -> int:
    return 1 + len(parsed.units) + len(parsed.mentions)


_KNOWN: Remembered[Parsed] = Remembered(MOST_KEPT, _weight)
