"""JSON in and out for the hook, without importing `json`. Nothing here knows what an event is.

`json` imports `re`, which is half as long again as a bare interpreter takes to start. The C scanner
and the C string encoder that `json` itself uses are built into CPython under a private name; where
they are missing, `json` does the same work more slowly.
"""

from __future__ import annotations

from recollect.model.errors import MalformedEvent

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BLANK = " \t\n\r"


LONGEST_INTEGER = 1_000


def _refused(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int | str:
    """Python refuses to read integers of many thousand digits; nobody counts with those."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


class _Reading:
    """What the C scanner asks its owner for."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None  # asked for from Python 3.15 on
    parse_float = float
    parse_int = staticmethod(_integer)
    parse_constant = staticmethod(_refused)
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner of some versions looks for the name only


scan: Callable[[str, int], tuple[Any, int]]
quoted: Callable[[str], str]
_quoted_as_is: Callable[[str], str]
try:
    from _json import encode_basestring as _quoted_as_is
    from _json import encode_basestring_ascii as quoted
    from _json import make_scanner

    scan = make_scanner(_Reading())  # type: ignore[arg-type]  # it needs the names, not the class
except ImportError:
    from json.decoder import JSONDecoder
    from json.encoder import encode_basestring as _quoted_as_is
    from json.encoder import encode_basestring_ascii as quoted

    scan = JSONDecoder(parse_int=_integer, parse_constant=_refused).scan_once  # type: ignore[attr-defined]


def parse(blob: bytes) -> object:
    """The one JSON value in `blob`; `MalformedEvent` says why there is none."""
    try:
        text = blob.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise MalformedEvent(f"the input is not UTF-8 (byte {problem.start})") from None
    text = text.removeprefix("\ufeff").strip(BLANK)  # some shells of Windows send a byte order mark
    if not text:
        raise MalformedEvent("the input is empty")
    try:
        value, end = scan(text, 0)
    except StopIteration as stop:
        raise MalformedEvent(f"the input is not JSON (character {stop.value})") from None
    except RecursionError:
        raise MalformedEvent("the input is nested too deeply") from None
    except (ValueError, SystemError):
        raise MalformedEvent(f"the input is not JSON: {_problem(text)}") from None
    if end != len(text):
        raise MalformedEvent(f"the input goes on after the JSON value (character {end})")
    return value


def _problem(text: str) -> str:
    """What `json` says about the text. The scanner raises an error that `json` defines, and fails
    over itself (SystemError) when `json` was never imported; now it may cost what it costs."""
    import json

    try:
        json.loads(text, parse_int=_integer, parse_constant=_refused)
    except ValueError as problem:
        return str(problem)
    return "a value that cannot be read"


def compact(value: object) -> str:
    """`value` as JSON in ASCII without spaces; dicts, lists, texts, numbers, truth and None."""
    return _written(value, quoted)


def readable(value: object) -> str:
    """The same with every letter as it is, for people and for the search index."""
    return _written(value, _quoted_as_is)


def _written(value: object, quote: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        members = [f"{quote(name)}:{_written(item, quote)}" for name, item in value.items()]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([_written(item, quote) for item in value]) + "]"
    return _plain(value)


def _plain(value: object) -> str:
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        # 1e999 is JSON and reads as infinity, for which JSON has no word: null, as browsers write.
        return float.__repr__(value) if value - value == 0 else "null"
    raise TypeError(f"{type(value).__name__} has no JSON form")
