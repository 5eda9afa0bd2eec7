"""How a store gets from the schema it has to the schema of this version.

Migrations are numbered files, `0001_name.sql`. `schema.sql` beside them is the schema of today, to
be read by people; a test proves that both roads end at the same structure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

_NAME = re.compile(r"^(\d{4})_(\w+)\.sql$")


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    script: str


def migrations(package: str) -> tuple[Migration, ...]:
    """All migrations of an engine, oldest first."""
    found = []
    for entry in (files(package) / "migrations").iterdir():
        if match := _NAME.match(entry.name):
            script = entry.read_text(encoding="utf-8")
            found.append(Migration(int(match[1]), match[2], script))
    return tuple(sorted(found, key=lambda migration: migration.version))


def newest(known: Sequence[Migration]) -> int:
    return known[-1].version
