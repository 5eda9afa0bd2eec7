"""One field of a record, by its type: what it may be, and the words in which it is refused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from recollect.model.errors import InvalidArgument

MOST_CHARACTERS = 1_000_000
MOST_LABELS = 1_000
LONGEST_NAME = 200
DEEPEST = 200
"""Levels of an object that is kept as it is."""
EARLIEST_IN_MS = 10**11
"""A number below this counts seconds: in milliseconds it would be in 1973."""

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
EARLIEST = (datetime.min.replace(tzinfo=UTC) - _START) // _MILLISECOND
LATEST = (datetime.max.replace(tzinfo=UTC) - _START) // _MILLISECOND
"""The calendar's ends, the years 1 and 9999: what lies beyond could not be exported as a date."""

Given = Mapping[str, object]


def required_text(given: Given, name: str) -> str:
    """As it was written, blanks around it included."""
    value = given.get(name)
    if value is None:
        raise InvalidArgument(name, "must be a text" if name in given else "is required")
    text = string(given, name)
    if text is None:
        raise InvalidArgument(name, "must not be empty")
    return str(value)


def string(given: Given, name: str) -> str | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidArgument(name, "must be a text")
    if len(value) > MOST_CHARACTERS:
        raise InvalidArgument(name, f"has {len(value)} characters; at most {MOST_CHARACTERS}")
    return value.strip() or None


def name(given: Given, name: str) -> str | None:
    value = given.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # sessions and projects are often numbered
    named = string({name: value}, name)
    if named is not None and len(named) > LONGEST_NAME:
        raise InvalidArgument(name, f"has {len(named)} characters; at most {LONGEST_NAME}")
    return named


def labels(given: Given, name: str) -> tuple[str, ...]:
    value = given.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidArgument(name, "must be an array of texts")
    found = dict.fromkeys(item.strip() for item in value if item.strip())
    if len(found) > MOST_LABELS:
        raise InvalidArgument(name, f"has {len(found)} entries; at most {MOST_LABELS}")
    return tuple(found)


def flag(given: Given, name: str) -> bool:
    value = given.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise InvalidArgument(name, "must be true or false")
    return value


def time(given: Given, name: str) -> int | None:
    """Milliseconds: of an ISO 8601 date, or of a number of seconds or milliseconds since 1970."""
    value = given.get(name)
    if value is None:
        return None
    moment = moment_of(value)
    if moment is None:
        raise InvalidArgument(
            name, "must be an ISO 8601 date, or seconds or milliseconds since 1970"
        )
    return moment


def moment_of(value: object) -> int | None:
    """A time as people and programs write it, in milliseconds; None for what is no such time."""
    moment = _moment(value)
    return moment if moment is not None and EARLIEST <= moment <= LATEST else None


def shown_time(moment: int | None) -> str | None:
    """Reckoned in whole numbers: a float has no room for milliseconds in far years."""
    if moment is None:
        return None
    return (_START + moment * _MILLISECOND).isoformat(timespec="milliseconds")


def share(given: Given, name: str) -> float | None:
    """From 0 to 1."""
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidArgument(name, "must be a number from 0 to 1")
    return float(value)


def mapping(given: Given, name: str) -> Given | None:
    """An object as JSON knows it: no NaN, no infinity, not nested without end."""
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InvalidArgument(name, "must be an object")
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        item, level = waiting.pop()
        if level > DEEPEST:
            raise InvalidArgument(name, f"is nested more than {DEEPEST} deep")
        if isinstance(item, float) and not math.isfinite(item):
            raise InvalidArgument(name, "holds a number that is not finite")
        inside = item.values() if isinstance(item, Mapping) else item
        if isinstance(inside, Iterable) and not isinstance(inside, str):
            waiting += [(each, level + 1) for each in inside]
    return value


def _moment(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return int(value) if abs(value) >= EARLIEST_IN_MS else round(value * 1000)
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return round(read.timestamp() * 1000)
