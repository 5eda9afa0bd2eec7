"""Commands that take care of the store: `purge`, `maintain`."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from recollect import wiring
from recollect.capture import spool
from recollect.cli.front import command, parser, say, settings_of
from recollect.model.clock import DAY, SECOND
from recollect.model.errors import InvalidArgument, SessionNotFound, StoreBusy
from recollect.model.scope import project_named
from recollect.search import grammar
from recollect.service import health, retention, sessions
from recollect.store.port.memories import Filter, Purged


@command
def purge(argv: list[str]) -> int:
    args = _purge_flags().parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    house.catch_up()
    wanted = _wanted(args, now=house.clock())
    if wanted is None:
        say("nothing to purge")
        return 0
    if args.confirm:
        outcome = retention.purge(house.store, house.reader, wanted, at=house.clock())
    else:
        outcome = retention.would_purge(house.store, wanted)
    house.close()
    if not (outcome.observations or outcome.prompts or outcome.sessions):
        say("nothing to purge")
    elif args.confirm:
        say(f"purged {_counted(outcome)}")
    else:
        say(f"would purge {_counted(outcome)}")
        say("re-run with --confirm to delete")
    return 0


@command
def maintain(argv: list[str]) -> int:
    flags = parser("maintain", "Compact the store; with flags, more than that.")
    flags.add_argument("--session", metavar="ID", help="write this session's summary anew")
    flags.add_argument("--rebuild-fts", action="store_true", help="make the word index again")
    flags.add_argument(
        "--sweep", action="store_true", help="remove what is over its retention days"
    )
    flags.add_argument("--resummarize", action="store_true", help="write every summary anew")
    flags.add_argument("--catch-up", action="store_true", help="store what waits in the spool")
    flags.add_argument("--requeue", action="store_true", help="try again what was put aside")
    args = flags.parse_args(argv)
    settings = settings_of(args)
    house = wiring.open_existing(settings)
    if args.requeue:
        say(f"requeued {spool.requeue(settings.spool_dir)} — ok")
    say(f"spool drained, {house.catch_up()} stored — ok")
    if args.session:
        _summarise(house, args.session)
    if args.resummarize:
        for session_id in house.store.sessions.ids():
            _summarise(house, session_id)
    if args.rebuild_fts:
        health.rebuild(house.store)
        say("word index rebuilt — ok")
    if args.sweep:
        swept = retention.sweep(house.store, settings.retention_days, now=house.clock())
        say(f"swept {_counted(swept)} — ok")
    is_compact = health.compact(house.store)
    house.close()
    if not is_compact:
        raise StoreBusy("the log cannot be folded in while another process is reading")
    say("store compacted — ok")
    return 0


def _purge_flags() -> argparse.ArgumentParser:
    flags = parser(
        "purge", "Show what all filters together mean; with --confirm, remove it for good."
    )
    flags.add_argument("--before", metavar="YYYY-MM-DD", help="created before this day (UTC)")
    flags.add_argument("--project", type=project_named)
    flags.add_argument("--session", metavar="ID")
    flags.add_argument("--id", type=int)
    flags.add_argument("--type")
    flags.add_argument(
        "--older-than", metavar="DAYS", type=int, help="with --type: at least this old"
    )
    flags.add_argument("--search", metavar="QUERY", help="what a search for this finds")
    flags.add_argument("--confirm", action="store_true", help="really remove it")
    return flags


def _wanted(args: argparse.Namespace, *, now: int) -> Filter | None:
    """The filter in the flags; None when its search cannot match anything."""
    words = None
    if args.search is not None:
        words = grammar.parse(args.search)
        if words is None:
            return None
    older_than = None
    if args.older_than is not None:
        if args.type is None:
            raise InvalidArgument("--older-than", "needs --type")
        if args.older_than < 0:
            raise InvalidArgument("--older-than", "must not be negative")
        older_than = now + SECOND - args.older_than * DAY
    return Filter(
        project=args.project,
        type=args.type,
        session_id=args.session,
        id=args.id,
        before=None if args.before is None else _start_of(args.before),
        older_than=older_than,
        words=words,
    )


def _start_of(day: str) -> int:
    try:
        start = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise InvalidArgument("--before", f"must be a day as YYYY-MM-DD, not {day!r}") from error
    return int(start.timestamp()) * SECOND


def _summarise(house: wiring.House, session_id: str) -> None:
    if house.store.sessions.find(session_id) is None:
        raise SessionNotFound(f"session not found: {session_id}", session_id=session_id)
    with house.store.transaction():
        sessions.summarise(house.store, house.reader, session_id, at=house.clock())
    say(f"session {session_id} summarised — ok")


def _counted(outcome: Purged) -> str:
    return (
        f"{outcome.observations} observations, {outcome.prompts} prompts, "
        f"{outcome.sessions} sessions"
    )
