"""nmem's six tools: checked arguments → a verb → nmem's JSON."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json
from recollect.dialects.nmem import shapes
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named
from recollect.service import recall, recent, sessions

MOST_IDS = 50
MOST_NEIGHBOURS = 500
FARTHEST = 10**12
"""Seconds; beyond this a timestamp filters nothing, and milliseconds still fit into 64 bits."""


def search(desk: Desk, arguments: Arguments) -> Json:
    query, type_ = arguments["query"], arguments.get("obs_type")
    assert isinstance(query, str)
    found = recall.search(
        desk.store,
        query,
        project=_project(desk, arguments),
        type_=type_ if isinstance(type_, str) else None,
        limit=_held(arguments["limit"], 1, 100),
        offset=_held(arguments["offset"], 0),
        preview=shapes.PREVIEW,
    )
    return [shapes.hit(preview) for preview in found]


def get_observations(desk: Desk, arguments: Arguments) -> Json:
    ids = arguments["ids"]
    assert isinstance(ids, list)
    if not ids:
        raise InvalidArgument("ids", "array must not be empty")
    if len(ids) > MOST_IDS:
        raise InvalidArgument("ids", f"array must not exceed {MOST_IDS} elements")
    return [shapes.observation(memory) for memory in recall.read(desk.store, ids)]


def timeline(desk: Desk, arguments: Arguments) -> Json:
    anchor = arguments["anchor"]
    assert isinstance(anchor, int)
    found = recall.around(
        desk.store,
        anchor,
        before=_held(arguments["before"], 0, MOST_NEIGHBOURS),
        after=_held(arguments["after"], 0, MOST_NEIGHBOURS),
    )
    return shapes.surroundings(found)


def recent_context(desk: Desk, arguments: Arguments) -> Json:
    found = recent.recent(
        desk.store,
        now=desk.clock(),
        project=_project(desk, arguments),
        limit=_held(arguments["limit"], 1, 100),
    )
    return [shapes.scored(scored) for scored in found]


def session_trace(desk: Desk, arguments: Arguments) -> Json:
    session_id = arguments["session_id"]
    assert isinstance(session_id, str)
    found = sessions.trace(
        desk.store,
        session_id,
        before=_before(arguments.get("before")),
        after=_after(arguments.get("after")),
    )
    return shapes.trace(found)


def file_history(desk: Desk, arguments: Arguments) -> Json:
    path = arguments["file_path"]
    assert isinstance(path, str)
    found = recall.file_history(
        desk.store,
        path,
        before=_before(arguments.get("before")),
        after=_after(arguments.get("after")),
        limit=_held(arguments["limit"], 1, 50),
    )
    return shapes.file_history(path, [(each, _intent(desk, each.session.id)) for each in found])


def _project(desk: Desk, arguments: Arguments) -> str | None:
    """Absent is the current project; an explicit null is all of them."""
    if "project" not in arguments:
        return desk.project
    named = arguments["project"]
    return project_named(named) if isinstance(named, str) else None


def _intent(desk: Desk, session_id: str) -> str | None:
    summary = sessions.summary_of(desk.store, session_id)
    intent = None if summary is None else summary.get("intent")
    return intent if isinstance(intent, str) else None


def _held(value: object, least: int, most: int | None = None) -> int:
    """The number, held to its limits."""
    assert isinstance(value, int)
    return max(value, least) if most is None else min(max(value, least), most)


def _before(timestamp: object) -> int | None:
    """The milliseconds before which something happened in an earlier second."""
    if not isinstance(timestamp, int):
        return None
    return _held(timestamp, -FARTHEST, FARTHEST) * 1000


def _after(timestamp: object) -> int | None:
    """The milliseconds after which something happened in a later second."""
    if not isinstance(timestamp, int):
        return None
    return _held(timestamp, -FARTHEST, FARTHEST) * 1000 + 999
