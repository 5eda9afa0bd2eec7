"""Coverage: how many memories can be found by meaning, and whether their vectors are sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.search.halves import BYTES_EACH, are_unit, unpacked, widened
from recollect.search.meaning import VIEWS
from recollect.store.port.store import Store
from recollect.store.port.vectors import Mark, Model

PAGE = 10_000
MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far one model has come with one view."""

    model: str
    view: str
    covered: int
    """Memories that have a vector, or whose text the model cannot read."""
    wanted: int
    """Memories that have a meaning."""

    @property
    def missing(self) -> int:
        return max(self.wanted - self.covered, 0)

    def __str__(self) -> str:
        share = "" if not self.missing else f" ({100 * self.covered // self.wanted} %)"
        return f"{self.covered:,} of {self.wanted:,}{share}"


@dataclass(frozen=True, slots=True)
class Findings:
    """`problems` are sentences for people; `unreadable` are memories found by words only."""

    problems: tuple[str, ...]
    unreadable: tuple[int, ...]


def of(store: Store, model: str, views: Sequence[str] = tuple(VIEWS)) -> list[Coverage]:
    """Of a model that has made nothing yet as well."""
    known = _model(store, model)
    return [
        Coverage(
            model,
            view,
            0 if known is None else store.vectors.count(known.id, view),
            store.vectors.wanted(view),
        )
        for view in views
    ]


def former(store: Store, model: str) -> list[Coverage]:
    """What other models still have; they go once this one is complete."""
    return [
        coverage
        for other in store.vectors.models()
        if other.name != model
        for coverage in of(store, other.name)
        if coverage.covered
    ]


def examine(store: Store, model: str, views: Sequence[str] = tuple(VIEWS)) -> Findings:
    """Reads every vector of the model."""
    known = _model(store, model)
    if known is None:
        return Findings((), ())
    problems, unreadable = [], dict[int, None]()
    for view in views:
        damaged = _damaged(store, known, view)
        if damaged:
            shown = ", ".join(f"#{id_}" for id_ in damaged[:MOST_SHOWN])
            problems.append(
                f"{len(damaged)} vectors are damaged ({view}: {shown}); "
                "doctor --rebuild makes them again"
            )
        forgotten = _forgotten(store, known, view)
        if forgotten:
            problems.append(
                f"{forgotten} memories have no vector of their {view} and wait for none; "
                "doctor --rebuild makes them"
            )
        unreadable |= dict.fromkeys(store.vectors.unreadable(known.id, view, MOST_SHOWN))
    return Findings(tuple(problems), tuple(unreadable))


def repair(store: Store, model: str, views: Sequence[str] = tuple(VIEWS)) -> int:
    """Let damaged vectors go, have every memory looked at again, unreadable ones among them; how
    many vectors went. What makes the vectors anew is `embedding`."""
    known = _model(store, model)
    if known is None:
        return 0
    gone = 0
    for view in views:
        damaged = _damaged(store, known, view)
        with store.transaction():
            while tried := store.vectors.unreadable(known.id, view, PAGE):
                store.vectors.drop(known.id, view, tried)
                gone += len(tried)
            store.vectors.drop(known.id, view, damaged)
            here = Mark(store.vectors.tail(model).change_seq, 0)
            store.vectors.move_mark(known.id, view, store.vectors.mark(known.id, view), here)
        gone += len(damaged)
    return gone


def _model(store: Store, name: str) -> Model | None:
    return next((model for model in store.vectors.models() if model.name == name), None)


def _forgotten(store: Store, model: Model, view: str) -> int:
    """Memories without a vector, although everything was looked at."""
    mark = store.vectors.mark(model.id, view)
    if mark is None or mark.backlog_id is not None:
        return 0
    if store.vectors.changes(model.id, view, mark.change_seq, 1):
        return 0
    return sum(len(page) for page in _missing(store, model, view))


def _missing(store: Store, model: Model, view: str) -> Iterator[Sequence[object]]:
    after = 0
    while page := store.vectors.missing(model.id, view, after, PAGE):
        yield page
        after = page[-1].id


def _damaged(store: Store, model: Model, view: str) -> list[int]:
    """Memories whose vector has not the right length, in bytes or as a vector."""
    damaged: list[int] = []
    length, seq = model.dimension * BYTES_EACH, 0
    while True:
        seqs, ids, blobs = store.vectors.since(model.id, view, seq, PAGE)
        if not seqs:
            return damaged
        seq = seqs[-1]
        whole = [place for place, blob in enumerate(blobs) if len(blob) == length]
        damaged += [
            id_ for id_, blob in zip(ids, blobs, strict=True) if len(blob) not in (0, length)
        ]
        if whole:
            rows = unpacked([blobs[place] for place in whole], model.dimension)
            sound = are_unit(widened(rows))
            damaged += [
                ids[place] for place, is_sound in zip(whole, sound, strict=True) if not is_sound
            ]
