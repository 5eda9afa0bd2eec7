"""How codemem words problems: an object with an `error`."""

from __future__ import annotations

from recollect.dialect.spec import Json
from recollect.model.errors import MemoryNotFound, RecollectError


def problem(error: RecollectError) -> dict[str, Json]:
    return {"error": "not_found" if isinstance(error, MemoryNotFound) else str(error)}
