"""`recollect serve`: the stdio MCP server that an agent starts.

With a worker running for the store it is a bridge to it, without one it answers in-process; it
never starts a worker. The bridge's way is short: each import on it is paid by every session.
"""

from __future__ import annotations

import os
import sys

from recollect import settings as configuration
from recollect.cli.here import current_project, folder
from recollect.cli.served import DEFAULT_DIALECTS
from recollect.mcp.bridge import Bridge, Leftover
from recollect.model.errors import RecollectError
from recollect.worker.address import find_address

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from argparse import Namespace

    from recollect.settings import Settings

_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def run(argv: list[str]) -> int:
    dialect, db = _read(argv)
    try:
        settings = configuration.load(os.environ, db=db, dialect=dialect, folder=folder())
        return _serve(settings, dialect)
    except RecollectError as error:
        print(f"recollect serve: {error.message}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, BrokenPipeError):
        return 0  # the client went away, as clients do


def _serve(settings: Settings, dialect: str) -> int:
    project = current_project(settings, dialect)
    leftover = _bridge(settings, dialect, project)
    if leftover is None:
        return 0
    from recollect.cli.in_process import serve  # the SDK: forty times a bare start

    return serve(settings, dialect, project, leftover)


def _bridge(settings: Settings, dialect: str, project: str) -> Leftover | None:
    """Carry the client's lines to the worker; what is left over when there is none."""
    if find_address(settings.worker_file) is None:
        return Leftover()
    headers = {"Content-Type": "application/json", "X-Recollect-Project": _encoded(project)}
    if settings.token:
        headers["Authorization"] = f"Bearer {settings.token}"
    return Bridge(lambda: find_address(settings.worker_file), f"/mcp/{dialect}/line", headers).run()


def _read(argv: list[str]) -> tuple[str, str | None]:
    """The dialect and the store. What clients are given is read here, the rest by argparse."""
    match argv:
        case []:
            return DEFAULT_DIALECTS, None
        case ["--dialect", dialect] if not dialect.startswith("-"):
            return dialect, None
    args = _parsed(argv)
    return args.dialect, args.db


def _parsed(argv: list[str]) -> Namespace:
    import argparse  # twice a bare start

    parser = argparse.ArgumentParser(
        prog="recollect serve", description="Serve memories to an agent over stdio (MCP)."
    )
    parser.add_argument(
        "--dialect",
        default=DEFAULT_DIALECTS,
        help="the published tools to serve: dialects, or single tools as DIALECT:TOOL, with commas",
    )
    parser.add_argument("--db", help="the store file")
    return parser.parse_args(argv)


def _encoded(text: str) -> str:
    return "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in os.fsencode(text))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
