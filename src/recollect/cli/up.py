"""`recollect up` and `recollect down`: the worker's life as a process.

What it serves is in `web`, what it does over time in `worker`; here they are put together.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from recollect import settings as configuration
from recollect.cli import detach
from recollect.model.errors import InvalidSetting, RecollectError

if TYPE_CHECKING:
    from recollect.settings import Settings

DIALECT = "nmem,codexmem,lex"  # whose variables may name the store of the worker


def run_up(argv: list[str]) -> int:
    args = _up_arguments(argv)
    try:
        settings = configuration.load(
            os.environ, db=args.db, host=args.host, port=args.port, dialect=DIALECT
        )
        _check_exposure(settings)
        if args.detach:
            return detach.start(settings, _same_store(settings))
        from recollect.cli.foreground import run  # the web stack, for the worker itself only

        return run(settings)
    except RecollectError as error:
        return _refused("up", error)


def run_down(argv: list[str]) -> int:
    args = _down_arguments(argv)
    try:
        settings = configuration.load(os.environ, db=args.db, dialect=DIALECT)
        return detach.stop(settings.worker_file)
    except RecollectError as error:
        return _refused("down", error)


def _check_exposure(settings: Settings) -> None:
    if not is_loopback(settings.host) and not settings.token:
        raise InvalidSetting(
            f"refusing to listen on {settings.host} without a token: everyone who reaches this "
            "address could read your memories. Set RECOLLECT_TOKEN, or use 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False  # a name may mean any address


def _same_store(settings: Settings) -> list[str]:
    """The arguments with which another process comes to the same settings."""
    return [
        *("--db", settings.store),
        *("--host", settings.host),
        *("--port", str(settings.port)),
    ]


def _refused(command: str, error: RecollectError) -> int:
    print(f"recollect {command}: {error.message}", file=sys.stderr)
    if error.hint:
        print(error.hint, file=sys.stderr)
    return 1


def _up_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="recollect up", description="Run the worker: HTTP, MCP, and the spool drained."
    )
    parser.add_argument("--host", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port to listen on (37777)")
    parser.add_argument("--db", help="the store file")
    parser.add_argument("--detach", action="store_true", help="run in the background")
    return parser.parse_args(argv)


def _down_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="recollect down", description="Stop the worker of this store."
    )
    parser.add_argument("--db", help="the store file")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(run_up(sys.argv[1:]))
