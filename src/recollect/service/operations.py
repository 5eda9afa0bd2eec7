"""Operations: how the worker has been doing.

What is told here comes from the store, so it outlives the process that did it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.model.clock import SECOND
from recollect.model.errors import StoreBusy, StoreFull
from recollect.model.job import Job
from recollect.store.port.jobs import Timing
from recollect.store.port.operations import Bucket
from recollect.store.port.store import Store

PAGE = 1_000
log = logging.getLogger(__name__)

RUNS = "worker.runs"
NOTICES_OF_A_RUN = 1_000_000_000
"""Notices of one worker: a hundred a second for a third of a year. It goes on beyond them; only
the next one might be taken for it then."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something happened, and how long it took on the average."""

    count: int = 0
    mean_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened from `since` until `until`."""

    since: int
    until: int
    searches: Tally
    jobs: Tally
    failures: Tally


def ended(store: Store, wanted: Timing) -> Iterator[Job]:
    """All jobs that ended, newest first, read page by page: there may be very many."""
    page = store.jobs.ended(wanted, limit=PAGE)
    while page:
        yield from page
        page = store.jobs.ended(wanted, limit=PAGE, after=page[-1])


def first_notice(store: Store) -> int:
    """Where a worker begins to number its notices: after all that former workers can have told, so
    that whoever comes back with an older number is told everything. A store that cannot be written
    just now can be read all the same, so its worker begins with the number of the former one."""
    try:
        with store.transaction(is_lasting=False):
            store.operations.count({RUNS: 1})
    except (StoreBusy, StoreFull) as error:
        log.warning("events have the numbers of the former worker's: %s", error)
    runs = store.operations.counters(RUNS).get(RUNS, 1)
    return (runs - 1) * NOTICES_OF_A_RUN + 1


def trends(store: Store, *, now: int, window: int, width: int) -> list[Stretch]:
    """The seconds of `window` up to now in stretches of `width` seconds; the last one may be
    shorter, and has this moment in it."""
    since, step = now - window * SECOND, width * SECOND
    number = -(-window // width)
    # One store at one moment: a job that ends meanwhile is in none of the lists.
    with store.reading():
        searches = _tallies(store.operations.search_buckets(since, now + 1, step), number)
        jobs = _tallies(store.operations.job_buckets(since, now + 1, step), number)
        failures = _tallies(store.operations.failure_buckets(since, now + 1, step), number)
    return [
        Stretch(
            since + place * step,
            min(since + (place + 1) * step, now),
            searches[place],
            jobs[place],
            failures[place],
        )
        for place in range(number)
    ]


def _tallies(buckets: Sequence[Bucket], number: int) -> list[Tally]:
    """One for each stretch. This very moment would begin another one, and belongs to the last."""
    tallies = [Tally()] * number
    for bucket in buckets:
        place = min(bucket.number, number - 1)
        count = tallies[place].count + bucket.count
        spent = tallies[place].count * tallies[place].mean_ms + bucket.count * bucket.mean_ms
        tallies[place] = Tally(count, spent / count)
    return tallies
