"""`record` end to end: from the spawn of the wired command to its end, its event on disk.

Beside it, in the same turns and the same environment, two bare starts of the same interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle, islice

from benchmarks import spawn
from benchmarks.home import Home, throwaway
from benchmarks.report import Cell, Report, run
from benchmarks.sampling import Sample, interleaved, milliseconds
from recollect.capture import spool

RUNS = 300
WARM = 5
GOAL = 2.0
BARE = "python3 -c pass"
BAREST = "python3 -I -S -c pass"
KEY = "5e" * 32

_HEAD = {
    "session_id": "0b1e6a52-1f5c-4e6f-9a51-3c1f3a4f2d77",
    "transcript_path": "/home/dev/.claude/projects/shop/0b1e6a52.jsonl",
    "cwd": "/home/dev/work/shop",
    "permission_mode": "default",
}
_LINES = (
    "tests/checkout/test_totals.py::test_discount_is_applied_before_tax PASSED",
    "tests/checkout/test_totals.py::test_rounding_follows_the_currency PASSED",
    "tests/auth/test_refresh.py::test_token_is_renewed_once FAILED",
    "E   assert response.status_code == 200, response.text",
    "src/shop/auth/refresh.py:88: AssertionError",
)
EVENTS: Mapping[str, Mapping[str, object]] = {
    "Bash, answer of 2 kB": {
        **_HEAD,
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "toolu_01Xb7cQ9vJ4kLm2NpRsTuVwX",
        "tool_input": {
            "command": "python -m pytest tests/checkout tests/auth -x -q 2>&1 | tail -40",
            "description": "Run the checkout and auth tests",
        },
        "tool_response": {
            "stdout": "\n".join(islice(cycle(_LINES), 32))[:2048],
            "stderr": "",
            "interrupted": False,
        },
    },
    "Edit of 20 lines": {
        **_HEAD,
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_use_id": "toolu_01Yb7cQ9vJ4kLm2NpRsTuVwX",
        "tool_input": {
            "file_path": "/home/dev/work/shop/src/shop/auth/refresh.py",
            "old_string": "\n".join(f"    step_{n} = plan[{n}]" for n in range(20)),
            "new_string": "\n".join(f"    step_{n} = plan.get({n})" for n in range(20)),
            "replace_all": False,
        },
        "tool_response": {"filePath": "/home/dev/work/shop/src/shop/auth/refresh.py"},
    },
    "prompt with trigger words": {
        **_HEAD,
        "hook_event_name": "UserPromptSubmit",
        "prompt": (
            "The login test fails since the token refresh changed. The password check in "
            "src/shop/auth/refresh.py compares the api key with the secret from the config, "
            "see commit 4f2a9c1d0b. Use password=hunter2horse for the local database and keep "
            "<private>my own notes</private> out of it."
        ),
    },
}


def measure(report: Report, args: argparse.Namespace) -> None:
    first = next(iter(EVENTS))
    with throwaway() as plain, throwaway(RECOLLECT_KEY=KEY) as sealed, throwaway() as scripted:
        actions = {
            BARE: partial(_succeed, [sys.executable, "-c", "pass"], plain),
            BAREST: partial(_succeed, [sys.executable, "-I", "-S", "-c", "pass"], plain),
            **{f"record: {name}": _recording(plain.wired.hook, plain, name) for name in EVENTS},
            f"record, sealed: {first}": _recording(sealed.wired.hook, sealed, first),
        }
        script = shutil.which("recollect", path=os.path.dirname(sys.executable))
        if script is not None:
            command = [script, "record"]
            actions[f"console script: {first}"] = _recording(command, scripted, first)
        samples = interleaved(actions, args.runs, warm=WARM)
        _check_kept(report, plain, len(EVENTS) * (args.runs + WARM))
        _check_kept(report, sealed, args.runs + WARM)
    for name, sample in samples.items():
        report.add("spawn to exit", _row(name, sample, samples))
    report.notes.append(
        "goal: at most 2 times `python3 -c pass` at the median, aim 1.5; every recorded event was "
        "in the spool afterwards; the console script is not what clients are given"
    )
    for name, sample in samples.items():
        if name.startswith("record") and sample.median > GOAL * samples[BARE].median:
            report.failures.append(f"{name} takes more than {GOAL} times {BARE}")


def _recording(command: Sequence[str], home: Home, event: str) -> partial[None]:
    return partial(_succeed, command, home, json.dumps(EVENTS[event]).encode() + b"\n")


def _succeed(command: Sequence[str], home: Home, stdin: bytes = b"") -> None:
    code = spawn.run(command, home.environ, stdin)
    if code != 0:
        raise SystemExit(f"exit {code} of {' '.join(command)}")


def _row(name: str, sample: Sample, samples: Mapping[str, Sample]) -> dict[str, Cell]:
    return {
        "what": name,
        "runs": len(sample),
        "median_ms": milliseconds(sample.median),
        "p99_ms": milliseconds(sample.percentile(99)),
        "times_bare": round(sample.median / samples[BARE].median, 2),
        "times_bare_I_S": round(sample.median / samples[BAREST].median, 2),
        "p99_times_bare_p99": round(sample.percentile(99) / samples[BARE].percentile(99), 2),
    }


def _check_kept(report: Report, home: Home, expected: int) -> None:
    """A fast hook that keeps nothing would be no hook."""
    kept = len(spool.waiting(home.settings.spool_dir))
    if kept != expected:
        report.failures.append(f"{expected} events were recorded and {kept} are in the spool")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each contestant")
    return run("record", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
