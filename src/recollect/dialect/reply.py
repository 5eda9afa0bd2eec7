"""One question to a dialect, answered: a tool's validated, handled, worded; a route's the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from recollect.dialect.desk import Desk
from recollect.dialect.spec import (
    Dialect,
    Json,
    Picture,
    Request,
    Response,
    Result,
    Route,
    Text,
    Told,
    Wording,
)
from recollect.dialect.validate import checked
from recollect.model.errors import RecollectError


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is the contract's JSON or words; objects are also `structured`. `has_data`: what is
    structured stands beside the text as the contract's `data`."""

    text: str
    structured: dict[str, Json] | None = None
    is_error: bool = False
    has_data: bool = False
    pictures: tuple[Picture, ...] = ()


Ask = Callable[[str, Mapping[str, object]], Reply]
"""Ask a tool by name. Raises `UnknownTool`; every other problem is a reply with `is_error`."""


Serve = Callable[[Route, Request], Response]
"""Answer a request over HTTP. Our own problems are answers too."""


LetIn = Callable[[Route, Request], Mapping[str, str] | Response]
"""Ask the gate of a route: headers for the answer, or what is answered instead of going on."""


def answer(dialect: Dialect, desk: Desk, name: str, arguments: Mapping[str, object]) -> Reply:
    tool = dialect.tool(name)
    try:
        given = checked(tool.input_schema, arguments, except_for=tool.own_checks)
        return _reply(tool.handler(desk, given))
    except RecollectError as error:
        return refused(tool.wording, error)


def served(route: Route, desk: Desk, request: Request) -> Response:
    """One request over HTTP, answered; our own problems in the words of the dialect."""
    try:
        return route.handler(desk, request)
    except RecollectError as error:
        return route.wording(error)


def let_in(route: Route, desk: Desk, request: Request) -> Mapping[str, str] | Response:
    """A request before its body is read; one that is refused is told so by the dialect."""
    if route.gate is None:
        return {}
    try:
        return route.gate(desk, request)
    except RecollectError as error:
        return route.wording(error)


def refused(wording: Wording, error: RecollectError) -> Reply:
    """A problem in the words of whoever was asked."""
    told = wording(error)
    if isinstance(told, str):
        return Reply(told, is_error=True)
    return replace(_reply(told), is_error=True)


def _reply(result: Result) -> Reply:
    if isinstance(result, Text):
        return Reply(result.words)
    if isinstance(result, Told):
        return Reply(result.words, result.data, has_data=True, pictures=result.pictures)
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    return Reply(text, structured=result if isinstance(result, dict) else None)
