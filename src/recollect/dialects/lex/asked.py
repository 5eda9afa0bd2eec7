"""Arguments read by name: each mistake with its code, all of them gathered, the first one raised.

Nothing is converted. `null` is as good as absent, and so is an empty text.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from recollect.dialect.spec import Arguments
from recollect.dialects.lex import refusals
from recollect.dialects.lex.refusals import Refused

LONGEST = 100_000
"""Characters of a text."""
MOST = 1_000
"""Entries of a list."""
HIGHEST = 2**31 - 1
"""A limit beyond this one is as good as this one."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Asked:
    """The arguments of one call, or of an object within them whose name is `owner`."""

    def __init__(self, arguments: Arguments, owner: str = "") -> None:
        self._arguments = arguments
        self._owner = owner
        self.missing: list[str] = []
        self.problems: list[Refused] = []

    def refuse(self) -> None:
        """Raise what is missing, or else the first problem; nothing is wrong when this returns."""
        for each in self.wrong():
            raise each

    def wrong(self) -> list[Refused]:
        """All that is wrong, what is missing first."""
        return [*([refusals.missing(*self.missing)] if self.missing else ()), *self.problems]

    def value(self, name: str) -> object:
        given = self._arguments.get(name)
        return None if given == "" else given

    def needed(self, name: str) -> bool:
        """Whether it was given; noted when it was not. What is blank is not there."""
        given = self.value(name)
        if given is None or (isinstance(given, str) and not given.strip()):
            self.missing.append(self._owner + name)
            return False
        return True

    def text(self, name: str, default: str = "") -> str:
        """A text, or the default when there is none or it is wrong."""
        return self.optional(name) or default

    def optional(self, name: str) -> str | None:
        given = self.value(name)
        if given is None:
            return None
        if not isinstance(given, str):
            self._wrong(name, f"must be a string, not {_kind(given)}")
        elif len(given) > LONGEST:
            self._wrong(name, f"has {len(given)} characters; at most {LONGEST}")
        else:
            return given
        return None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, without those that are wrong; empty when there is none or it is none."""
        given = self.value(name)
        if given is None:
            return ()
        if not isinstance(given, list):
            self._wrong(name, f"must be an array of strings, not {_kind(given)}")
            return ()
        if len(given) > MOST:
            self._wrong(name, f"has {len(given)} entries; at most {MOST}")
            return ()
        kept = []
        for place, each in enumerate(given):
            if not isinstance(each, str):
                self._wrong(f"{name}[{place}]", f"must be a string, not {_kind(each)}")
            elif len(each) > LONGEST:
                self._wrong(f"{name}[{place}]", f"has {len(each)} characters; at most {LONGEST}")
            else:
                kept.append(each)
        return tuple(kept)

    def number(self, name: str, default: int) -> int:
        """A whole number from 0 on."""
        given = self.value(name)
        if given is None:
            return default
        if isinstance(given, bool) or not isinstance(given, int):
            self._wrong(name, f"must be an integer, not {_kind(given)}")
        elif given < 0:
            self._wrong(name, "must be at least 0")
        else:
            return min(given, HIGHEST)
        return default

    def flag(self, name: str) -> bool:
        given = self.value(name)
        if given is not None and not isinstance(given, bool):
            self._wrong(name, f"must be a boolean, not {_kind(given)}")
        return given is True

    def moment(self, name: str, *, is_end: bool = False) -> int | None:
        """A time in milliseconds. A day alone is its beginning, or its last moment as an end."""
        given = self.optional(name)
        if given is None:
            return None
        try:
            return _milliseconds(given.strip(), is_end=is_end)
        except (ValueError, OverflowError):
            self._wrong(name, "must be an ISO 8601 timestamp, such as 2025-01-31T12:00:00Z")
            return None

    def objects(self, name: str) -> tuple[Mapping[str, object], ...]:
        given = self.value(name)
        if given is None:
            return ()
        if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
            self._wrong(name, "must be an array of objects")
            return ()
        if len(given) > MOST:
            self._wrong(name, f"has {len(given)} entries; at most {MOST}")
            return ()
        return tuple(given)

    def _wrong(self, name: str, problem: str) -> None:
        self.problems.append(refusals.malformed(self._owner + name, problem))


def _milliseconds(text: str, *, is_end: bool) -> int:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if is_end and "T" not in text and " " not in text:
        moment += timedelta(days=1) - timedelta(milliseconds=1)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
