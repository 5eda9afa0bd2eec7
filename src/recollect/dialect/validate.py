"""Arguments checked against a tool's published schema: the part of JSON Schema that tools use.

`type` (one name or several), `properties`, `required`, `default`, `items`, `enum`, `minimum`,
`maximum` and `minLength`. What a limit means for a tool (held to it, or refused) is its handler's.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING

from recollect.model.call_errors import MissingArgument
from recollect.model.errors import InvalidArgument

if TYPE_CHECKING:  # dialect.spec imports the desk, and the desk half of the house
    from recollect.dialect.spec import Json

LARGEST = 2**53
"""JSON's interoperable integers end here. A larger one is held to it, in both directions: no id,
time or limit is that large, and it fits a database's 64 bits even as milliseconds."""


def checked(
    schema: dict[str, Json],
    arguments: Mapping[str, object],
    *,
    except_for: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """The arguments that the schema knows, with defaults for absent ones.

    Extra arguments are ignored. Nothing is converted: what has the wrong type is refused by name.
    The values of `except_for` are taken as they come.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidArgument("arguments", "must be an object")
    if not except_for:
        return _properties("", schema, arguments)
    known = _object(schema.get("properties"))
    strict = {name: part for name, part in known.items() if name not in except_for}
    values = _properties("", {**schema, "properties": strict}, arguments)
    return values | {
        name: arguments[name] for name in known if name in except_for and name in arguments
    }


def _properties(
    owner: str, schema: Mapping[str, Json], values: Mapping[str, object]
) -> dict[str, object]:
    required = _list(schema.get("required"))
    result: dict[str, object] = {}
    for name, rule in _object(schema.get("properties")).items():
        path, part = f"{owner}{name}", _object(rule)
        value = values.get(name)
        if name in values and (value is not None or _allows_null(part)):
            result[name] = _value(path, part, value)
        elif name in required:
            raise MissingArgument(path)
        elif "default" in part:
            result[name] = deepcopy(part["default"])
    return result


def _value(path: str, schema: Mapping[str, Json], value: object) -> object:
    types = _types(schema)
    if types and not any(_IS[name](value) for name in types):
        wanted = " or ".join(_ARTICLE[name] for name in types)
        raise InvalidArgument(path, f"must be {wanted}, not {_kind(value)}")
    choices = _list(schema.get("enum"))
    if choices and not any(_same(value, choice) for choice in choices):
        raise InvalidArgument(path, f"must be one of {', '.join(map(json.dumps, choices))}")
    if isinstance(value, str):
        _check_length(path, schema, value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        _check_bounds(path, schema, value)
        return max(-LARGEST, min(value, LARGEST)) if isinstance(value, int) else value
    elif isinstance(value, list) and "items" in schema:
        items = _object(schema["items"])
        return [_value(f"{path}[{place}]", items, item) for place, item in enumerate(value)]
    elif isinstance(value, Mapping) and "properties" in schema:
        return _properties(f"{path}.", schema, value)
    return value


def _check_length(path: str, schema: Mapping[str, Json], value: str) -> None:
    shortest = schema.get("minLength")
    if isinstance(shortest, int) and len(value) < shortest:
        problem = f"must have at least {shortest} characters"
        raise InvalidArgument(path, "must not be empty" if shortest == 1 else problem)


def _check_bounds(path: str, schema: Mapping[str, Json], value: float) -> None:
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if isinstance(lowest, (int, float)) and value < lowest:
        raise InvalidArgument(path, f"must be at least {lowest}")
    if isinstance(highest, (int, float)) and value > highest:
        raise InvalidArgument(path, f"must be at most {highest}")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))


_IS: Mapping[str, Callable[[object], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}
_ARTICLE = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "an array",
    "object": "an object",
}


def _kind(value: object) -> str:
    """What the value is, in the words of the schema; a fraction is told from a whole number."""
    if isinstance(value, float):
        return json.dumps(value) if math.isfinite(value) else "NaN or infinity"
    return next((_ARTICLE[name] for name, test in _IS.items() if test(value)), "something else")


def _same(value: object, choice: Json) -> bool:
    """Equal as JSON is: in Python, True equals 1."""
    return type(value) is type(choice) and value == choice


def _types(schema: Mapping[str, Json]) -> list[str]:
    names = schema.get("type")
    return [names] if isinstance(names, str) else [str(name) for name in _list(names)]


def _allows_null(schema: Mapping[str, Json]) -> bool:
    return "null" in _types(schema) or None in _list(schema.get("enum"))


def _list(part: Json) -> list[Json]:
    return part if isinstance(part, list) else []


def _object(part: Json) -> dict[str, Json]:
    return part if isinstance(part, dict) else {}
