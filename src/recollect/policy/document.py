"""A policy file's bytes as a `Policy`, or what is wrong with them, place by place.

What a policy means is decided elsewhere: whose ids they are, who may call whom, what to warn of.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

LARGEST = 64 * 1024 * 1024
"""Bytes; a hundred thousand modules take a third of it."""
MOST_PROBLEMS = 100
"""More than these nobody reads."""
WHOLE = "policy"
"""The place of a problem that is with the file as a whole."""

_TOO_MANY = "there are more problems than are shown"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: `modules.<id>.allowed_callers`."""

    place: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """`allowed_callers` is None when anybody may call, and empty when nobody may."""

    id: str
    description: str | None = None
    owns_paths: tuple[str, ...] = ()
    owns_namespaces: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    exposes: tuple[str, ...] = ()
    coords: tuple[float, float] | None = None
    allowed_callers: tuple[str, ...] | None = None
    forbidden_callers: tuple[str, ...] = ()
    feature_flags: tuple[str, ...] = ()
    requires_permissions: tuple[str, ...] = ()
    kill_patterns: tuple[str, ...] = ()
    notes: str | None = None

    @property
    def has_ownership(self) -> bool:
        return bool(self.owns_paths or self.owns_namespaces or self.match)


@dataclass(frozen=True, eq=False)
class Policy:
    """`modules` by id, in the order of the file. Two policies are the same only if they are one."""

    modules: Mapping[str, Module]
    schema_version: str | None = None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self.modules)

    @cached_property
    def folded_ids(self) -> tuple[str, ...]:
        """The ids in lower case, for those who look for similar ones."""
        return tuple(id_.lower() for id_ in self.modules)


@dataclass(frozen=True, slots=True)
class Document:
    """A policy, or the problems why it is none."""

    policy: Policy | None
    problems: tuple[Problem, ...] = ()


def read(blob: bytes) -> Document:
    """Everything that is wrong is told at once; nothing of it is guessed."""
    try:
        return _document(_json(blob))
    except _NotAPolicy as problem:
        return Document(None, (Problem(problem.place, problem.message),))


def entries(blob: bytes) -> dict[str, object]:
    """A JSON object, by the same rules as a policy's; ValueError says why it is none."""
    try:
        loaded = _json(blob)
    except _NotAPolicy as problem:
        raise ValueError(problem.message) from problem
    if not isinstance(loaded, dict):
        raise ValueError("It must be a JSON object")  # noqa: TRY004  the one error of this reader
    return loaded


class _NotAPolicy(Exception):
    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place, self.message = place, message


def _json(blob: bytes) -> object:
    if len(blob) > LARGEST:
        raise _NotAPolicy(WHOLE, f"It is larger than {LARGEST // 1024 // 1024} MiB")
    try:
        return json.loads(blob, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except RecursionError:
        raise _NotAPolicy(WHOLE, "It is nested too deeply") from None
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise _NotAPolicy(WHOLE, f"It is not JSON: {problem.msg} ({where})") from None
    except UnicodeDecodeError:
        raise _NotAPolicy(WHOLE, "It is not JSON: the bytes are not UTF-8") from None
    except ValueError:  # a number of more digits than Python reads
        raise _NotAPolicy(WHOLE, "It holds a number that cannot be read") from None


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    loaded = dict(pairs)
    if len(loaded) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _NotAPolicy(WHOLE, f"The key {_shown(twice)} is there twice in one object")
    return loaded


def _no_constant(name: str) -> object:
    raise _NotAPolicy(WHOLE, f"It is not JSON: {name} is no number there")


def _document(loaded: object) -> Document:
    if not isinstance(loaded, dict):
        raise _NotAPolicy(WHOLE, f"It must be a JSON object, not {_kind(loaded)}")
    if "modules" not in loaded:
        raise _NotAPolicy("modules", "Missing required field 'modules'")
    listed = loaded["modules"]
    if not isinstance(listed, dict):
        raise _NotAPolicy("modules", f"Must be an object of modules by id, not {_kind(listed)}")
    version = loaded.get("schemaVersion")
    problems = [*_texts_only("schemaVersion", version), *_kill_patterns(loaded)]
    modules: dict[str, Module] = {}
    for id_, body in listed.items():
        problems += _problems_of(id_, body)
        if len(problems) > MOST_PROBLEMS:
            problems[MOST_PROBLEMS:] = [Problem(WHOLE, _TOO_MANY)]
            break
        if not problems:
            modules[id_] = _module(id_, body)
    if problems:
        return Document(None, tuple(problems))
    return Document(Policy(modules, version))


def _problems_of(id_: str, body: object) -> Iterator[Problem]:
    place = f"modules.{_printable(id_)}"
    if not id_.strip():
        yield Problem(place, "A module id must not be empty")
    if not _is_text(id_):
        yield Problem(place, "The id holds half of a surrogate pair")
    if not isinstance(body, dict):
        yield Problem(place, f"Must be an object, not {_kind(body)}")
        return
    for name, check in _FIELDS.items():
        if body.get(name) is not None:
            yield from check(f"{place}.{name}", body[name])


def _module(id_: str, body: dict[str, object]) -> Module:
    told = {name: value for name, value in body.items() if name in _FIELDS and value is not None}
    made: dict[str, object] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
    }
    if "kill_patterns" in made:
        made["kill_patterns"] = tuple(map(_pattern, told["kill_patterns"]))  # type: ignore[call-overload]
    return Module(id=id_, **made)  # type: ignore[arg-type]  # each was checked by its name


