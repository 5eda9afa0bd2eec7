"""Many processes write at once: through the hook with drainers beside, and straight into the store.

Every write must succeed, at the first try of its caller, and be there once.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.durability import ledger as books
from benchmarks.durability import victims
from benchmarks.durability.ledger import Ledger, audit
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from recollect import wiring
from recollect.capture import spool
from recollect.model.errors import RecollectError
from recollect.model.memory import Draft, Kind, Origin, Type
from recollect.model.session import Session

PROCESSES = 20
WRITES = 1_000
DRAINERS = 3


def measure(report: Report, args: argparse.Namespace) -> None:
    ways: dict[str, Callable[[Home, int, int], int]] = {
        f"hooks, {DRAINERS} drainers beside": _through_hooks,
        "transactions of one memory": _straight,
    }
    with throwaway() as home:
        home.adopt()
        for name, way in ways.items():
            home.empty()
            began = time.monotonic()
            failed = way(home, args.processes, args.writes)
            seconds = time.monotonic() - began
            verdict = audit(home.settings, _expected(args.processes, args.writes))
            trouble = [*verdict.failures(), *_told(home)]
            report.failures += [f"{name}: {what}" for what in trouble]
            report.add(
                "writes at once",
                {
                    "way": name,
                    "processes": args.processes,
                    "writes_each": args.writes,
                    "rows": verdict.memories,
                    "failed_processes": failed,
                    "lost": len(verdict.lost),
                    "doubled": len(verdict.doubled),
                    "unsound": len(verdict.problems),
                    "seconds": round(seconds, 1),
                    "writes_per_s": round(args.processes * args.writes / seconds),
                },
            )


def _through_hooks(home: Home, processes: int, writes: int) -> int:
    hooks = [victims.fork(_hooks(home, number, writes)) for number in range(processes)]
    over = Path(home.folder, "over")
    drainers = [victims.fork(_drains_until(home, over)) for _ in range(DRAINERS)]
    failed = _ended_badly(hooks)
    over.touch()
    return failed + _ended_badly(drainers)


def _hooks(home: Home, process: int, writes: int) -> victims.Body:
    def body() -> int:
        codes = [victims.hook(_event(process, number).blob)() for number in range(writes)]
        return _telling(home, [f"a hook ended with {code}" for code in codes if code])

    return body


def _drains_until(home: Home, over: Path) -> victims.Body:
    def body() -> int:
        house = wiring.open_house(home.settings)
        try:
            while not over.exists() or spool.waiting(home.settings.spool_dir):
                house.catch_up()
        except RecollectError as problem:
            return _telling(home, [problem.message])
        finally:
            house.close()
        return 0

    return body


def _straight(home: Home, processes: int, writes: int) -> int:
    wiring.open_house(home.settings).close()
    return _ended_badly([victims.fork(_writes(home, n, writes)) for n in range(processes)])


def _writes(home: Home, process: int, writes: int) -> victims.Body:
    def body() -> int:
        trouble = []
        house = wiring.open_house(home.settings)
        for number in range(writes):
            try:
                _write(house, process, _event(process, number).text)
            except RecollectError as problem:
                trouble.append(problem.message)
        house.close()
        return _telling(home, trouble)

    return body


def _write(house: wiring.House, process: int, text: str) -> None:
    with house.store.transaction():
        session = Session(id=f"s{process}", project="shop", platform="bench", started_at=1)
        house.store.sessions.begin(session)
        house.store.memories.add(
            Draft(
                kind=Kind.OBSERVATION,
                type=Type.COMMAND,
                text=text,
                project="shop",
                session_id=session.id,
                created_at=house.clock(),
                origin=Origin.TOOL,
                source_event="PostToolUse",
            )
        )


def _event(process: int, number: int) -> books.Sent:
    return books.tool_use(number, session=f"s{process}", label=f"writer-{process}")


def _expected(processes: int, writes: int) -> Ledger:
    expected = Ledger()
    for process in range(processes):
        for number in range(writes):
            event = _event(process, number)
            expected.send(event)
            expected.acknowledge(event)
    return expected


def _ended_badly(pids: Sequence[int]) -> int:
    return sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)


def _telling(home: Home, trouble: Sequence[str]) -> int:
    """Children have no voice: what troubled them is left in a file."""
    if trouble:
        text = "\n".join(trouble)
        Path(home.folder, f"trouble-{os.getpid()}").write_text(text, encoding="utf-8")
    return 1 if trouble else 0


def _told(home: Home) -> list[str]:
    found = []
    for path in sorted(home.folder.glob("trouble-*")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found.append(f"{len(lines)} times in one process: {lines[0]}")
        path.unlink()
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--writes", type=int, default=WRITES, help="of each process")
    return run("crowd", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
