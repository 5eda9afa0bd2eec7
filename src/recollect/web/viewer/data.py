"""The data routes of the page, put together from what is published and what answers it.

They are routes as dialects have them, under `/api/viewer/`; `routes/` describes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.dialect.problems import http_problem
from recollect.dialect.published import routes_of
from recollect.web.viewer import changes, frames, memories, overview, sessions, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.dialect.spec import Json, Route

HANDLERS = {
    "GET /api/viewer/overview": overview.overview,
    "GET /api/viewer/told": told.told,
    "GET /api/viewer/sessions": sessions.listed,
    "GET /api/viewer/sessions/{number}": sessions.one,
    "GET /api/viewer/files": sessions.of_file,
    "GET /api/viewer/timeline": sessions.timeline,
    "GET /api/viewer/frames": frames.listed,
    "GET /api/viewer/frames/{id}": frames.one,
    "GET /api/viewer/frames/{id}/images/{number}": frames.image,
    "GET /api/viewer/memories": memories.listed,
    "GET /api/viewer/memories/{id}": memories.one,
    "DELETE /api/viewer/memories/{id}": changes.purge,
    "POST /api/viewer/memories/{id}/pin": changes.pin,
    "POST /api/viewer/memories/{id}/edit": changes.edit,
    "POST /api/viewer/memories/{id}/outdate": changes.outdate,
    "POST /api/viewer/memories/{id}/restore": changes.restore,
}


def data_routes() -> tuple[Route, ...]:
    return routes_of(__package__).with_handlers(HANDLERS, http_problem)


def schemas() -> Mapping[str, Json]:
    """What the routes call by name."""
    return routes_of(__package__).schemas
