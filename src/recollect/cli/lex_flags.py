"""Flags for the arguments of published tools: their names with dashes, as the schemas have them.

Only what was said on the command line becomes an argument: what is missing or wrong, the tool
itself tells, in the same words as at every other door.
"""

from __future__ import annotations

import argparse
import base64
import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.dialect.spec import Json, Tool
from recollect.model.errors import InvalidArgument

FILES = "images"
"""Of this argument the command line names files."""


@dataclass(frozen=True, slots=True)
class Flag:
    """An argument, or a part of one that is an object: the way to it, and its schema."""

    path: tuple[str, ...]
    schema: Mapping[str, Json]

    @property
    def name(self) -> str:
        return dashed(self.path[-1])

    @property
    def dest(self) -> str:
        return ".".join(self.path)


def flags_of(tool: Tool) -> list[Flag]:
    return list(_flags((), tool.input_schema))


def add(parser: argparse.ArgumentParser, tool: Tool, *, without: tuple[str, ...] = ()) -> None:
    """Flags for all arguments of a tool, but for those that the command has in another form."""
    for flag in flags_of(tool):
        if flag.path[0] not in without:
            _add(parser, flag)


def arguments(args: argparse.Namespace, tool: Tool) -> dict[str, object]:
    """What was said, as the tool takes it."""
    given: dict[str, object] = {}
    for flag in flags_of(tool):
        value = getattr(args, flag.dest, None)
        if value is None:
            continue
        owner = given
        for name in flag.path[:-1]:
            inner = owner.setdefault(name, {})
            assert isinstance(inner, dict)
            owner = inner
        owner[flag.path[-1]] = [_file(each) for each in value] if flag.dest == FILES else value
    return given


def dashed(name: str) -> str:
    """`reference_point` and `ticketOrBranch` as people type them."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).replace("_", "-").lower()


def _flags(path: tuple[str, ...], schema: Mapping[str, Json]) -> Iterator[Flag]:
    properties = schema.get("properties")
    assert isinstance(properties, dict)
    for name, part in properties.items():
        assert isinstance(part, dict)
        if part.get("type") == "object":
            yield from _flags((*path, name), part)
        else:
            yield Flag((*path, name), part)


def _add(parser: argparse.ArgumentParser, flag: Flag) -> None:
    about = str(flag.schema.get("description", "")).replace("%", "%%") or None
    option, kind = f"--{flag.name}", flag.schema.get("type")
    if kind == "boolean":
        parser.add_argument(option, dest=flag.dest, action="store_true", default=None, help=about)
    elif kind == "array":
        what = "FILE" if flag.dest == FILES else _value(flag.name)
        parser.add_argument(
            *(option,), dest=flag.dest, action="extend", nargs="+", metavar=what, help=about
        )
    elif kind in ("integer", "number"):
        parser.add_argument(option, dest=flag.dest, type=int, metavar="N", help=about)
    else:
        parser.add_argument(option, dest=flag.dest, metavar=_value(flag.name), help=about)


def _value(name: str) -> str:
    return name.upper()


def _file(path: str) -> dict[str, str]:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InvalidArgument(path, f"cannot be read: {error.strerror}") from error
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"data": base64.b64encode(data).decode("ascii"), "mime_type": kind}
