"""`recollect serve`: the stdio MCP server that an agent starts.

With a worker running for the store it is a bridge to it, without one it answers in-process; it
never starts a worker. The bridge's way is short: each import on it is paid by every session.
"""

from __future__ import annotations

import os
import sys

from recollect import settings as configuration
from recollect.cli.here import folder, said_of
from recollect.cli.served import DEFAULT_DIALECTS
from recollect.mcp.bridge import Bridge, Leftover
from recollect.model.errors import RecollectError
from recollect.worker.address import find_address

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from argparse import Namespace

    from recollect.settings import Settings


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
    said = said_of(settings, dialect)
    leftover = _bridge(settings, dialect, said)
    if leftover is None:
        return 0
    from recollect.cli.in_process import serve  # the SDK: forty times a bare start

    return serve(settings, dialect, said, leftover)


def _bridge(settings: Settings, dialect: str, said: dict[str, str]) -> Leftover | None:
    """Carry the client's lines to the worker; what is left over when there is none."""
    if find_address(settings.worker_file) is None:
        return Leftover()
    headers = {"Content-Type": "application/json", **said}
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


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
