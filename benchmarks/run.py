"""Run benchmarks by name, all of them by default, each in a process of its own.

python -m benchmarks [NAME …] [--full] [--results FOLDER]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

BENCHMARKS = {
    "record": "benchmarks.latency.record",
    "hooks": "benchmarks.latency.hooks",
    "serve": "benchmarks.latency.serve",
    "backends": "benchmarks.latency.backends",
    "drain": "benchmarks.scale.drain",
    "search": "benchmarks.scale.search",
    "find": "benchmarks.scale.find",
    "facts": "benchmarks.scale.facts",
    "lex-recall": "benchmarks.scale.lex_recall",
    "reading": "benchmarks.scale.reading",
    "retrieval": "benchmarks.retrieval.run",
    "memento-calibration": "benchmarks.retrieval.memento.calibration",
    "nearest": "benchmarks.scale.nearest",
    "embedding": "benchmarks.scale.embedding",
    "transfer": "benchmarks.scale.transfer",
    "lex_modules": "benchmarks.scale.lex_modules",
    "code_atlas": "benchmarks.scale.code_atlas",
    "viewer": "benchmarks.viewer",
    "load": "benchmarks.scale.load",
    "soak": "benchmarks.scale.soak",
    "footprint": "benchmarks.scale.footprint",
    "kill": "benchmarks.durability.kill",
    "crowd": "benchmarks.durability.crowd",
    "opening": "benchmarks.durability.opening",
    "stall": "benchmarks.durability.stall",
    "worker_kill": "benchmarks.durability.worker_kill",
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks", description="Measure, into benchmarks/results/."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--full", action="store_true", help="the large sizes as well")
    parser.add_argument("--results", metavar="FOLDER", help="where the JSON files go")
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; choose from {', '.join(BENCHMARKS)}")
    options = ["--full"] * args.full + (["--results", args.results] if args.results else [])
    failed = [name for name in args.names or BENCHMARKS if not _succeeds(name, options)]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _succeeds(name: str, options: list[str]) -> bool:
    began = time.monotonic()
    print(f"== {name}", flush=True)
    # Through the interpreter that runs this, and the package as this process found it.
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-m", BENCHMARKS[name], *options], cwd=ROOT, env=environ, check=False
    )
    print(f"   {time.monotonic() - began:.0f} s\n", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
