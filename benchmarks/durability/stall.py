"""What an agent waits for when its worker is gone, stopped, or when the store is held by another.

Hooks through the wired command, from spawn to exit, beside a bare start. And a worker that was
absent for a whole session: how long from its start until the session is found through it.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from sqlcipher3 import dbapi2 as sqlite

from benchmarks import spawn
from benchmarks.durability import ledger as books
from benchmarks.durability.ledger import Ledger, audit
from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import interleaved, milliseconds
from benchmarks.workers import worker
from recollect.capture import spool
from recollect.worker import presence

RUNS = 30
LOCKED_STARTS = 3
SESSION = 200
START = {
    "session_id": "starting",
    "cwd": "/work/shop",
    "hook_event_name": "SessionStart",
    "source": "startup",
}


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        _hooks(report, home, "no worker", args.runs)
        with worker(home) as process:
            _hooks(report, home, "worker runs", args.runs)
            with _stopped(process):
                _hooks(report, home, "worker is stopped (SIGSTOP)", args.runs)
        with _locked(home):
            _hooks(report, home, "store is locked by another process", LOCKED_STARTS)
        _late_worker(report, home)
        verdict = audit(home.settings, Ledger())
        report.failures += [*verdict.problems, *verdict.waiting, *verdict.put_aside]


def _hooks(report: Report, home: Home, while_: str, runs: int) -> None:
    prompt, start = books.prompt(1).blob, json.dumps(START).encode()
    hook = partial(spawn.run, home.wired.hook, home.environ)
    actions = {
        "python3 -c pass": partial(spawn.run, [sys.executable, "-c", "pass"], home.environ),
        "UserPromptSubmit": partial(hook, prompt),
        "SessionStart": partial(hook, start),
    }
    taken = interleaved(actions, runs, warm=0 if runs == LOCKED_STARTS else 2)
    for name, sample in taken.items():
        report.add(
            "hooks, from spawn to exit",
            {
                "while": while_,
                "what": name,
                "runs": len(sample),
                "median_ms": milliseconds(sample.median),
                "max_ms": milliseconds(max(sample.seconds)),
            },
        )


@contextlib.contextmanager
def _stopped(process: subprocess.Popen[bytes]) -> Iterator[None]:
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


@contextlib.contextmanager
def _locked(home: Home) -> Iterator[None]:
    """Somebody is in a transaction that writes, and does not end it."""
    holder = sqlite.connect(home.settings.store, isolation_level=None)
    holder.execute("begin immediate")
    try:
        yield
    finally:
        holder.execute("rollback")
        holder.close()


def _late_worker(report: Report, home: Home) -> None:
    for number in range(SESSION):
        spawn.run(home.wired.hook, home.environ, books.tool_use(number, label="late").blob)
    waiting = len(spool.waiting(home.settings.spool_dir))
    began = time.monotonic()
    with worker(home):
        started = time.monotonic()
        found = _found(home, f'"late {SESSION - 1}"')
        answered = time.monotonic()
        while spool.waiting(home.settings.spool_dir):
            time.sleep(0.001)
        drained = time.monotonic()
    if not found:
        report.failures.append("the worker does not find what was captured while it was away")
    report.add(
        "a worker that was absent for a whole session",
        {
            "events_waiting": waiting,
            "start_to_listening_ms": milliseconds(started - began),
            "start_to_found_ms": milliseconds(answered - began),
            "start_to_spool_empty_ms": milliseconds(max(drained, answered) - began),
        },
    )


def _found(home: Home, query: str) -> Sequence[Mapping[str, object]]:
    """What the worker's own door finds, in all projects."""
    here = presence.find(home.settings.worker_file)
    assert here is not None
    connection = http.client.HTTPConnection(here.host, here.port, timeout=30)
    arguments = {"query": query, "project": None}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": arguments},
    }
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
    }
    connection.request("POST", "/mcp/nmem", json.dumps(call), headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    hits: Sequence[Mapping[str, object]] = json.loads(answer["result"]["content"][0]["text"])
    return hits


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    return run("stall", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
