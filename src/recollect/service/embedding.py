"""Embedding: every memory that has a meaning gets a vector of the model in use.

What has no vector of this model is missing, so embedding can be cut off anywhere and goes on where
it stopped. New memories come before the backlog: while a year of memories is read anew for another
model, what is kept today is found by its meaning at once. Nothing is locked while a model thinks.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recollect.embed.port import Embedder
from recollect.model.errors import RecollectError, VectorMisfit
from recollect.search.halves import Floats, are_unit, packed
from recollect.search.meaning import VIEWS
from recollect.store.port.store import Store
from recollect.store.port.vectors import Made, Mark, Tail, Unread

log = logging.getLogger(__name__)

BATCH = 64
"""Texts that a model reads at once."""
PAGE = 1_000
"""Changes that are looked through at once."""
FORGOTTEN = 2_000
"""Vectors of a former model that go in one transaction."""
PROBE = "a memory"
"""A text that every model can read."""
UNREADABLE = b""
"""The vector of a text that the model fails on: it is not tried again with this model."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step came to."""

    embedded: int = 0
    unreadable: int = 0
    is_done: bool = False
    """Nothing is missing, and no other model is left."""

    @property
    def handled(self) -> int:
        return self.embedded + self.unreadable


@dataclass(frozen=True, slots=True)
class _Task:
    """Memories to be embedded, and where the mark stands once they are."""

    mark: Mark | None
    next: Mark
    unread: Sequence[Unread]


def embed_some(
    store: Store, embedder: Embedder, limit: int = BATCH, *, views: Sequence[str] = tuple(VIEWS)
) -> Progress:
    """Embed at most so many memories, of the first view where some are missing.

    Looking for them and writing are short; another process may do the same at the same time.
    """
    model_id = _model_id(store, embedder)
    for view in views:
        task = _next(store, model_id, view, limit, store.vectors.tail(embedder.name))
        if task is None:
            continue
        made = _made(embedder, view, task.unread)
        with store.transaction():
            store.vectors.put(model_id, view, made)
            store.vectors.move_mark(model_id, view, task.mark, task.next)
        unreadable = sum(each.vector == UNREADABLE for each in made)
        return Progress(len(made) - unreadable, unreadable)
    return Progress(is_done=not _forget_others(store, model_id))


def is_complete(store: Store, model_id: int, views: Sequence[str] = tuple(VIEWS)) -> bool:
    """Whether every memory was embedded once; some that came since may still wait."""
    marks = (store.vectors.mark(model_id, view) for view in views)
    return all(mark is not None and mark.backlog_id is None for mark in marks)


def _model_id(store: Store, embedder: Embedder) -> int:
    tail = store.vectors.tail(embedder.name)
    if tail.model is not None and tail.model[1] == embedder.dimension:
        return tail.model[0]
    with store.transaction():
        return store.vectors.model_id(embedder.name, embedder.dimension)


def _next(store: Store, model_id: int, view: str, limit: int, tail: Tail) -> _Task | None:
    """The next memories: what changed first, then the backlog. None when nothing is missing."""
    mark = store.vectors.mark(model_id, view)
    if mark is None or tail.oldest_change > mark.change_seq + 1:
        # Nothing was looked at yet, or what changed since is not told any more.
        start = Mark(tail.change_seq, 0)
        return _backlog(store, model_id, view, limit, mark, start)
    changed = _changed(store, model_id, view, limit, mark)
    if changed is not None:
        return changed
    if mark.backlog_id is None:
        return None
    return _backlog(store, model_id, view, limit, mark, mark)


def _changed(store: Store, model_id: int, view: str, limit: int, mark: Mark) -> _Task | None:
    page = store.vectors.changes(model_id, view, mark.change_seq, PAGE)
    if not page:
        return None
    without = dict.fromkeys(change.memory_id for change in page if not change.has_vector)
    unread = store.vectors.unread(model_id, view, list(without))
    reached = page[-1].seq
    if len(unread) > limit:
        # As far as the first one that has to wait for the next step.
        waiting = {each.id for each in unread[limit:]}
        unread = unread[:limit]
        reached = next(change.seq for change in page if change.memory_id in waiting) - 1
        reached = max(reached, mark.change_seq)
    return _Task(mark, Mark(reached, mark.backlog_id), unread)


def _backlog(
    store: Store, model_id: int, view: str, limit: int, mark: Mark | None, from_: Mark
) -> _Task:
    unread = store.vectors.missing(model_id, view, from_.backlog_id or 0, limit)
    reached = unread[-1].id if len(unread) == limit else None
    return _Task(mark, Mark(from_.change_seq, reached), unread)


def _made(embedder: Embedder, view: str, unread: Sequence[Unread]) -> list[Made]:
    texts = [VIEWS[view](each.parts) for each in unread]
    vectors = _vectors(embedder, texts)
    return [
        Made(each.id, each.version, vector) for each, vector in zip(unread, vectors, strict=True)
    ]


def _vectors(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """A vector for each text. One that the model fails on is found by halving.

    A problem that the embedder names (`RecollectError`) is none of the text's and goes on.
    """
    if not texts:
        return []
    try:
        rows = embedder.embed(texts)
    except RecollectError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever one text does must not stop the others
        if len(texts) > 1:
            half = len(texts) // 2
            return _vectors(embedder, texts[:half]) + _vectors(embedder, texts[half:])
        embedder.embed([PROBE])  # if this fails too, it is the model and not the text
        log.warning("a text cannot be embedded: %s", type(error).__name__)
        return [UNREADABLE]
    return _checked(embedder, texts, rows)


def _checked(embedder: Embedder, texts: Sequence[str], rows: Floats) -> list[bytes]:
    if rows.shape != (len(texts), embedder.dimension):
        raise VectorMisfit(
            f"{embedder.name} made {rows.shape} numbers, "
            f"not {len(texts)} vectors of {embedder.dimension}",
            model=embedder.name,
        )
    sound = are_unit(np.asarray(rows, dtype=np.float32))
    return [
        vector if is_sound else UNREADABLE
        for vector, is_sound in zip(packed(rows), sound, strict=True)
    ]


def _forget_others(store: Store, model_id: int) -> bool:
    """Some vectors of former models, once this one has all; whether there were any."""
    others = [model for model in store.vectors.models() if model.id != model_id]
    for model in others[:1]:
        with store.transaction():
            store.vectors.forget(model.id, FORGOTTEN)
    return bool(others)
