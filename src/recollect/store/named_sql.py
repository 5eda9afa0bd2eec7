"""Statements by name, read from `.sql` files.

A statement begins with a line `-- name --`; the comment lines below it say what it promises.
Parameters are bound by name (`:limit`); nothing is ever put into the text of a statement.
"""

from __future__ import annotations

import re
from importlib.resources import files

_HEADER = re.compile(r"^-- (\w+) --$", re.MULTILINE)


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
    pieces = _HEADER.split(text)
    return {
        name: _without_comments(body) for name, body in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def _without_comments(body: str) -> str:
    lines = (line for line in body.splitlines() if not line.lstrip().startswith("--"))
    return "\n".join(lines).strip()
