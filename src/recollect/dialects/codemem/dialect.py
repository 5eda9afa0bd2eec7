"""codemem, put together from what is published and what answers it."""

from __future__ import annotations

from recollect.dialect.published import tools_of
from recollect.dialect.spec import Dialect
from recollect.dialects.codemem import tools
from recollect.dialects.codemem.explaining import memory_explain
from recollect.dialects.codemem.wording import problem


def dialect() -> Dialect:
    published = tools_of(__package__)
    handlers = {
        "memory_search": tools.memory_search,
        "memory_explain": memory_explain,
        "memory_get": tools.memory_get,
        "memory_recent": tools.memory_recent,
        "memory_timeline": tools.memory_timeline,
        "memory_pack": tools.memory_pack,
        "memory_remember": tools.memory_remember,
        "memory_forget": tools.memory_forget,
    }
    return Dialect(
        "codemem", published.instructions, published.with_handlers(handlers, problem), problem
    )
