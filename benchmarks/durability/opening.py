"""SIGKILLs while a store is opened for the first time, and while it is being encrypted.

Afterwards there is one whole store or the other: whoever comes next finds every memory that was
there before, and everything that waited in the spool, once.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.durability import ledger as books
from benchmarks.durability import victims
from benchmarks.durability.ledger import Ledger, audit
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from recollect.capture import spool
from recollect.cli import encryption
from recollect.model.errors import RecollectError
from recollect.store.sqlite.encrypt import is_encrypted

KILLS = 100
STORED = 200
WAITING = 5
LONGEST = 0.06
"""Seconds after which a killed command would nearly always be done."""


@dataclass(frozen=True)
class Scene:
    """What is there before, made once and copied for every play, and what somebody dies in."""

    name: str
    prepare: Callable[[Home, Ledger], None]
    act: Callable[[Home], victims.Body]


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        home.adopt()
        for scene in SCENES:
            _play(report, home, scene, args)
    report.notes.append(f"seed {args.seed}")


def _play(report: Report, home: Home, scene: Scene, args: argparse.Namespace) -> None:
    ledger, before = Ledger(), str(home.folder / "before")
    home.empty()
    scene.prepare(home, ledger)
    shutil.copytree(home.settings.home, before)
    steps = victims.steps_of(scene.act(home))
    kills = plays = broken = 0
    while kills < args.kills:
        home.empty()
        shutil.copytree(before, home.settings.home)
        kills += _is_killed(Random(f"{args.seed} {scene.name} {plays}"), scene.act(home), steps)
        failures = _aftermath(home, ledger, scene)
        broken += bool(failures)
        report.failures += [f"{scene.name} {plays}: {failure}" for failure in failures]
        plays += 1
    shutil.rmtree(before)
    report.add(
        "kills",
        {
            "during": scene.name,
            "kills": kills,
            "done_before_the_kill": plays - kills,
            "steps": steps,
            "memories_each": len(ledger.sent),
            "stores_not_whole": broken,
        },
    )


def _is_killed(dice: Random, act: victims.Body, steps: int) -> bool:
    """At an exact step or after a time; False when the act was over first."""
    step, life, is_exact = dice.randint(1, steps), dice.uniform(0, LONGEST), dice.random() < 0.7
    pid = victims.fork(act, dies_at=step if is_exact else None)
    if not is_exact:
        time.sleep(life)
        victims.kill(pid)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code not in {0, -signal.SIGKILL}:
        raise SystemExit(f"an act ended with {code} by itself")
    return code != 0


def _aftermath(home: Home, ledger: Ledger, scene: Scene) -> list[str]:
    """What a user does next: the command again, if it was not done; then look."""
    failures: list[str] = []
    try:
        if scene.act is _encrypting and not is_encrypted(home.settings.store):
            failures += _encrypted_again(home)
        return failures + audit(home.settings, ledger).failures()
    except RecollectError as problem:
        return [*failures, problem.message]


def _encrypted_again(home: Home) -> list[str]:
    again = subprocess.run(
        home.command("encrypt"), env=home.environ, capture_output=True, text=True, check=False
    )
    return [] if again.returncode == 0 else [f"the second try: {again.stderr.strip()}"]


def _some_wait(home: Home, ledger: Ledger) -> None:
    _capture(ledger, range(WAITING))
    assert spool.waiting(home.settings.spool_dir)


def _many_are_stored(home: Home, ledger: Ledger) -> None:
    _capture(ledger, range(STORED))
    os.waitpid(victims.fork(_opening(home)), 0)
    _capture(ledger, range(STORED, STORED + WAITING))


def _opening(home: Home) -> victims.Body:
    return victims.drainer(home, compacts=True)


def _encrypting(_: Home) -> victims.Body:
    return _encrypt


def _encrypt() -> int:
    return encryption.encrypt([])


def _capture(ledger: Ledger, numbers: range) -> None:
    events = [books.tool_use(number) for number in numbers]
    pid = victims.fork(lambda: sum(victims.hook(event.blob)() for event in events))
    assert os.waitpid(pid, 0)[1] == 0
    for event in events:
        ledger.send(event)
        ledger.acknowledge(event)


SCENES = (
    Scene("first opening", _some_wait, _opening),
    Scene("recollect encrypt", _many_are_stored, _encrypting),
)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261118)
    parser.add_argument("--kills", type=int, default=KILLS, help="of each kind")
    return run("opening", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
