"""The words that histories are made of, read from `tables/*.toml`; no chance in here."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something that a project may come to know, in the author's own sentences."""

    fit: str
    """api, web, jobs, cli, mobile or any: the sort of project."""
    about: str
    told: str
    asks: str
    turned: str
    """The question again, without a content word of `told` or `about`."""
    seen: str = ""
    """The error that was cured."""
    old: str = ""
    """What held before."""
    other: str = ""
    """What somebody else asked about the same matter."""


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    unit: str
    values: Sequence[int]
    turned: str


@dataclass(frozen=True, slots=True)
class Place:
    what: str
    path: str
    name: str
    turned: str


@dataclass(frozen=True, slots=True)
class Renamed:
    old: str
    new: str
    because: str


@dataclass(frozen=True, slots=True)
class Known:
    """An identifier, and what is known about it in words that are not its parts."""

    name: str
    known: str


@dataclass(frozen=True, slots=True)
class Noise:
    weight: int
    kind: str
    speaker: str
    texts: Sequence[str] = field(default_factory=tuple)


@cache
def matters(table: str) -> list[Matter]:
    """`decisions`, `errors`, `findings`, `reversals` or `prompts`."""
    return [Matter(**row) for row in _read(table)["fact"]]


@cache
def settings() -> list[Setting]:
    return [Setting(**row) for row in _read("settings")["setting"]]


@cache
def places() -> list[Place]:
    return [Place(**row) for row in _read("places")["place"]]


@cache
def renamed() -> list[Renamed]:
    return [Renamed(**row) for row in _read("names")["renamed"]]


@cache
def known() -> list[Known]:
    return [Known(**row) for row in _read("names")["known"]]


@cache
def noise() -> list[Noise]:
    return [Noise(**row) for row in _read("noise")["noise"]]


@cache
def words(name: str) -> list[str]:
    """A word table of noise.toml, or a table of phrases."""
    found = _read("noise").get(name) or _read("phrases")[name]
    assert isinstance(found, list)
    return found


@cache
def sources(extension: str, name: str) -> list[str]:
    """`errors`, `lines` or `libraries` of files that end so."""
    found = _read("noise")[extension][name]
    assert isinstance(found, list)
    return found


@cache
def _read(table: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{table}.toml").read_text(encoding="utf-8"))
