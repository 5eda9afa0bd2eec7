"""A dialect: published tools, each with the function that answers it.

A tool's name, description and schema are data in the dialect's `tools.json`, exactly as published;
the handler turns checked arguments into a verb and its outcome into published JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect.dialect.desk import Desk
from recollect.model.errors import RecollectError, UnknownTool

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Arguments = Mapping[str, object]
"""Arguments after `dialect.validate`: defaults filled in, types as the schema says."""
Handler = Callable[[Desk, Arguments], Json]
Wording = Callable[[RecollectError], str | dict[str, "Json"]]
"""An error in the words of a dialect: a text, or the object that its contract defines."""


def as_json(value: object) -> Json:
    """A value that came out of JSON once, as what it is."""
    if isinstance(value, Mapping):
        return {str(name): as_json(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(member) for member in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{type(value).__name__} is not JSON")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    input_schema: dict[str, Json]
    handler: Handler
    wording: Wording
    is_read_only: bool = True
    own_checks: frozenset[str] = frozenset()
    """Arguments that the handler itself checks, because a wrong one is part of its answer."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """`instructions` is what a model reads about the whole server; `wording` tells the problems
    that come before a tool is known."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    wording: Wording

    def tool(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise UnknownTool(f"unknown tool: {name}", name=name)
