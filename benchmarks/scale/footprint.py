"""How much memory the worker takes, with and without a model, over a store of 5,000 memories.

Resident, as the system tells it: at rest, after searches over HTTP, after searches through the
wired server, and at most. The first start of a store makes its index for ranking; later ones read
it. With a model the worker makes all vectors itself first; then it has all that it ever holds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from benchmarks.clients import Line
from benchmarks.home import Home, model_here, throwaway
from benchmarks.latency.serve import INITIALIZE, INITIALIZED
from benchmarks.report import Report, run
from benchmarks.scale.questions import questions
from benchmarks.scale.stored import add, batches
from benchmarks.scale.texts import Text
from benchmarks.workers import worker
from recollect import wiring
from recollect.search.meaning import TEXT
from recollect.store.port.store import Store

MEMORIES = 5_000
SEARCHES = 50
GOAL_MB = {"words only": 80.0, "with the model": 300.0}
PATIENCE = 600.0


def measure(report: Report, args: argparse.Namespace) -> None:
    kinds = {"words only": {"RECOLLECT_EMBEDDER": "none"}}
    if model_here():
        kinds["with the model"] = model_here()
    for kind, extra in kinds.items():
        with throwaway(**extra) as home:
            house = wiring.open_house(home.settings)
            texts = [each for batch in batches(1, args.memories, now=0) for each in batch]
            for first in range(0, len(texts), 1_000):
                add(house.store, texts[first : first + 1_000])
            for start in ("first", "later"):
                with worker(home) as process:
                    if kind != "words only":
                        _wait_for_vectors(house.store, len(texts))
                    at_rest = _megabytes(process.pid, "VmRSS")
                    _search_over_http(home, texts)
                    over_http = _megabytes(process.pid, "VmRSS")
                    _search(home, texts)
                    searched = _megabytes(process.pid, "VmRSS")
                    report.add(
                        "the worker",
                        {
                            "worker": kind,
                            "start": start,
                            "memories": len(texts),
                            "at_rest_MB": at_rest,
                            "after_http_searches_MB": over_http,
                            "after_mcp_searches_MB": searched,
                            "at_most_MB": _megabytes(process.pid, "VmHWM"),
                        },
                    )
                for way, taken in (("over HTTP", over_http), ("over HTTP and MCP", searched)):
                    if taken > GOAL_MB[kind]:
                        goal = f"{taken} MB of {GOAL_MB[kind]:.0f}"
                        report.notes.append(
                            f"goal missed: {kind}, {start} start, searched {way}, {goal}"
                        )
            house.close()
    report.notes.append(
        "goals: "
        + ", ".join(f"{kind} {most:.0f} MB" for kind, most in GOAL_MB.items())
        + f"; {SEARCHES} searches at /api/search, then as many by nmem's `search` over a bridge"
    )


def _wait_for_vectors(store: Store, wanted: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        models = store.vectors.models()
        if models and store.vectors.count(models[0].id, TEXT) >= wanted:
            return
        if time.monotonic() > deadline:
            raise SystemExit(f"not all of {wanted} memories were embedded in {PATIENCE:.0f} s")
        time.sleep(0.5)


def _search_over_http(home: Home, texts: Sequence[Text]) -> None:
    line = Line(home)
    for question in questions(texts, SEARCHES, seed="worker"):
        line.ask("GET", f"/api/search?{urlencode({'query': question, 'format': 'json'})}")
    line.close()


def _search(home: Home, texts: Sequence[Text]) -> None:
    with _bridge(home) as ask:
        for number, question in enumerate(questions(texts, SEARCHES, seed="worker")):
            anything = " OR ".join(question.split())
            arguments = {"query": anything, "project": None}
            ask(
                {
                    "jsonrpc": "2.0",
                    "id": number + 2,
                    "method": "tools/call",
                    "params": {"name": "search", "arguments": arguments},
                }
            )


@contextmanager
def _bridge(home: Home) -> Iterator[Any]:
    with subprocess.Popen(
        home.wired.serve,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=home.environ,
        cwd=home.folder,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        into, out = process.stdin, process.stdout

        def send(message: Mapping[str, object]) -> None:
            into.write(json.dumps(message).encode() + b"\n")
            into.flush()

        def ask(message: Mapping[str, object]) -> None:
            send(message)
            answer = json.loads(out.readline())
            assert "result" in answer, answer
            assert not answer["result"].get("isError"), answer

        ask(INITIALIZE)
        send(INITIALIZED)
        yield ask
        process.stdin.close()
        process.wait()


def _megabytes(pid: int, name: str) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        line = next(line for line in file if line.startswith(f"{name}:"))
    return round(int(line.split()[1]) * 1024 / 1e6, 1)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    return run("footprint", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
