"""`recollect embed`: what has no vector yet gets one. The same for a moment, before a search."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from recollect import wiring
from recollect.cli.front import command, parser, settings_of
from recollect.model.errors import ModelNotFound
from recollect.search.meaning import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.wiring import House

MOMENT = 1.0
"""Seconds that a search on the command line may spend on what was not embedded yet."""
REPAINT = 0.2


@command
def embed(argv: list[str]) -> int:
    flags = parser(
        "embed",
        "Make what has no vector yet findable by meaning. Ctrl-C is safe: it goes on from there.",
    )
    flags.add_argument("--forget", metavar="MODEL", help="let all vectors of a model go instead")
    args = flags.parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    try:
        house.catch_up()
        if args.forget is not None:
            _forget(house, args.forget)
            return 0
        return _embed(house)
    finally:
        house.close()


def embed_for_a_moment(house: House, now: Callable[[], float] = time.monotonic) -> None:
    """Before a search, which goes on whatever happens here; how many have to wait is told."""
    from recollect.service import coverage, embedding  # numpy, which words alone do not need

    chosen = house.chosen()
    if chosen.embedder is None:
        for problem in chosen.problems:
            print(f"recollect: searched by words only: {problem}", file=sys.stderr)
        return
    embedder, end = chosen.embedder, now() + MOMENT
    try:
        is_done = embedding.embed_while(house.store, embedder, lambda: now() < end).is_done
    except Exception as error:  # noqa: BLE001 - whatever is wrong, words are searched all the same
        print(f"recollect: nothing was embedded: {error}", file=sys.stderr)
        is_done = False
    if not is_done:
        (waiting,) = coverage.of(house.store, embedder.name, [TEXT])
        print(
            f"recollect: {waiting.missing} memories are found by words only until they are "
            "embedded; a worker does that, and so does `recollect embed`",
            file=sys.stderr,
        )


def progress_of(house: House) -> list[str]:
    """Lines for `status` and `doctor`: the model in use, and how far it has come."""
    from recollect.service import coverage  # numpy, as above

    chosen = house.chosen()
    lines = [f"embedder — {chosen}", *(f"embedder problem — {each}" for each in chosen.problems)]
    if chosen.embedder is None:
        return lines + _vectors_of(house)
    name = chosen.embedder.name
    lines += [
        f"meaning — {name}, {each.view}: {each} memories embedded"
        for each in coverage.of(house.store, name)
    ]
    lines += [
        f"meaning — {each.model}, {each.view}: {each.covered:,} vectors, to be forgotten"
        for each in coverage.former(house.store, name)
    ]
    return lines + _vectors_of(house)


def _vectors_of(house: House) -> list[str]:
    """Which vectors searches ask."""
    if not house.afar.is_wanted or house.chosen().embedder is None:
        return [f"vectors — {house.settings.vectors_backend}"]
    index = house.afar.index()
    lines = [f"vectors — {index.backend}; {index.standing}"]
    if index.is_reachable is False:
        lines.append("vectors problem — the server does not answer; searches go on without it")
    return lines


def embed_all(house: House) -> tuple[int, int] | None:
    """Until nothing is missing, with a line that says how far; how many were embedded, and how
    many cannot be. None without a model."""
    from recollect.service import coverage, embedding  # numpy, as above

    embedder = house.chosen().embedder
    if embedder is None:
        return None
    missing = sum(each.missing for each in coverage.of(house.store, embedder.name))
    line = _Line(missing)
    embedded = unreadable = 0
    while not (step := embedding.embed_some(house.store, embedder)).is_done:
        embedded += step.embedded
        unreadable += step.unreadable
        line.show(embedded + unreadable)
    line.end()
    return embedded, unreadable


def _embed(house: House) -> int:
    came_to = embed_all(house)
    if came_to is None:
        chosen = house.chosen()
        print(f"no model: {chosen.reason}", file=sys.stderr)
        for problem in chosen.problems:
            print(f"problem — {problem}", file=sys.stderr)
        return 1
    embedded, unreadable = came_to
    print(f"embedded — {embedded:,}" + (f", {unreadable} cannot be" if unreadable else ""))
    for line in progress_of(house):
        print(line)
    return 0


def _forget(house: House, name: str) -> None:
    known = {model.name: model for model in house.store.vectors.models()}
    if name not in known:
        raise ModelNotFound(f"no vectors of {name}; there are: {', '.join(known) or 'none'}")
    gone, step = 0, 2_000
    while True:
        with house.store.transaction():
            here = house.store.vectors.forget(known[name].id, step)
        gone += here
        if here < step:
            break
    print(f"forgotten — {gone:,} vectors of {name}")


class _Line:
    """How far it has come, rewritten in place; nothing when nobody looks."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._began = self._shown = time.monotonic()
        self._is_seen = sys.stderr.isatty()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if not self._is_seen or now - self._shown < REPAINT:
            return
        self._shown = now
        pace = done / (now - self._began)
        total = max(self._total, done)
        left = (total - done) / pace if pace else 0
        text = f"embedded {done:,} of {total:,}, {pace:.0f} a second, about {left:.0f} s left"
        print(f"\r{text:<76}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._is_seen:
            print(f"\r{'':<76}\r", end="", file=sys.stderr, flush=True)
