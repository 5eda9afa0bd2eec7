"""How many texts a second become findable by meaning, through the product's own pipeline.

Looking for what is missing, reading it, the model, and the transaction that keeps the vectors; the
model alone stands beside it. Without a model on this machine a stand-in that only writes numbers is
timed: what is left is the pipeline.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.home import model_here, throwaway
from benchmarks.report import Report, run
from benchmarks.scale.texts import Text, texts
from recollect import wiring
from recollect.embed.port import Embedder
from recollect.model.memory import Draft, Kind, Origin
from recollect.search.meaning import LONGEST, TEXT
from recollect.service.embedding import BATCH, embed_some
from recollect.store.port.store import Store

COUNT = 2_000
LENGTHS = {"a line": 1, "a paragraph": 6, "as much as is read": 20}
"""Texts of the generator in one memory."""


class Numbers:
    """Any vectors of the right form, as quick as can be."""

    name = "numbers"
    dimension = 384

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        rows[np.arange(len(texts)), np.arange(len(texts)) % self.dimension] = 1
        return rows


def measure(report: Report, args: argparse.Namespace) -> None:
    for name, lines in LENGTHS.items():
        with throwaway(**model_here()) as home:
            house = wiring.open_house(home.settings)
            written = _fill(house.store, lines, args.count)
            chosen = house.chosen()
            models: list[Embedder] = [Numbers()]
            if chosen.embedder is not None:
                models.append(chosen.embedder)
            for embedder in models:
                alone = _alone(embedder, written)
                start = time.perf_counter()
                made = 0
                while not (step := embed_some(house.store, embedder, views=[TEXT])).is_done:
                    made += step.handled
                taken = time.perf_counter() - start
                report.add(
                    f"batches of {BATCH}",
                    {
                        "text": name,
                        "characters": round(sum(map(len, written)) / len(written)),
                        "model": embedder.name,
                        "memories": made,
                        "per_s": round(made / taken),
                        "model_alone_per_s": round(len(written) / alone),
                    },
                )
            house.close()
    if chosen.embedder is None:
        report.notes.append(f"no model here ({chosen.reason}): the pipeline alone was timed")


def _fill(store: Store, lines: int, count: int) -> list[str]:
    gathered: list[list[Text]] = []
    for number, each in enumerate(texts(1, count * lines, now=0)):
        if number % lines == 0:
            gathered.append([])
        gathered[-1].append(each)
    written = [". ".join(each.text for each in group) for group in gathered]
    with store.transaction():
        for number, text in enumerate(written):
            store.memories.add(
                Draft(
                    kind=Kind.NOTE,
                    type="marker",
                    text=text,
                    project="shop",
                    session_id=None,
                    created_at=number,
                    origin=Origin.IMPORT,
                    source_event="import",
                )
            )
    return [text[:LONGEST] for text in written]


def _alone(embedder: Embedder, written: Sequence[str]) -> float:
    embedder.embed(written[:BATCH])
    start = time.perf_counter()
    for first in range(0, len(written), BATCH):
        embedder.embed(written[first : first + BATCH])
    return time.perf_counter() - start


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="memories of each length")
    return run("embedding", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
