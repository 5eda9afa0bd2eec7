"""What a request asks for: its project, its query, its ids, its limits."""

from __future__ import annotations

import json
from dataclasses import dataclass

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named

ALL_PROJECTS = "*"
MOST = 50
"""Results of any tool."""
MOST_IDS = 200
LARGEST_ID = 2**63 - 1
LONGEST_QUERY = 8_000
"""Characters of a query that are looked for."""
LONGEST_NAME = 200
"""Characters of a project's, a session's or a speaker's name, as in an import."""
LONGEST_SHOWN = 100
"""Characters of a wrong id that an error repeats."""
EXACT = 2**53
"""Larger whole numbers are repeated as text: JSON's readers may not have them exactly."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids that can be looked up, each once, and the first of those that cannot."""

    valid: tuple[int, ...]
    wrong: tuple[Json, ...]
    problem: str | None = None


def ids_in(given: object) -> Ids:
    if given is None:
        return Ids((), ())
    if not isinstance(given, list):
        return Ids((), (), "ids must be an array of integers")
    valid: dict[int, None] = {}
    wrong: dict[str, Json] = {}
    for id_ in given:
        is_whole = isinstance(id_, int) and not isinstance(id_, bool)
        if is_whole and 0 < id_ <= LARGEST_ID:
            valid[id_] = None
        else:
            wrong.setdefault(_plain(id_), _repeated(id_))
    problem = "some ids are not valid integers" if wrong else None
    looked_up, surplus = tuple(valid)[:MOST_IDS], tuple(valid)[MOST_IDS:]
    if surplus:
        too_many = f"at most {MOST_IDS} ids are looked up"
        problem = f"{problem}; {too_many}" if problem else too_many
    told = (*wrong.values(), *map(_repeated, surplus))
    return Ids(looked_up, told[:MOST_IDS], problem)


def project(desk: Desk, arguments: Arguments) -> str | None:
    """The project asked about; None is all of them. Absent or blank is the default one."""
    given = arguments.get("project")
    named = given.strip() if isinstance(given, str) else ""
    if named == ALL_PROJECTS:
        return None
    return project_named(named) if named else desk.project


def one_project(desk: Desk, arguments: Arguments) -> str:
    """The project that something is written to."""
    named = project(desk, arguments)
    if named is None:
        raise InvalidArgument("project", f'must name one project, not "{ALL_PROJECTS}"')
    return named


def text(arguments: Arguments, name: str) -> str | None:
    """Without the spaces around it; what is blank is absent."""
    given = arguments.get(name)
    return given.strip() or None if isinstance(given, str) else None


def required(arguments: Arguments, name: str) -> str:
    given = text(arguments, name)
    if given is None:
        raise InvalidArgument(name, "must not be empty")
    return given


def number(arguments: Arguments, name: str, least: int = 1, most: int = MOST) -> int:
    """A whole number, held to its limits."""
    given = arguments[name]
    assert isinstance(given, int)
    return min(max(given, least), most)


def _repeated(id_: object) -> Json:
    """A wrong id as an error tells it: whole numbers and texts as they are, all else as text."""
    if isinstance(id_, int) and not isinstance(id_, bool) and abs(id_) <= EXACT:
        return id_
    plain = id_ if isinstance(id_, str) else _plain(id_)
    return plain if len(plain) <= LONGEST_SHOWN else f"{plain[: LONGEST_SHOWN - 1]}…"


def _plain(id_: object) -> str:
    return json.dumps(id_, ensure_ascii=False, sort_keys=True)
