"""`recollect lex`: frames and modules from the command line.

Every command asks the tool of its name through the same door as an agent does, so that a rule holds
here as it holds there. `init`, `export` and pictures, which no tool has, are in `lex_files`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from recollect import settings as configuration
from recollect import wiring
from recollect.cli import here, lex_flags
from recollect.cli.front import command, log_as, parser
from recollect.dialect.spec import Dialect
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named
from recollect.privacy.clean import mended

if TYPE_CHECKING:
    from recollect.dialect.reply import Reply
    from recollect.wiring import House

DIALECT = "lex"
FORMATS = ("text", "json", "html")
Run = Callable[[argparse.Namespace], int]
Ask = Callable[[argparse.Namespace, "Word"], int]


class Needs(Enum):
    """What a command wants of the store: one that is missing is made by what writes alone."""

    NO_STORE = "nothing"
    READING = "what is there"
    WRITING = "a place"


@dataclass(frozen=True, slots=True)
class Word:
    """A command that asks a tool. What stands on the line without a flag is its `plain`."""

    tool: str
    about: str
    plain: str | None = None
    needs: Needs = Needs.NO_STORE


WORDS: Mapping[str, Word] = {
    "remember": Word("lex.remember", "keep a frame: where your work stands", needs=Needs.WRITING),
    "recall": Word(
        *("lex.recall", "find frames by words, ticket or branch", "reference_point"),
        needs=Needs.READING,
    ),
    "list": Word("lex.list_frames", "the newest frames", needs=Needs.READING),
    "timeline": Word(
        *("lex.timeline", "what happened to a ticket or on a branch", "ticketOrBranch"),
        needs=Needs.READING,
    ),
    "atlas": Word("lex.code_atlas", "the modules of this workspace, their code and their edges"),
    "introspect": Word("lex.introspect", "what is known here, and which policy is in force"),
}
CHECK = Word("lex.policy_check", "check the policy, and the code against it", "path")


@command
def lex(argv: list[str]) -> int:
    # What a terminal sends that is not UTF-8 could neither be kept nor shown again.
    args = _parser(wiring.published(DIALECT)).parse_args([mended(each) for each in argv])
    run: Run = args.run
    return run(args)


def settings_of(args: argparse.Namespace) -> configuration.Settings:
    """Those of this folder: its workspace may have a store of its own."""
    settings = configuration.load(os.environ, db=args.db, dialect=DIALECT, folder=here.folder())
    log_as(settings)
    return settings


def _ask(args: argparse.Namespace, word: Word) -> int:
    """Ask the tool, and print what it says: its words for people, its data with `--json`."""
    reply = _reply(args, word, _arguments(args, word))
    if args.json:
        print(json.dumps(reply.structured, ensure_ascii=False))
    elif reply.is_error:
        print(f"recollect: {_message(reply)}", file=sys.stderr)
    else:
        print(reply.text, end="" if reply.text.endswith("\n") else "\n")
    return 1 if reply.is_error or _is_refused(reply) else 0


def _said(ask: Ask, word: Word, args: argparse.Namespace) -> int:
    return ask(args, word)


def _remember(args: argparse.Namespace, word: Word) -> int:
    return _ask(args, Word("lex.validate_remember", "") if args.dry_run else word)


def _atlas(args: argparse.Namespace, word: Word) -> int:
    if args.svg is None:
        return _ask(args, word)
    from recollect.cli import lex_files  # as below

    return lex_files.draw(args, settings_of(args))


def _timeline(args: argparse.Namespace, word: Word) -> int:
    if args.format != "html":
        return _ask(args, word)
    from recollect.cli import lex_page  # for those who want a page

    reply = _reply(args, word, {**_arguments(args, word), "format": "json"})
    if reply.is_error or reply.structured is None:
        print(f"recollect: {_message(reply)}", file=sys.stderr)
        return 1
    name = str(reply.structured["ticketOrBranch"])
    _write(args.output, lex_page.page(name, json.loads(reply.text)))
    return 0


def _reply(args: argparse.Namespace, word: Word, arguments: Mapping[str, object]) -> Reply:
    settings = settings_of(args)
    with _house(settings, word.needs) as house:
        project = here.current_project(settings, DIALECT)
        return house.asker(DIALECT, project)(word.tool, arguments)


@contextlib.contextmanager
def _house(settings: configuration.Settings, needs: Needs) -> Iterator[House]:
    with contextlib.ExitStack() as open_:
        if needs is Needs.NO_STORE and not wiring.has_store(settings):
            # A check of modules must not leave a store behind, and a house cannot be without one.
            empty = open_.enter_context(tempfile.TemporaryDirectory())
            settings = configuration.load(os.environ, db=os.path.join(empty, "none.db"))
        opened = wiring.open_existing if needs is Needs.READING else wiring.open_house
        house = opened(settings)
        open_.callback(house.close)
        yield house


def _arguments(args: argparse.Namespace, word: Word) -> dict[str, object]:
    given = lex_flags.arguments(args, wiring.published(DIALECT).tool(word.tool))
    plain = getattr(args, "plain", None)
    if word.plain is not None and plain is not None:
        if word.plain in given:
            flag = lex_flags.dashed(word.plain)
            raise InvalidArgument(f"--{flag}", "is said twice, once without the flag")
        given[word.plain] = plain
    return given


def _message(reply: Reply) -> str:
    error = (reply.structured or {}).get("error")
    return str(error["message"]) if isinstance(error, dict) else reply.text


def _is_refused(reply: Reply) -> bool:
    """A check that went well and found something wrong is told by its status as well."""
    return (reply.structured or {}).get("valid") is False


def _write(path: str | None, text: str) -> None:
    if path is None:
        print(text, end="")
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InvalidArgument(path, f"cannot be written: {error.strerror}") from error
    print(f"recollect: written: {path}", file=sys.stderr)


def _parser(dialect: Dialect) -> argparse.ArgumentParser:
    flags = parser(DIALECT, "Frames, which say where work stands, and the modules of a workspace.")
    commands = flags.add_subparsers(dest="what", metavar="COMMAND", required=True)
    runs: dict[str, Ask] = {
        "remember": _remember,
        "timeline": _timeline,
        "atlas": _atlas,
    }
    for name, word in WORDS.items():
        made = _command(commands, name, word.about)
        ask = runs.get(name, _ask)
        _tool(made, dialect, word, partial(_said, ask, word))
        _more(made, name)
    policy = _command(commands, "policy", CHECK.about)
    checks = policy.add_subparsers(dest="check", metavar="check", required=True)
    _tool(_command(checks, "check", CHECK.about), dialect, CHECK, partial(_said, _ask, CHECK))
    _init_flags(_command(commands, "init", "propose a policy from the source, and write it"))
    _export_flags(_command(commands, "export", "write frames as JSON, newest first"))
    about = "bring frames from an export, or from a database of the published Lex"
    _import_flags(_command(commands, "import", about))
    return flags


def _init_flags(made: argparse.ArgumentParser) -> None:
    made.add_argument("--yes", action="store_true", help="write it without asking")
    made.add_argument("--output", metavar="FILE", help="instead of the workspace's own place")
    made.set_defaults(run=partial(_with_files, "init"))


def _export_flags(made: argparse.ArgumentParser) -> None:
    made.add_argument("--format", choices=("json", "ndjson"), default="json", help="json")
    made.add_argument("--output", metavar="FILE", help="instead of standard output")
    made.add_argument("--branch", metavar="NAME", help="only of this git branch")
    made.add_argument("--jira", metavar="TICKET", help="only of this ticket")
    made.add_argument("--since", metavar="TIME", help="only from this moment on")
    made.add_argument("--project", type=project_named, help="instead of this folder's")
    made.set_defaults(run=partial(_with_files, "export"))


def _import_flags(made: argparse.ArgumentParser) -> None:
    made.add_argument("file", metavar="FILE", help="a database, a JSON array, or a frame a line")
    made.add_argument("--project", type=project_named, help="instead of this folder's")
    made.set_defaults(run=_import)


def _import(args: argparse.Namespace) -> int:
    from recollect.cli import lex_import  # what the questions do without

    return lex_import.import_(args, settings_of(args))


def _with_files(name: str, args: argparse.Namespace) -> int:
    from recollect.cli import lex_files  # what the questions do without

    run: Callable[[argparse.Namespace, configuration.Settings], int] = getattr(lex_files, name)
    return run(args, settings_of(args))


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
    # Before the command and after it: what was not said here must not undo what was said there.
    made.add_argument("--db", metavar="FILE", default=argparse.SUPPRESS, help="the store")
    return made


def _tool(made: argparse.ArgumentParser, dialect: Dialect, word: Word, run: Run) -> None:
    if word.plain is not None:
        named = lex_flags.dashed(word.plain)
        made.add_argument("plain", metavar=named, nargs="?", help=f"the same as --{named}")
    without = ("format",) if word.tool == "lex.timeline" else ()
    lex_flags.add(made, dialect.tool(word.tool), without=without)
    made.add_argument("--json", action="store_true", help="for programs")
    made.set_defaults(run=run)


def _more(made: argparse.ArgumentParser, name: str) -> None:
    """What a command has besides the tool's arguments."""
    if name == "remember":
        made.add_argument("--dry-run", action="store_true", help="only say what would be wrong")
    if name == "timeline":
        made.add_argument("--format", choices=FORMATS, help="text by default; html is a page")
        made.add_argument("--output", metavar="FILE", help="where the page goes")
    if name == "atlas":
        made.add_argument("--svg", metavar="FILE", help="draw the modules of the policy instead")
