"""Memento, put together from what is published and what answers it."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.published import tools_of
from recollect.dialect.spec import Arguments, Dialect, Handler, Result
from recollect.dialects.memento import tools
from recollect.dialects.memento.wording import problem

NAME = "memento"


def dialect() -> Dialect:
    published = tools_of(__package__)
    handlers = {
        "store_memory": _counted(tools.store_memory),
        "search_memories": _counted(tools.search_memories),
        "list_recent_memories": _counted(tools.list_recent_memories),
        "update_memory": _counted(tools.update_memory),
        "get_memory_stats": _counted(tools.get_memory_stats),
    }
    return Dialect(
        NAME, published.instructions, published.with_handlers(handlers, problem), problem
    )


def _counted(handler: Handler) -> Handler:
    """Within the rate limit, if there is one."""

    def handle(desk: Desk, arguments: Arguments) -> Result:
        desk.admit(NAME)
        return handler(desk, arguments)

    return handle
