"""Source as it is read: files, what is defined in them, and which file imports which."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`path` counts from the root and has slashes; `language` is None for what is not parsed."""

    path: str
    language: str | None
    size: int


@dataclass(frozen=True, slots=True)
class Unit:
    """Something defined in a file; lines count from 1, both ends included."""

    kind: str
    name: str
    file: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Mention:
    """What an import says, in the words of its language."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """`package` is where the file says that it belongs, in languages in which files say so."""

    units: tuple[Unit, ...] = ()
    mentions: tuple[Mention, ...] = ()
    package: str | None = None
    is_whole: bool = True
    """False when there were syntax errors."""


@dataclass(frozen=True, slots=True)
class Import:
    """An import that leads to another file of the tree."""

    from_file: str
    to_file: str
    line: int
