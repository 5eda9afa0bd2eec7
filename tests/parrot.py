"""A small dialect for tests of what carries a dialect: it says back what it is told.

`python -m parrot` serves it on stdio, in-process; `python -m parrot bridge PORT [PORT_FILE]`
carries the lines to a worker on that port.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recollect.dialect.desk import Desk
from recollect.dialect.keys import Keys
from recollect.dialect.reply import Ask, Reply, answer, let_in, served
from recollect.dialect.spec import (
    Dialect,
    Json,
    Picture,
    Request,
    Response,
    Route,
    Told,
    Tool,
    as_json,
)
from recollect.model.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.dialect.spec import Arguments
    from recollect.model.errors import RecollectError

SCHEMA: dict[str, Json] = {"type": "object", "properties": {"text": {"type": "string"}}}
gate = threading.Event()
"""What `wait` waits for."""


def say(desk: Desk, arguments: Arguments) -> Json:
    return {"said": str(arguments.get("text")), "project": desk.project}


def list_words(_: Desk, arguments: Arguments) -> Json:
    return list(str(arguments["text"]).split())


def tell(desk: Desk, arguments: Arguments) -> Told:
    text = str(arguments.get("text"))
    return Told(f"polly says: {text}", {"said": text, "project": desk.project})


def picture(_: Desk, __: Arguments) -> Told:
    pictures = (Picture("image/png", b"\x89PNG"), Picture("image/gif", b"GIF8"))
    return Told("two pictures", {"pictures": 2}, pictures)


def refuse(_: Desk, __: Arguments) -> Json:
    raise InvalidArgument("text", "must not be said")


def crash(_: Desk, __: Arguments) -> Json:
    raise RuntimeError("/home/secret/path is broken")


def wait(_: Desk, __: Arguments) -> Json:
    return gate.wait(10)


def wording(error: RecollectError) -> str:
    return f"the parrot says: {error.message}"


def echo(desk: Desk, request: Request) -> Response:
    return Response(
        status=201 if request.body else 200,
        body={
            "body": as_json(request.body),
            "query": as_json(request.query),
            "path": as_json(request.path),
            "project": desk.project,
        },
    )


def print_out(_: Desk, __: Request) -> Response:
    return Response(text="polly,cracker", media_type="text/csv; charset=utf-8")


def refuse_request(_: Desk, __: Request) -> Response:
    raise InvalidArgument("word", "must not be said")


def crash_on_request(_: Desk, __: Request) -> Response:
    raise RuntimeError("/home/secret/path is broken")


def feather(_: Desk, __: Request) -> Response:
    return Response(data=b"\x89PNG", media_type="image/png", headers={"X-Parrot": "green"})


def keep_out(desk: Desk, request: Request) -> dict[str, str]:
    """A gate: whoever has the key is told how often it may come, whoever has not, nothing."""
    if not desk.keys.open(request.authorization):
        raise InvalidArgument("key", "does not fit")
    return {"X-Left": "7"}


def http_wording(error: RecollectError) -> Response:
    return Response(status=400, body={"error": wording(error)})


PARROT = Dialect(
    name="parrot",
    instructions="Say something.",
    tools=tuple(
        Tool(
            handler.__name__,
            f"To {handler.__name__}.",
            SCHEMA,
            handler,
            wording,
            is_read_only=reads,
        )
        for handler, reads in (
            (say, True),
            (list_words, True),
            (refuse, True),
            (crash, True),
            (wait, False),
        )
    ),
    wording=wording,
    routes=(
        *(
            Route(
                method=method,
                path=path,
                summary=f"To {handler.__name__}.",
                handler=handler,
                wording=http_wording,
            )
            for method, path, handler in (
                ("GET", "/api/words/{word}", echo),
                ("POST", "/api/words/{word}", echo),
                ("GET", "/api/print", print_out),
                ("GET", "/api/refuse", refuse_request),
                ("GET", "/api/crash", crash_on_request),
                ("GET", "/api/feather", feather),
            )
        ),
        Route(
            method="POST",
            path="/api/cage/{word}",
            summary="To come in.",
            handler=echo,
            wording=http_wording,
            gate=keep_out,
            is_large=True,
        ),
    ),
)


def _object_wording(error: RecollectError) -> dict[str, Json]:
    return {"error": {"code": type(error).__name__, "message": error.message}}


BARE = replace(
    PARROT,
    tools=tuple(
        Tool(handler.__name__, f"To {handler.__name__}.", SCHEMA, handler, _object_wording)
        for handler in (say, tell, picture, refuse, crash)
    ),
    wording=_object_wording,
    takes_bare_lines=True,
    words_unknown_tools=True,
)
"""A parrot that takes bare lines, and has an object for every problem."""


def empty_desk(project: str) -> Desk:
    """Nothing is on it but the project's name: a parrot needs no more."""
    nothing: Any = None
    return Desk(
        store=nothing,
        clock=lambda: 0,
        project=project,
        saves_to=project,
        finder=nothing,
        meanings=nothing,
        rules=nothing,
        new_id=nothing,
        new_frame_id=nothing,
        workspace=nothing,
        frames_of=nothing,
        facts=nothing,
        accepting=nothing,
        tidy=nothing,
        settings=nothing,
        configure=nothing,
        retry=nothing,
        backfill=nothing,
        index=nothing,
        purge=nothing,
        told=nothing,
        premises=nothing,
        admit=nothing,
        here=nothing,
        keys=Keys("n0t the token"),
    )


def ask_in(project: str, dialect: Dialect = PARROT) -> Ask:
    desk = empty_desk(project)

    def ask(name: str, arguments: Mapping[str, object]) -> Reply:
        return answer(dialect, desk, name, arguments)

    return ask


def serve(route: Route, request: Request) -> Response:
    return served(route, empty_desk("worker"), request)


def ask_gate(route: Route, request: Request) -> Mapping[str, str] | Response:
    return let_in(route, empty_desk("worker"), request)


def main(argv: list[str]) -> None:
    from recollect.mcp import stdio
    from recollect.mcp.bare import bare_lines
    from recollect.mcp.server import tool_server
    from recollect.mcp.tools import Tools

    is_bare = argv == ["bare"]
    dialect = BARE if is_bare else PARROT
    tools = Tools(dialect, lambda _: ask_in("here", dialect))
    server, bare = tool_server(tools), bare_lines(tools)
    if is_bare or not argv:
        stdio.serve(server, bare=bare)
        return
    from recollect.mcp.bridge import Bridge

    def find() -> tuple[str, int] | None:
        with open(argv[1]) as file:
            port = file.read()
        return ("127.0.0.1", int(port)) if port else None

    headers = {"Content-Type": "application/json", "X-Recollect-Project": "here"}
    leftover = Bridge(find, "/mcp/parrot/line", headers).run()
    if leftover is not None:
        print("gone on in-process", file=sys.stderr, flush=True)
        stdio.serve(server, leftover, bare=bare)


if __name__ == "__main__":
    main(sys.argv[1:])
