"""CodexMem, put together from what is published and what answers it."""

from __future__ import annotations

from recollect.dialect.problems import http_problem
from recollect.dialect.published import routes_of, tools_of
from recollect.dialect.spec import Dialect
from recollect.dialects.codexmem import (
    operations,
    reading,
    saving,
    sessions,
    settings,
    tools,
    vectors,
)
from recollect.dialects.codexmem.wording import problem


def dialect() -> Dialect:
    published, routes = tools_of(__package__), routes_of(__package__)
    handlers = {
        "__IMPORTANT": tools.important,
        "search": tools.search,
        "timeline": tools.timeline,
        "get_observations": tools.get_observations,
        "save_memory": tools.save_memory,
    }
    served = {
        **reading.ROUTES,
        **saving.ROUTES,
        **sessions.ROUTES,
        **settings.ROUTES,
        **operations.ROUTES,
        **vectors.ROUTES,
    }
    return Dialect(
        "codexmem",
        published.instructions,
        published.with_handlers(handlers, problem),
        problem,
        routes.with_handlers(served, http_problem),
        routes.schemas,
    )
