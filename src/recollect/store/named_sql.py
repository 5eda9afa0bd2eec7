"""Statements by name, read from `.sql` files.

A statement begins with a line `-- name --`; the comment lines below it say what it promises.
What several statements of a file have in common is a piece: it begins with `-- piece: name --`,
and a line `{name}` stands for it. Parameters are bound by name (`:limit`); nothing else is ever put
into the text of a statement.
"""

from __future__ import annotations

import re
from importlib.resources import files

_HEADER = re.compile(r"^-- ((?:piece: )?\w+) --$", re.MULTILINE)
_PIECE = re.compile(r"^\{(\w+)\}$", re.MULTILINE)
_PIECES = "piece: "
"""What the names of pieces begin with in their headers."""


class Statements:
    """The statements of one engine, all topics together; names are unique across topics."""

    def __init__(self, package: str) -> None:
        self._by_name: dict[str, str] = {}
        for entry in sorted((files(package) / "queries").iterdir(), key=lambda e: e.name):
            if entry.name.endswith(".sql"):
                self._add(entry.name, entry.read_text(encoding="utf-8"))

    def __getitem__(self, name: str) -> str:
        return self._by_name[name]

    def names(self) -> frozenset[str]:
        return frozenset(self._by_name)

    def _add(self, source: str, text: str) -> None:
        for name, statement in parse(text).items():
            if name in self._by_name:
                raise ValueError(f"{source} defines {name} a second time")
            self._by_name[name] = statement


def parse(text: str) -> dict[str, str]:
    """The statements of one file, without their headers and comments."""
    parts = _HEADER.split(text)
    named = {
        name: _without_comments(body) for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    pieces = {name: body for name, body in named.items() if name.startswith(_PIECES)}
    return {
        name: _PIECE.sub(lambda found: pieces[_PIECES + found[1]], body)
        for name, body in named.items()
        if name not in pieces
    }


def _without_comments(body: str) -> str:
    lines = (line for line in body.splitlines() if not line.lstrip().startswith("--"))
    return "\n".join(lines).strip()
