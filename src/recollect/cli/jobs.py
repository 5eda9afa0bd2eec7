"""`recollect jobs`: what was accepted and is not read yet, and what was given up. Lines of it for
`status` and `doctor`."""

from __future__ import annotations

from dataclasses import replace

from recollect import wiring
from recollect.cli.front import command, parser, say, settings_of
from recollect.store.port.jobs import Timing
from recollect.store.port.store import Store

SHOWN = 20
"""Jobs that were given up; `doctor` names the newest only."""
AGAIN = "`recollect jobs --retry` gives them another try"


@command
def jobs(argv: list[str]) -> int:
    flags = parser("jobs", "Work that is queued, and work that was given up.")
    flags.add_argument("--retry", action="store_true", help="give what failed another try")
    flags.add_argument("--session", type=int, metavar="NUMBER", help="only of this session")
    args = flags.parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    try:
        if args.retry:
            retried = house.retry(args.session)
            say(f"{retried} failed jobs wait for another try")
        house.try_to_catch_up()
        print(queue_line(house.store, args.session))
        for line in failed_lines(house.store, args.session):
            print(line)
    finally:
        house.close()
    return 0


def queue_line(store: Store, session_number: int | None = None) -> str:
    depth = store.jobs.depth(session_number)
    return f"queue — {depth.pending} waiting, {depth.processing} under way, {depth.failed} failed"


def failed_lines(store: Store, session_number: int | None = None) -> list[str]:
    wanted = Timing(session_number=session_number, is_success=False)
    return [f"failed — {each}" for each in _named(store, wanted, SHOWN)]


def failed_problems(store: Store) -> list[str]:
    """For `doctor`: how many, the newest, and what to do."""
    newest = _named(store, Timing(is_success=False), 1)
    count = store.jobs.depth().failed
    return [f"{count} jobs failed, the newest: {each}; {AGAIN}" for each in newest]


def _named(store: Store, wanted: Timing, limit: int) -> list[str]:
    """Those that were given up, the newest first, each with what went wrong last."""
    given_up = store.jobs.ended(wanted, limit=limit)
    why: dict[int, str] = {}
    if given_up:
        for told in store.jobs.failures(replace(wanted, is_success=None), limit=None):
            why.setdefault(told.job_id, f": {told.error_class}, {told.error}")
    return [
        f"job {job.id} ({job.task.value} of session {job.session_number}){why.get(job.id, '')}"
        for job in given_up
    ]
