"""`recollect hook` from spawn to exit, with a worker that runs, is dead, hangs, or is stopped.

Beside it, in the same turns, a bare start of the same interpreter. Where no worker answers, the
spool is emptied before each run: every one of them meets the worker first, as after a long pause.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from benchmarks import spawn
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import interleaved, milliseconds
from benchmarks.workers import worker
from recollect.capture import spool
from recollect.cli.wires import hook_command

RUNS = 40
CAP_MS = 300.0
BARE = "python3 -c pass"
numbers = count()
WAITING = "entries wait already"
SHELL = {"command": "python -m pytest tests/checkout -x -q", "output": "4 passed\n" * 200}

TELLING: Mapping[str, Mapping[str, object]] = {
    "claude-code": {
        "session_id": "claude",
        "cwd": "/home/dev/work/shop",
        "tool_name": "Bash",
        "tool_input": {"command": SHELL["command"]},
        "tool_response": {"stdout": SHELL["output"], "stderr": ""},
    },
    "cursor": {"conversation_id": "cursor", "workspace_roots": ["/home/dev/work/shop"], **SHELL},
    "codex": {"session_id": "codex", "cwd": "/home/dev/work/shop", **SHELL},
    "raw": {
        "sessionId": "raw",
        "cwd": "/home/dev/work/shop",
        "toolName": "Bash",
        "toolInput": {"command": SHELL["command"]},
        "toolResponse": {"output": SHELL["output"]},
    },
}


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        _situation(report, home, "no worker", args.runs)
    with _listening() as port:
        free = str(port)  # once this is closed, nobody listens there
    with throwaway(RECOLLECT_PORT=free) as home:
        _situation(report, home, "nobody listens where it should", args.runs, emptied=True)
    with _listening() as port, throwaway(RECOLLECT_PORT=str(port)) as home:
        _situation(report, home, "worker takes and never answers", args.runs, emptied=True)
    with throwaway() as home, worker(home) as process:
        _situation(report, home, "worker runs", args.runs)
        if spool.waiting(home.settings.spool_dir):
            report.failures.append("a worker that runs was not told")
        with _asleep(process):
            _situation(report, home, "worker is stopped (SIGSTOP)", args.runs, emptied=True)
            _situation(report, home, f"the same, {WAITING}", args.runs)
    report.notes.append(
        f"cap: {CAP_MS:.0f} ms beside a bare start, for 95 of 100; a hook gives the worker 100 ms, "
        "and asks it only while nothing waits in the spool"
    )


def _situation(
    report: Report, home: Home, while_: str, runs: int, *, emptied: bool = False
) -> None:
    actions: dict[str, Callable[[], object]] = {
        BARE: partial(spawn.run, [sys.executable, "-c", "pass"], home.environ)
    }
    for platform, payload in TELLING.items():
        actions[platform] = partial(_told, home, platform, payload, emptied=emptied)
    taken = interleaved(actions, runs)
    bare = milliseconds(taken[BARE].percentile(95))
    for name, sample in taken.items():
        slow = milliseconds(sample.percentile(95))
        report.add(
            "recollect hook observation, from spawn to exit",
            {
                "while": while_,
                "what": name,
                "runs": len(sample),
                "median_ms": milliseconds(sample.median),
                "p95_ms": slow,
                "max_ms": milliseconds(max(sample.seconds)),
            },
        )
        if slow > CAP_MS + bare:  # what Python itself takes, on a machine that has other work
            report.failures.append(f"{name} takes {slow:.0f} ms while {while_}")


def _told(home: Home, platform: str, payload: Mapping[str, object], *, emptied: bool) -> None:
    # Another one each time: what was told before is not written again.
    stdin = json.dumps({**payload, "tool_use_id": f"use-{next(numbers)}"}).encode()
    if emptied:
        folder = home.settings.spool_dir
        for name in spool.waiting(folder):
            spool.done(folder, name)
    code = spawn.run(hook_command("hook", platform, "observation"), home.environ, stdin)
    if code != 0:
        raise SystemExit(f"exit {code} of the hook of {platform}")


@contextlib.contextmanager
def _listening() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        yield listener.getsockname()[1]


@contextlib.contextmanager
def _asleep(process: subprocess.Popen[bytes]) -> Iterator[None]:
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each contestant")
    return run("hooks", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
