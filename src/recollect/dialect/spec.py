"""A dialect: published tools and routes, each with the function that answers it.

What is published is data in the dialect's folder: tools in `tools.json`, routes in `routes/`. The
handler turns a request into a verb and its outcome into published JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.dialect.desk import Desk
from recollect.model.errors import RecollectError, UnknownTool

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Arguments = Mapping[str, object]
"""Arguments after `dialect.validate`: defaults filled in, types as the schema says."""


@dataclass(frozen=True, slots=True)
class Text:
    """A tool's result that is there to be read: not JSON, and not quoted as JSON."""

    words: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as it was attached."""

    mime_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """A tool's result that is there to be read, the same as `data` for programs, and images."""

    words: str
    data: dict[str, Json]
    pictures: tuple[Picture, ...] = ()


Result = Json | Text | Told
Handler = Callable[[Desk, Arguments], Result]
Wording = Callable[[RecollectError], str | dict[str, "Json"]]
"""An error in the words of a dialect: a text, or the object that its contract defines."""


def as_json(value: object) -> Json:
    """A value that came out of JSON once, as what it is."""
    if isinstance(value, Mapping):
        return {str(name): as_json(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(member) for member in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{type(value).__name__} is not JSON")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    input_schema: dict[str, Json]
    handler: Handler
    wording: Wording
    is_read_only: bool = True
    own_checks: frozenset[str] = frozenset()
    """Arguments that the handler itself checks, because a wrong one is part of its answer."""
    aliases: tuple[str, ...] = ()
    """Names that are understood and not listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request over HTTP. `body` is the JSON object that came, empty without one; `query` has the
    values of each parameter in their order; `path` what the path's `{names}` stand for."""

    body: Mapping[str, object] = field(default_factory=dict)
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)
    authorization: str = field(default="", repr=False)
    """The header of this name; several are none that opens anything."""
    client: str = ""
    """The address that it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """JSON, unless there is a `text` or `data` of a `media_type`, or its `parts`: a text too long
    to be held, asked for part by part while it is sent."""

    status: int = 200
    body: Json = None
    media_type: str | None = None
    text: str | None = None
    data: bytes | None = None
    parts: Iterable[str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


RouteHandler = Callable[[Desk, Request], Response]
"""Nothing of the request is checked before: which text a wrong one gets is its contract's."""
HttpWording = Callable[[RecollectError], Response]
Gate = Callable[[Desk, Request], Mapping[str, str]]
"""Asked before the body of a request is read, so the request has none yet. It raises what is not
let in, and gives headers for whatever is answered then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """`parameters`, `body` and `answers` describe it in the terms of OpenAPI."""

    method: str
    path: str
    summary: str
    handler: RouteHandler
    wording: HttpWording
    parameters: tuple[dict[str, Json], ...] = ()
    body: dict[str, Json] | None = None
    answers: Mapping[str, Json] = field(default_factory=dict)
    catches_up: bool = True
    """Whether what waits is stored before it answers; what only takes something in need not."""
    gate: Gate | None = None
    """With one the route asks for a key of its own, and the worker's token is not needed."""
    is_large: bool = False
    """Whether its bodies may be as large as those of MCP."""
    slashed: str = ""
    """The part of the path, if any, that may hold slashes; such routes come last."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """`instructions` is what a model reads about the whole server; `wording` tells the problems
    that come before a tool is known; `schemas` are what the routes call by name."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    wording: Wording
    routes: tuple[Route, ...] = ()
    schemas: Mapping[str, Json] = field(default_factory=dict)
    takes_bare_lines: bool = False
    """Whether lines without `jsonrpc` are answered over stdio."""
    words_unknown_tools: bool = False
    """Whether a tool that is not there is a problem in the words of the dialect."""

    def tool(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        for tool in self.tools:
            if name in tool.aliases:
                return tool
        known = [tool.name for tool in self.tools]
        raise UnknownTool(f"unknown tool: {name}", name=name, known=known)
