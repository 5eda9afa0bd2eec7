"""A server's start: from the spawn of `recollect serve` to the answer of `tools/list`.

Once as a bridge to a running worker, once in-process, beside a bare start of the interpreter.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import Sample, milliseconds
from benchmarks.workers import worker

RUNS = 40
BARE = "python3 -c pass"
PUBLISHED = 6

INITIALIZE: Mapping[str, object] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
INITIALIZED: Mapping[str, object] = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST: Mapping[str, object] = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as alone, throwaway() as bridged, worker(bridged):
        ways = {
            BARE: partial(_bare, [sys.executable, "-c", "pass"], alone),
            "python3 -I -S -c pass": partial(
                _bare, [sys.executable, "-I", "-S", "-c", "pass"], alone
            ),
            "serve, bridge to a worker": partial(_served, bridged),
            "serve, in-process": partial(_served, alone),
        }
        samples = {name: Sample() for name in ways}
        for number in range(args.runs + 1):
            for name, way in ways.items():
                seconds = way()
                if number:  # the first turn warms the caches
                    samples[name].seconds.append(seconds)
    for name, sample in samples.items():
        report.add(
            "spawn to tools/list answered",
            {
                "what": name,
                "runs": len(sample),
                "median_ms": milliseconds(sample.median),
                "p99_ms": milliseconds(sample.percentile(99)),
                "times_bare": round(sample.median / samples[BARE].median, 2),
            },
        )


def _bare(command: Sequence[str], home: Home) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=home.environ, stdin=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _served(home: Home) -> float:
    """As `recollect wiring` prints the command; the end of the process is not in the time."""
    began = time.perf_counter()
    with subprocess.Popen(
        home.wired.serve,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=home.environ,
        cwd=home.folder,
    ) as process:
        _ask(process, INITIALIZE)
        _send(process, INITIALIZED)
        tools = _ask(process, LIST)["result"]["tools"]
        seconds = time.perf_counter() - began
        assert len(tools) == PUBLISHED
        process.communicate()
    return seconds


def _ask(process: subprocess.Popen[bytes], message: Mapping[str, object]) -> dict[str, Any]:
    _send(process, message)
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def _send(process: subprocess.Popen[bytes], message: Mapping[str, object]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each way")
    return run("serve", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
