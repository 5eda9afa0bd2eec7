"""The dialects' routes as routes of the application. Which dialects there are, nobody here knows.

A request is read here, so that a handler gets JSON or is not asked; the rest is the handler's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import BaseRoute
from starlette.routing import Route as HttpRoute

from recollect.dialect.spec import Request, Response
from recollect.model.errors import InvalidRequest
from recollect.web.problems import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.requests import Request as HttpRequest

    from recollect.dialect.reply import Serve
    from recollect.dialect.spec import Route

UTF_8 = frozenset({"", "utf-8", "utf8"})


def dialect_routes(routes: Iterable[Route], serve: Serve) -> list[BaseRoute]:
    """Those of all dialects; `serve` is called in a thread."""
    by_path: dict[str, dict[str, Route]] = {}
    for route in routes:
        methods = by_path.setdefault(route.path, {})
        if route.method in methods:
            raise ValueError(f"two dialects answer {route.method} {route.path}")
        methods[route.method] = route
    return [
        HttpRoute(path, _Endpoint(methods, serve).answer, methods=list(methods))
        for path, methods in by_path.items()
    ]


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """All methods of a path in one, so that a 405 tells all that are allowed."""

    methods: Mapping[str, Route]
    serve: Serve

    async def answer(self, asked: HttpRequest) -> HttpResponse:
        method = "GET" if asked.method == "HEAD" else asked.method
        route = self.methods[method]
        try:
            request = await _request(asked)
        except InvalidRequest as error:
            return _written(route.wording(error))
        return _written(await anyio.to_thread.run_sync(self.serve, route, request))


async def _request(asked: HttpRequest) -> Request:
    query: dict[str, list[str]] = {}
    for name, value in asked.query_params.multi_items():
        query.setdefault(name, []).append(value)
    body = {} if asked.method in ("GET", "HEAD") else await _body(asked)
    return Request(body=body, query=query, path=asked.path_params)


async def _body(asked: HttpRequest) -> dict[str, object]:
    _check_encoding(asked)
    raw = await asked.body()
    if not raw.strip():
        return {}
    body = _read(raw)
    if not isinstance(body, dict):
        raise InvalidRequest("the body must be a JSON object")
    return body


def _read(raw: bytes) -> object:
    """Without orjson, to which a whole number of more than 64 bits is a fraction, and half of a
    surrogate pair an error; JavaScript sends one whenever it cuts an emoji in two."""
    try:
        text = raw.decode("utf-8-sig")
        body: object = json.loads(text, parse_constant=_refuse)
        if r"\ud" in text.lower():
            whole = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            body = json.loads(whole)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("the body is not JSON in UTF-8") from error
    return body


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _check_encoding(asked: HttpRequest) -> None:
    if asked.headers.get("content-encoding", "identity").lower() != "identity":
        raise InvalidRequest("the body must not be compressed")
    _, _, parameters = asked.headers.get("content-type", "").partition(";")
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip(' "').lower() not in UTF_8:
            raise InvalidRequest("the body must be JSON in UTF-8")


def _written(response: Response) -> HttpResponse:
    if response.parts is not None:  # Starlette asks for each in a thread
        return StreamingResponse(
            response.parts, status_code=response.status, media_type=response.media_type
        )
    if response.text is not None:
        return HttpResponse(
            response.text, status_code=response.status, media_type=response.media_type
        )
    return Json(response.body, status_code=response.status)
