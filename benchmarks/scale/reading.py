"""CodexMem's routes over HTTP at 10,000 observations, beside plain SQL in the same run.

Ours is a worker's whole answer: sent, caught up, found, made into rows, received. The baselines
are the contract's statement in plain FTS5 and the rows of 50 ids as JSON, both without a server;
and the version's route, which is what HTTP alone costs. Without a model: `find` tells of vectors.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
from collections.abc import Callable, Sequence
from itertools import cycle
from urllib.parse import quote

from benchmarks.home import Home, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import Action, interleaved, milliseconds
from benchmarks.scale.plain import Plain
from benchmarks.scale.stored import add, batches
from benchmarks.scale.texts import BANDS, Text, queries
from benchmarks.workers import worker
from recollect import wiring
from recollect.model.memory import Kind, Memory
from recollect.model.portrait import Portrait
from recollect.store.port.portraits import BY_RULES
from recollect.store.port.store import Store
from recollect.worker.address import find_address

SIZE = 10_000
AT_ONCE = 50
"""Ids of a batch."""
SOUGHT = 50
ROUNDS = 300


class Client:
    """One connection that is kept."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=60)

    def get(self, path: str) -> bytes:
        return self._asked("GET", path, None)

    def batch(self, ids: Sequence[int]) -> bytes:
        return self._asked("POST", "/api/observations/batch", json.dumps({"ids": list(ids)}))

    def close(self) -> None:
        self._connection.close()

    def _asked(self, method: str, path: str, body: str | None) -> bytes:
        self._connection.request(method, path, body, {"Content-Type": "application/json"})
        answered = self._connection.getresponse()
        told = answered.read()
        if answered.status != 200:
            raise SystemExit(f"{method} {path}: {answered.status} {told[:200]!r}")
        return told


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        plain = Plain(str(home.folder / "plain.db"))
        held, observations = _fill(home, plain, args.size)
        with worker(home):
            address = find_address(home.settings.worker_file)
            assert address is not None, "it has said where it listens"
            client = Client(address)
            _searches(report, client, plain, held, args)
            _batches(report, client, plain, observations, args)
            client.close()
        plain.close()
    report.notes.append(
        "one client, words only; a search looks through observations, summaries and prompts, and "
        "leaves an answer in the ledger and a trace; the plain ways have no server before them"
    )


def _fill(home: Home, plain: Plain, size: int) -> tuple[list[Text], list[int]]:
    """Both stores; what queries are made of, and the ids that are observations."""
    house = wiring.open_house(home.settings)
    held: list[Text] = []
    observations: list[int] = []
    for batch in batches(1, size, now=house.clock()):
        memories = add(house.store, batch)
        plain.add(batch)
        held += batch
        observations += [each.id for each in memories if each.kind is Kind.OBSERVATION]
        _paint(house.store, memories)
    house.close()
    return held, observations


def _paint(store: Store, memories: Sequence[Memory]) -> None:
    with store.transaction():
        for memory in memories:
            if memory.kind is Kind.OBSERVATION:
                files = (memory.file_path,) if memory.file_path else ()
                portrait = Portrait(
                    type="discovery",
                    title=memory.text[:80],
                    subtitle=memory.file_path,
                    facts=(memory.text[:60],),
                    narrative=memory.text,
                    concepts=("how-it-works",),
                    files_read=files,
                    files_modified=(),
                )
                store.portraits.paint(memory.id, portrait, made_by=BY_RULES)


def _searches(
    report: Report, client: Client, plain: Plain, held: list[Text], args: argparse.Namespace
) -> None:
    for band in BANDS:
        sought = queries(held, 2, band, SOUGHT, seed="reading")
        taken = interleaved(
            {
                "text": _each(sought, lambda text: client.get(f"/api/search?query={quote(text)}")),
                "json": _each(
                    sought, lambda text: client.get(f"/api/search?format=json&query={quote(text)}")
                ),
                "plain": _each(sought, lambda text: plain.answer(text, None)),
                "http": lambda: client.get("/api/version"),
            },
            args.rounds,
        )
        row = {name: sample.percentile(95) for name, sample in taken.items()}
        report.add(
            "search, two words, limit 20",
            {
                "observations": args.size,
                "band": band,
                "runs": len(taken["text"]),
                "p50_ms": milliseconds(taken["text"].median),
                "p95_ms": milliseconds(row["text"]),
                "json_p95_ms": milliseconds(row["json"]),
                "plain_p50_ms": milliseconds(taken["plain"].median),
                "plain_p95_ms": milliseconds(row["plain"]),
                "http_p95_ms": milliseconds(row["http"]),
            },
        )


def _batches(
    report: Report,
    client: Client,
    plain: Plain,
    observations: Sequence[int],
    args: argparse.Namespace,
) -> None:
    dice = random.Random("reading")
    wanted = [dice.sample(observations, min(AT_ONCE, len(observations))) for _ in range(SOUGHT)]
    if len(json.loads(client.batch(wanted[0]))) != len(wanted[0]):
        report.failures.append("a batch does not have all observations that exist")
    taken = interleaved(
        {
            "ours": _each(wanted, client.batch),
            "plain": _each(wanted, plain.rows),
            "http": lambda: client.get("/api/version"),
        },
        args.rounds,
    )
    ours, theirs = taken["ours"], taken["plain"]
    report.add(
        f"a batch of {AT_ONCE} observations",
        {
            "observations": args.size,
            "runs": len(ours),
            "p50_ms": milliseconds(ours.median),
            "p95_ms": milliseconds(ours.percentile(95)),
            "plain_p50_ms": milliseconds(theirs.median),
            "plain_p95_ms": milliseconds(theirs.percentile(95)),
            "ratio_p95": round(ours.percentile(95) / theirs.percentile(95), 2),
            "http_p95_ms": milliseconds(taken["http"].percentile(95)),
        },
    )


def _each(asked: Sequence[object], way: Callable[..., object]) -> Action:
    """Each of them in its turn."""
    turn = cycle(asked)
    return lambda: way(next(turn))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="observations")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each way")
    return run("reading", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
