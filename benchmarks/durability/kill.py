"""Random SIGKILLs of hooks, drainers and workers while hooks record.

An event is acknowledged when its hook exited 0. After each round: every acknowledged event is in
the store exactly once, every other at most once, the store is sound, and its index has its rows.
Who is killed, how and when follows from the seed; `--seed` and `--round` play one round again.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log10
from random import Random

from benchmarks.durability import ledger as books
from benchmarks.durability import victims
from benchmarks.durability.ledger import Ledger, Sent, Verdict, audit
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run

KILLS = 10_000
FULL_KILLS = 20_000
SPAWNED_KILLS = 150
FULL_SPAWNED_KILLS = 500
HOOKS = 120
SPAWNED_HOOKS = 24
CROWD = 3
"""Hooks at once."""
LOOK = 0.0002
"""Seconds between two looks at who has ended and who is due."""


@dataclass(frozen=True)
class Manner:
    """How long real processes, or copies of this one, may live, in seconds; and who they are."""

    is_spawned: bool
    hook_life: float
    drainer_life: float
    worker_life: float
    hooks: int


FORKED = Manner(is_spawned=False, hook_life=0.006, drainer_life=0.03, worker_life=0.4, hooks=HOOKS)
SPAWNED = Manner(
    is_spawned=True, hook_life=0.03, drainer_life=0.4, worker_life=1.6, hooks=SPAWNED_HOOKS
)


@dataclass
class Victim:
    kind: str
    due: float
    event: Sent | None = None


@dataclass
class Round:
    """One store from its first event to its audit."""

    home: Home
    seed: str
    manner: Manner
    steps: int
    """Steps of a hook that is left in peace."""
    ledger: Ledger = field(default_factory=Ledger)
    killed: Counter[str] = field(default_factory=Counter)
    alive: dict[int, Victim] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def play(self) -> Verdict:
        self.home.empty()
        self.ledger.send(books.summary())
        waiting = deque(enumerate(self._events()))
        drainers = workers = 0
        while waiting or self._count("hook"):
            while waiting and self._count("hook") < CROWD:
                self._start_hook(*waiting.popleft())
            if self._count("drainer") < 2:
                self._start_drainer(drainers)
                drainers += 1
            if self._count("worker") < 1 and workers < self.manner.hooks // 12:
                self._start_worker(workers)
                workers += 1
            self._attend()
        self._end_all()
        return audit(self.home.settings, self.ledger)

    def _events(self) -> list[Sent]:
        """Some are delivered twice, as hosts do; killed hooks' events as well as kept ones."""
        dice = Random(f"{self.seed} events")
        events: list[Sent] = []
        for number in range(self.manner.hooks):
            kinds = (books.tool_use, books.tool_use, books.edit, books.prompt)
            events.append(books.stop() if dice.random() < 0.03 else dice.choice(kinds)(number))
            if dice.random() < 0.15:
                events.append(dice.choice(events[-5:]))
        return events

    def _start_hook(self, number: int, event: Sent) -> None:
        dice = Random(f"{self.seed} hook {number}")
        self.ledger.send(event)
        dies, is_exact = dice.random() < 0.7, dice.random() < 0.6
        # Most of a hook is cleaning; what it does to the disk comes last, so most deaths are there.
        life, rest = dice.uniform(0, self.manner.hook_life), dice.uniform(0, log10(self.steps))
        if self.manner.is_spawned:
            pid = victims.spawn_hook(self.home, event.blob)
        else:
            exactly = self.steps - int(10**rest) if dies and is_exact else None
            pid = victims.fork(victims.hook(event.blob), dies_at=exactly)
        timed = dies and (self.manner.is_spawned or not is_exact)
        self._watch(pid, "hook", life if timed else None, event)

    def _start_drainer(self, number: int) -> None:
        dice = Random(f"{self.seed} drainer {number}")
        compacts, is_exact = dice.random() < 0.3, dice.random() < 0.5
        life, step = dice.uniform(0, self.manner.drainer_life), int(10 ** dice.uniform(1, 4))
        if self.manner.is_spawned:
            pid = victims.spawn_drainer(self.home)
        else:
            body = victims.drainer(self.home, compacts=compacts)
            pid = victims.fork(body, dies_at=step if is_exact else None)
        is_timed = self.manner.is_spawned or not is_exact
        self._watch(pid, "drainer", life if is_timed else None)

    def _start_worker(self, number: int) -> None:
        dice = Random(f"{self.seed} worker {number}")
        life = dice.uniform(0, self.manner.worker_life)
        if self.manner.is_spawned:
            pid = victims.spawn_worker(self.home)
        else:
            pid = victims.fork(victims.worker(self.home))
        self._watch(pid, "worker", life)

    def _watch(self, pid: int, kind: str, life: float | None, event: Sent | None = None) -> None:
        due = float("inf") if life is None else time.monotonic() + life
        self.alive[pid] = Victim(kind, due, event)

    def _count(self, kind: str) -> int:
        return sum(victim.kind == kind for victim in self.alive.values())

    def _attend(self) -> None:
        """Kill who is due, bury who has ended; look again a little later when nobody has."""
        now = time.monotonic()
        for pid, victim in self.alive.items():
            if victim.due <= now:
                victims.kill(pid)
                victim.due = float("inf")
        ended = [pid for pid in list(self.alive) if self._bury(pid, os.WNOHANG)]
        if not ended:
            time.sleep(LOOK)

    def _bury(self, pid: int, flags: int) -> bool:
        found, status = os.waitpid(pid, flags)
        if not found:
            return False
        victim = self.alive.pop(pid)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            self.killed[victim.kind] += 1
        elif status != 0:
            self.failures.append(f"a {victim.kind} ended with {os.waitstatus_to_exitcode(status)}")
        elif victim.event is not None:
            self.ledger.acknowledge(victim.event)
        return True

    def _end_all(self) -> None:
        """The last drainers and the worker are killed as well: nobody tidies up after a round."""
        for pid in list(self.alive):
            victims.kill(pid)
            self._bury(pid, 0)


