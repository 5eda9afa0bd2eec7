"""A problem over HTTP as most answer it: a status and `{"error": text}`. Lex has its own bodies."""

from __future__ import annotations

from recollect.dialect.spec import Response
from recollect.model.errors import (
    InvalidRequest,
    NotFound,
    RateLimited,
    RecollectError,
    StoreBusy,
)


def http_problem(error: RecollectError) -> Response:
    return Response(status=_status(error), body={"error": error.message})


def _status(error: RecollectError) -> int:
    match error:
        case InvalidRequest():
            return 400
        case NotFound():
            return 404
        case RateLimited():
            return 429
        case StoreBusy():
            return 503  # which is what it is while it is being opened, too
        case _:
            return 500
