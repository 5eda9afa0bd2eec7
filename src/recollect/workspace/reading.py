"""A tree's source, read: what each file defines, and which file imports which.

How much is read is limited, and what was left out is counted by reason.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.model.source import Import, Parsed
from recollect.workspace import grammars, python, regular
from recollect.workspace.imports import Resolver
from recollect.workspace.tree import Limits, Tree, walk

LARGEST_CONFIG = 1024 * 1024
"""Bytes of a `package.json` and the like."""


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
        blob = _blob(tree, file.path)
        if blob is None:
            tree.left_out["unreadable"] += 1
            continue
        language = languages[file.path] = file.language or ""
        parsed[file.path] = (
            python.parsed(blob, file.path)
            if language == "python"
            else grammars.parsed(blob, file.path, language)
        )
        if not parsed[file.path].is_whole:
            tree.left_out["syntax error"] += 1
    return Source(tree, parsed, tuple(_imports(tree, parsed, languages)))


def _imports(
    tree: Tree, parsed: Mapping[str, Parsed], languages: Mapping[str, str]
) -> Iterator[Import]:
    resolver = Resolver(
        frozenset(file.path for file in tree.files),
        languages,
        {path: one.package for path, one in parsed.items() if one.package},
        lambda path: _blob(tree, path, at_most=LARGEST_CONFIG),
    )
    for path, one in parsed.items():
        yield from resolver.imports(path, one)


def _blob(tree: Tree, path: str, *, at_most: int | None = None) -> bytes | None:
    whole = os.path.join(tree.root, *path.split("/"))
    try:
        return regular.contents(whole, at_most=at_most or tree.limits.file_bytes)
    except OSError:  # not ours to see, or gone since the tree was walked
        return None
