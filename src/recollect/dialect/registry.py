"""Which dialects there are (the folders of `dialects/`), and several of them as one list.

A list names dialects (`nmem,memento`) and single tools of them (`codemem:memory_explain`).
Where a client takes no dots in the names of tools, they are `spelled_plainly`.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.resources import files

from recollect.dialect.spec import Dialect, Tool
from recollect.model.errors import UnknownDialect

PACKAGE = "recollect.dialects"


def names() -> list[str]:
    folders = files(PACKAGE).iterdir()
    return sorted(folder.name for folder in folders if (folder / "dialect.py").is_file())


def load(listed: str) -> Dialect:
    """Import a dialect, or several of them as one."""
    wanted = list(dict.fromkeys(name.strip() for name in listed.split(",")))
    loaded = [_load(name) for name in wanted]
    return loaded[0] if len(loaded) == 1 else together(loaded)


def _load(part: str) -> Dialect:
    name, separator, tool = part.partition(":")
    if name not in names():
        raise UnknownDialect(f"unknown dialect: {name} (there is {', '.join(names())})", name=name)
    built: Dialect = import_module(f"{PACKAGE}.{name}.dialect").dialect()
    return _only(built, tool) if separator else built


def _only(dialect: Dialect, tool: str) -> Dialect:
    """One tool of a dialect. Its instructions are about all of them, so they are left out."""
    known = [each.name for each in dialect.tools]
    if tool not in known:
        told = f"{dialect.name} has no tool {tool} (there is {', '.join(known)})"
        raise UnknownDialect(told, name=f"{dialect.name}:{tool}")
    return replace(dialect, instructions="", tools=(dialect.tool(tool),))


def spelled_plainly(dialect: Dialect) -> Dialect:
    """Its tools under names without dots; those with dots are understood as before."""
    return replace(dialect, tools=tuple(_plain(tool) for tool in dialect.tools))


def _plain(tool: Tool) -> Tool:
    plain = tool.name.replace(".", "_")
    return (
        tool
        if plain == tool.name
        else replace(tool, name=plain, aliases=(tool.name, *tool.aliases))
    )


def together(dialects: list[Dialect]) -> Dialect:
    """All tools in one list; a name that an earlier dialect has is listed as `dialect_tool`.

    Routes are nobody's to choose: every dialect's are served at their own paths.
    """
    tools: dict[str, Tool] = {}
    for dialect in dialects:
        for tool in dialect.tools:
            name = f"{dialect.name}_{tool.name}" if tool.name in tools else tool.name
            tools[name] = replace(tool, name=name)
    return Dialect(
        ",".join(dialect.name for dialect in dialects),
        "\n\n".join(dialect.instructions for dialect in dialects if dialect.instructions),
        tuple(tools.values()),
        dialects[0].wording,
    )
