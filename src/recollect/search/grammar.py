"""What people type, as a tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`wanted` without `unwanted`."""

    wanted: Tree
    unwanted: Tree


Tree = Word | Phrase | And | Or | Not
