"""What the commands share: their parser, their settings, and how a problem is told."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Callable
from functools import wraps

from recollect import settings as configuration
from recollect.model.errors import RecollectError
from recollect.settings import Settings

DIALECTS = "nmem,codexmem,lex"
"""Whose variables may name the store of a command that belongs to no dialect."""

Command = Callable[[list[str]], int]


def command(run: Command) -> Command:
    """A command that tells a known problem in a line, with what to do about it, and exits 1."""

    @wraps(run)
    def told(argv: list[str]) -> int:
        try:
            return _flushed(run(argv))
        except RecollectError as error:
            print(f"recollect: {error}", file=sys.stderr)
            if error.hint:
                print(f"recollect: {error.hint}", file=sys.stderr)
            return 1
        except BrokenPipeError:
            # `recollect search … | head` has read enough; keep the interpreter's exit quiet too.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            return 130
        except Exception as error:  # noqa: BLE001 - a fault of ours; tell where, without a traceback
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(at.filename)}:{at.lineno}"
            print(f"recollect: fault: {type(error).__name__}: {error} ({where})", file=sys.stderr)
            return 1

    return told


def _flushed(status: int) -> int:
    """Written out here, where a reader who has gone is no surprise."""
    sys.stdout.flush()
    return status


def parser(name: str, about: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog=f"recollect {name}", description=about)
    made.add_argument("--db", metavar="FILE", help="the store, instead of the configured one")
    return made


def settings_of(args: argparse.Namespace) -> Settings:
    settings = configuration.load(os.environ, db=args.db, dialect=DIALECTS)
    log_as(settings)
    return settings


def log_as(settings: Settings) -> None:
    """What the rooms have to tell, in the form of the commands' own remarks."""
    logging.basicConfig(
        stream=sys.stderr, level=settings.log.upper(), format="recollect: %(message)s"
    )


def say(text: str) -> None:
    """A published remark on stderr, under the name that scripts look for."""
    print(f"nmem: {text}", file=sys.stderr)
