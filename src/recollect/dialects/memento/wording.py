"""How Memento words problems: an object with a published code and a message for people."""

from __future__ import annotations

from recollect.dialect.spec import Json, as_json
from recollect.model.errors import (
    InvalidRequest,
    MemoryNotFound,
    ModelError,
    RateLimited,
    RecollectError,
    StoreError,
)

OTHER = "INTERNAL_ERROR"
"""The contract calls its codes common ones; this is for what none of them is about."""


def problem(error: RecollectError) -> dict[str, Json]:
    """An error as the contract has it."""
    told: dict[str, Json] = {"code": _code(error), "message": error.message}
    if isinstance(error, RateLimited) and "retry_after" in error.context:
        told["retry_after"] = as_json(error.context["retry_after"])
    return {"error": told}


def _code(error: RecollectError) -> str:
    match error:
        case MemoryNotFound():
            return "MEMORY_NOT_FOUND"
        case InvalidRequest():
            return "INVALID_PARAMETER"
        case StoreError():
            return "STORAGE_ERROR"
        case ModelError():
            return "EMBEDDING_ERROR"
        case RateLimited():
            return "RATE_LIMIT"
        case _:
            return OTHER