@dataclass
class Tally:
    rounds: int = 0
    killed: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    acknowledged: int = 0
    stored: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def kills(self) -> int:
        return sum(self.killed.values())


def measure(report: Report, args: argparse.Namespace) -> None:
    wanted = args.kills or (FULL_KILLS if args.full else KILLS)
    spawned = args.spawned_kills
    if spawned is None:
        spawned = FULL_SPAWNED_KILLS if args.full else SPAWNED_KILLS
    with throwaway() as home:
        home.wired  # noqa: B018 - asked for before this process moves in
        home.adopt()
        steps = victims.steps_of(victims.hook(books.tool_use(0).blob))
        for name, manner, kills in (("forked", FORKED, wanted), ("spawned", SPAWNED, spawned)):
            tally = _play(report, home, name, manner, kills, steps, args)
            report.add("kills", _row(name, tally))
    report.notes.append(f"seed {args.seed}; a hook takes {steps} steps in our own package")


def _play(
    report: Report,
    home: Home,
    name: str,
    manner: Manner,
    kills: int,
    steps: int,
    args: argparse.Namespace,
) -> Tally:
    tally = Tally()
    began = time.monotonic()
    while tally.kills < kills:
        number = tally.rounds if args.round is None else args.round
        game = Round(home, f"{args.seed} {name} {number}", manner, steps)
        verdict = game.play()
        failures = game.failures + verdict.failures()
        report.failures += [f"{name} round {number}: {failure}" for failure in failures]
        tally.rounds += 1
        tally.killed += game.killed
        tally.sent += len(game.ledger.sent)
        tally.acknowledged += len(game.ledger.acknowledged)
        tally.stored += verdict.memories
        tally.verdicts.update(
            lost=len(verdict.lost), doubled=len(verdict.doubled), unsound=len(verdict.problems)
        )
        if args.round is not None:
            break
    tally.seconds = time.monotonic() - began
    return tally


def _row(name: str, tally: Tally) -> dict[str, str | int]:
    return {
        "processes": name,
        "rounds": tally.rounds,
        "kills": tally.kills,
        "of_hooks": tally.killed["hook"],
        "of_drainers": tally.killed["drainer"],
        "of_workers": tally.killed["worker"],
        "events": tally.sent,
        "acknowledged": tally.acknowledged,
        "memories": tally.stored,
        "lost": tally.verdicts["lost"],
        "doubled": tally.verdicts["doubled"],
        "unsound": tally.verdicts["unsound"],
        "seconds": round(tally.seconds),
    }


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261118)
    parser.add_argument("--kills", type=int, help="at least so many of forked processes")
    parser.add_argument("--spawned-kills", type=int, help="at least so many of real commands")
    parser.add_argument("--round", type=int, help="play this round only")
    return run("kill", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
