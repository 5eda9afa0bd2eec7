"""Which dialects there are: the folders of `dialects/`."""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files

from recollect.dialect.spec import Dialect
from recollect.model.errors import UnknownDialect

PACKAGE = "recollect.dialects"


def names() -> list[str]:
    folders = files(PACKAGE).iterdir()
    return sorted(folder.name for folder in folders if (folder / "dialect.py").is_file())


def load(name: str) -> Dialect:
    """Import one dialect and put it together."""
    if name not in names():
        raise UnknownDialect(f"unknown dialect: {name} (there is {', '.join(names())})", name=name)
    built: Dialect = import_module(f"{PACKAGE}.{name}.dialect").dialect()
    return built
