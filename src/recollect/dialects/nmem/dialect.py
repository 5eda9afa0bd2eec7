"""nmem, put together from what is published and what answers it."""

from __future__ import annotations

from recollect.dialect.published import tools_of
from recollect.dialect.spec import Dialect
from recollect.dialects.nmem import tools
from recollect.dialects.nmem.wording import problem


def dialect() -> Dialect:
    published = tools_of(__package__)
    handlers = {
        "search": tools.search,
        "get_observations": tools.get_observations,
        "timeline": tools.timeline,
        "recent_context": tools.recent_context,
        "session_trace": tools.session_trace,
        "file_history": tools.file_history,
    }
    return Dialect(
        "nmem", published.instructions, published.with_handlers(handlers, problem), problem
    )
