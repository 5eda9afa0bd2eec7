"""The dialects' routes as routes of the application. Which dialects there are, nobody here knows.

A request is read here, so that a handler gets JSON or is not asked; the rest is the handler's.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import anyio.to_thread
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import BaseRoute
from starlette.routing import Route as HttpRoute

from recollect.dialect.spec import Request, Response
from recollect.model.errors import InvalidRequest, RecollectError
from recollect.web.problems import TEXTS, Json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starlette.requests import Request as HttpRequest

    from recollect.dialect.reply import LetIn, Serve
    from recollect.dialect.spec import Route

log = logging.getLogger(__name__)
T = TypeVar("T")

UTF_8 = frozenset({"", "utf-8", "utf8"})


def dialect_routes(
    routes: Iterable[Route], serve: Serve, let_in: LetIn | None = None
) -> list[BaseRoute]:
    """Those of all dialects; `serve` is called in a thread, and so is `let_in` for those that have
    a gate."""
    by_path: dict[str, dict[str, Route]] = {}
    for route in routes:
        methods = by_path.setdefault(pattern(route), {})
        if route.method in methods:
            raise ValueError(f"two dialects answer {route.method} {route.path}")
        if route.gate is not None and let_in is None:
            raise ValueError(f"nobody asks the gate of {route.method} {route.path}")
        methods[route.method] = route
    return [
        HttpRoute(path, _Endpoint(methods, serve, let_in).answer, methods=list(methods))
        for path, methods in by_path.items()
    ]


def pattern(route: Route) -> str:
    """The path as Starlette matches it. A server decodes `%2F` before that is done."""
    return route.path.replace(f"{{{route.slashed}}}", f"{{{route.slashed}:path}}")


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """All methods of a path in one, so that a 405 tells all that are allowed."""

    methods: Mapping[str, Route]
    serve: Serve
    let_in: LetIn | None

    async def answer(self, asked: HttpRequest) -> HttpResponse:
        method = "GET" if asked.method == "HEAD" else asked.method
        route, request = self.methods[method], _head(asked)
        headers: Mapping[str, str] = {}
        if route.gate is not None and self.let_in is not None:
            found = await _asked(self.let_in, route, request)
            if isinstance(found, Response):
                return _written(found)
            headers = found
        try:
            if method != "GET":
                request = replace(request, body=await _body(asked))
        except InvalidRequest as error:
            return _written(route.wording(error), headers)
        return _written(await _asked(self.serve, route, request), headers)


async def _asked(
    answer: Callable[[Route, Request], T], route: Route, request: Request
) -> T | Response:
    """In a thread. A fault of ours is told as a problem is, and stands in the log."""
    try:
        return await anyio.to_thread.run_sync(answer, route, request)
    except Exception:
        log.exception("a fault while answering %s %s", route.method, route.path)
        return replace(route.wording(RecollectError(TEXTS[500])), status=500)


def _head(asked: HttpRequest) -> Request:
    """A request without its body."""
    query: dict[str, list[str]] = {}
    for name, value in asked.query_params.multi_items():
        query.setdefault(name, []).append(value)
    return Request(
        query=query,
        path=asked.path_params,
        authorization=", ".join(asked.headers.getlist("authorization")),
        client=asked.client.host if asked.client else "",
    )


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


def _written(response: Response, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """`headers`: those that any answer to the request has."""
    status, kind = response.status, response.media_type
    told = {**(headers or {}), **response.headers}
    if response.parts is not None:  # Starlette asks for each in a thread
        return StreamingResponse(response.parts, status, told, kind)
    content = response.text if response.data is None else response.data
    if content is not None:
        return HttpResponse(content, status, told, kind)
    return Json(response.body, status, told)
