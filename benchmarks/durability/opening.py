"""SIGKILLs while a store is opened for the first time, and while it is being encrypted.

Afterwards there is one whole store or the other: whoever comes next finds every memory that was
there before, and everything that waited in the spool, once.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.durability import ledger as books
from benchmarks.durability import victims
from benchmarks.durability.ledger import Ledger, audit
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from recollect.cli import encryption
from recollect.store.sqlite.encrypt import is_encrypted

KILLS = 300
ENCRYPT = "recollect encrypt"
STORED = 200
WAITING = 5
LONGEST = 0.06
"""Seconds after which a killed command would nearly always be done."""


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        home.adopt()
        for name, scene in (("first opening", _opening), (ENCRYPT, _encrypting)):
            _play(report, home, name, scene, args)
    report.notes.append(f"seed {args.seed}")


Scene = Callable[[Home, Ledger], victims.Body]
"""Sets the scene anew and gives the act in which somebody dies."""


def _play(report: Report, home: Home, name: str, scene: Scene, args: argparse.Namespace) -> None:
    kills = plays = finished = broken = 0
    steps = victims.steps_of(scene(home, Ledger()))
    while kills < args.kills:
        dice = Random(f"{args.seed} {name} {plays}")
        step, life, is_exact = dice.randint(1, steps), dice.uniform(0, LONGEST), dice.random() < 0.7
        ledger = Ledger()
        pid = victims.fork(scene(home, ledger), dies_at=step if is_exact else None)
        status = _wait(pid) if is_exact else _kill_after(pid, life)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            kills += 1
        elif status == 0:
            finished += 1
        else:
            report.failures.append(f"{name} {plays}: ended with {status >> 8} by itself")
        failures = _aftermath(home, ledger, name)
        broken += bool(failures)
        report.failures += [f"{name} {plays}: {failure}" for failure in failures]
        plays += 1
    report.add(
        "kills",
        {
            "during": name,
            "kills": kills,
            "finished_first": finished,
            "steps": steps,
            "memories_each": len(ledger.sent),
            "stores_not_whole": broken,
        },
    )


def _opening(home: Home, ledger: Ledger) -> victims.Body:
    home.empty()
    _capture(ledger, range(WAITING))
    return victims.drainer(home, compacts=True)


def _encrypting(home: Home, ledger: Ledger) -> victims.Body:
    home.empty()
    _capture(ledger, range(STORED))
    os.waitpid(victims.fork(victims.drainer(home, compacts=False)), 0)
    _capture(ledger, range(STORED, STORED + WAITING))
    return _encrypt


def _capture(ledger: Ledger, numbers: range) -> None:
    for number in numbers:
        event = books.tool_use(number)
        ledger.send(event)
        ledger.acknowledge(event)
    blobs = [books.tool_use(number).blob for number in numbers]
    pid = victims.fork(lambda: sum(victims.hook(blob)() for blob in blobs))
    assert os.waitpid(pid, 0)[1] == 0


def _aftermath(home: Home, ledger: Ledger, name: str) -> list[str]:
    """What a user does next: the command again, if it was not done; then look."""
    failures = []
    if name == ENCRYPT and not is_encrypted(home.settings.store):
        again = _wait(victims.fork(_encrypt))
        if again != 0:
            failures.append(f"the second try ended with {os.waitstatus_to_exitcode(again)}")
    return failures + audit(home.settings, ledger).failures()


def _encrypt() -> int:
    return encryption.encrypt([])


def _wait(pid: int) -> int:
    return os.waitpid(pid, 0)[1]


def _kill_after(pid: int, seconds: float) -> int:
    time.sleep(seconds)
    victims.kill(pid)
    return _wait(pid)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261118)
    parser.add_argument("--kills", type=int, default=KILLS, help="of each kind")
    return run("opening", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
