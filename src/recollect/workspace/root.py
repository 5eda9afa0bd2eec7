"""Where a workspace begins: the nearest folder that has a checkout or Lex's own folder in it."""

from __future__ import annotations

import os
from collections.abc import Iterator

MARKS = (".smartergpt", ".git")
LONGEST_PATH = 4096


def found_from(folder: str) -> str:
    """The nearest folder with a mark, from this one upwards; without any, this one."""
    start = os.path.normpath(folder)
    for above in upwards(start):
        if any(os.path.lexists(os.path.join(above, mark)) for mark in MARKS):
            return above
    return start


def upwards(folder: str) -> Iterator[str]:
    """The folder and those above it; none for a relative path, which nobody can find."""
    if not os.path.isabs(folder) or len(folder) > LONGEST_PATH or "\0" in folder:
        return
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder
