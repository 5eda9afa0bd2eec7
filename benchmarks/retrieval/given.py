"""Values out of somebody else's JSON, as the type that they should have, or `UnreadableSet`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.retrieval.corpus import UnreadableSet


def document(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise UnreadableSet(f"{path.name} cannot be read as JSON: {wrong}") from wrong


def rows(path: Path) -> Iterator[dict[str, object]]:
    """The objects of a JSONL file; blank lines are skipped."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as wrong:
        raise UnreadableSet(f"{path.name} cannot be read: {wrong}") from wrong
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield record(json.loads(line), f"{path.name} line {number}")
            except ValueError as wrong:
                raise UnreadableSet(f"{path.name} line {number}: {wrong}") from wrong


def record(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UnreadableSet(f"{where}: an object is expected")
    return value


def array(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise UnreadableSet(f"{where}: an array is expected")
    return value


def string(value: object, where: str) -> str:
    """A text; a number is taken as one, because published sets have both as ids and answers."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise UnreadableSet(f"{where}: a text is expected")


def strings(value: object, where: str) -> list[str]:
    return [string(each, where) for each in array(value, where)]
