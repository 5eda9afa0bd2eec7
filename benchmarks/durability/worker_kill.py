"""SIGKILL of a worker while sixteen clients post to it, round after round over one store.

An event is acknowledged when the worker answered `queued`. What was not answered is delivered
again, by the next worker or through the spool, as hooks do it. At the end every event that was
sent is there exactly once, and the acknowledged ones were there after each stretch of rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from random import Random

from benchmarks import workers
from benchmarks.clients import Crowd, Event, Line, into_spool, stored
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from recollect import wiring
from recollect.service import health

ROUNDS = 200
CLIENTS = 16
LONGEST = 1.0
"""Seconds that a worker may live once its clients have begun."""
STRETCH = 20
"""Rounds between two audits."""


def measure(report: Report, args: argparse.Namespace) -> None:
    dice = Random(args.seed)
    lost: set[str] = set()
    doubled: set[str] = set()
    kills = 0
    began = time.monotonic()
    with throwaway(RECOLLECT_EMBEDDER="none") as home:
        crowd = Crowd(home, args.clients)
        for number in range(args.rounds):
            _round(home, crowd, dice)
            kills += 1
            if (number + 1) % STRETCH == 0:
                _audit(home, crowd, lost, doubled)
        _deliver_again(home, crowd, dice)
        _audit(home, crowd, lost, doubled)
        problems = _unsound(home)
        report.add(
            "a worker is killed under load",
            {
                "rounds": args.rounds,
                "kills": kills,
                "clients": args.clients,
                "sent": sum(crowd.next_numbers.values()),
                "acknowledged": len(crowd.acknowledged),
                "stored": sum(stored(home).values()),
                "lost": len(lost),
                "doubled": len(doubled),
                "unsound": len(problems),
                "seconds": round(time.monotonic() - began),
            },
        )
    report.failures += [f"lost: {text}" for text in sorted(lost)[:20]]
    report.failures += [f"doubled: {text}" for text in sorted(doubled)[:20]]
    report.failures += problems
    report.notes.append(f"seed {args.seed}; a worker lives up to {LONGEST:.0f} s under load")


def _round(home: Home, crowd: Crowd, dice: Random) -> None:
    process = workers.start(home)
    again, crowd.unanswered = crowd.unanswered, []
    try:
        threads = crowd.post_until(lambda: False)
        _send(home, crowd, again, dice)
        time.sleep(dice.uniform(0, LONGEST))
    finally:
        process.kill()
        process.communicate()
    for thread in threads:
        thread.join()


def _send(home: Home, crowd: Crowd, events: Sequence[Event], dice: Random) -> None:
    """Deliver again what nobody answered; half of it through the spool, the rest to the worker."""
    spooled = [event for event in events if dice.random() < 0.5]
    into_spool(home, spooled)
    crowd.acknowledged.update(spooled)
    line = Line(home)
    for event in set(events) - set(spooled):
        if line.post(event):
            crowd.acknowledged.add(event)
    line.close()


def _deliver_again(home: Home, crowd: Crowd, dice: Random) -> None:
    with workers.worker(home):
        again, crowd.unanswered = crowd.unanswered, []
        _send(home, crowd, again, dice)


def _audit(home: Home, crowd: Crowd, lost: set[str], doubled: set[str]) -> None:
    texts = stored(home)
    lost |= {event.text for event in crowd.acknowledged} - set(texts)
    doubled |= {text for text, count in texts.items() if count > 1}


def _unsound(home: Home) -> list[str]:
    house = wiring.open_house(home.settings)
    try:
        problems = list(health.diagnose(house.store).problems)
        depth = house.store.jobs.depth()
    finally:
        house.close()
    return problems + [f"{depth.failed} jobs failed"] * bool(depth.failed)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seed", type=int, default=20261119)
    return run("worker_kill", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