def _pattern(item: object) -> str:
    return str(item["pattern"] if isinstance(item, dict) else item)


def _texts_only(place: str, value: object) -> Iterator[Problem]:
    if value is not None and not isinstance(value, str):
        yield Problem(place, f"Must be a string, not {_kind(value)}")
    elif isinstance(value, str) and not _is_text(value):
        yield Problem(place, "It holds half of a surrogate pair")


def _list_of_texts(place: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield Problem(place, f"Must be an array of strings, not {_kind(value)}")
        return
    for position, item in enumerate(value):
        if not isinstance(item, str):
            yield Problem(f"{place}[{position}]", f"Must be a string, not {_kind(item)}")
        else:
            yield from _texts_only(f"{place}[{position}]", item)


def _list_of_patterns(place: str, value: object) -> Iterator[Problem]:
    """Each is a text, or an object with one under `pattern`."""
    if not isinstance(value, list):
        yield Problem(place, f"Must be an array, not {_kind(value)}")
        return
    for position, item in enumerate(value):
        here = f"{place}[{position}]"
        if isinstance(item, dict):
            if not isinstance(item.get("pattern"), str):
                yield Problem(f"{here}.pattern", "Must be a string")
            else:
                yield from _texts_only(f"{here}.pattern", item["pattern"])
        elif not isinstance(item, str):
            yield Problem(here, f"Must be a string or an object, not {_kind(item)}")
        else:
            yield from _texts_only(here, item)


def _two_numbers(place: str, value: object) -> Iterator[Problem]:
    is_pair = isinstance(value, list) and len(value) == 2
    if not is_pair or not all(_is_number(item) for item in value):  # type: ignore[attr-defined]
        yield Problem(place, "Must be exactly two finite numbers")


def _kill_patterns(loaded: dict[str, object]) -> Iterator[Problem]:
    listed = loaded.get("global_kill_patterns")
    if listed is not None:
        yield from _list_of_patterns("global_kill_patterns", listed)


_FIELDS: dict[str, Callable[[str, object], Iterator[Problem]]] = {
    "description": _texts_only,
    "owns_paths": _list_of_texts,
    "owns_namespaces": _list_of_texts,
    "match": _list_of_texts,
    "exposes": _list_of_texts,
    "coords": _two_numbers,
    "allowed_callers": _list_of_texts,
    "forbidden_callers": _list_of_texts,
    "feature_flags": _list_of_texts,
    "requires_permissions": _list_of_texts,
    "kill_patterns": _list_of_patterns,
    "notes": _texts_only,
}


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


def _is_text(text: str) -> bool:
    """Half of a surrogate pair can stand in JSON, and can never be written again."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _shown(key: str) -> str:
    return repr(_printable(key))


def _printable(key: str) -> str:
    shown = key if len(key) <= 100 else f"{key[:100]}…"
    return shown.encode("utf-8", "replace").decode("utf-8")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list) else "an object"
