"""Embedding: every memory that has a meaning gets a vector of the model in use.

What has no vector of this model is missing, so embedding can be cut off anywhere and goes on where
it stopped. New memories come before the backlog: while a year of memories is read anew for another
model, what is kept today is found by its meaning at once. Nothing is locked while a model thinks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.embed.port import Embedder
from recollect.model.errors import RecollectError, VectorMisfit
from recollect.search.halves import Floats, are_unit, packed
from recollect.search.meaning import VIEWS
from recollect.store.port.store import Store
from recollect.store.port.vectors import Change, Made, Mark, Unread

log = logging.getLogger(__name__)

BATCH = 64
"""Texts that a model reads at once."""
SMALL_BATCH = 16
"""When somebody waits for the end of it."""
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
    store: Store,
    embedder: Embedder,
    limit: int = BATCH,
    *,
    views: Sequence[str] = tuple(VIEWS),
    is_last: bool = True,
) -> Progress:
    """Embed at most so many memories, of the first view where some are missing.

    Looking for them and writing are short; another process may do the same at the same time.
    When nothing is missing and this model is the last one, former models are forgotten step by
    step; a process that may have been given another embedder than the rest leaves that alone.
    """
    model_id = _model_id(store, embedder)
    for view in views:
        while (task := _next(store, embedder.name, model_id, view, limit)) is not None:
            made = _made(embedder, view, task.unread)
            with store.transaction():
                store.vectors.put(model_id, view, made)
                store.vectors.move_mark(model_id, view, task.mark, task.next)
            if made:
                unreadable = sum(each.vector == UNREADABLE for each in made)
                return Progress(len(made) - unreadable, unreadable)
    return Progress(is_done=not (is_last and _forget_others(store, model_id)))


def embed_while(store: Store, embedder: Embedder, has_time: Callable[[], bool]) -> Progress:
    """Step by step, as long as there is time and something is missing.

    The first text alone: a model that does not answer is then noticed soon.
    """
    total = Progress()
    while has_time() and not total.is_done:
        limit = SMALL_BATCH if total.handled else 1
        step = embed_some(store, embedder, limit, is_last=False)
        total = Progress(
            total.embedded + step.embedded, total.unreadable + step.unreadable, step.is_done
        )
    return total


def embed_these(store: Store, embedder: Embedder, ids: Sequence[int]) -> int:
    """Embed these memories now, in every view; how many vectors were made.

    For what somebody has just stored and asks for next. The marks stay where they are: whoever
    comes to these memories in their turn finds that they have their vectors.
    """
    model_id = _model_id(store, embedder)
    made = {
        view: _made(embedder, view, store.vectors.unread(model_id, view, ids)) for view in VIEWS
    }
    if not any(made.values()):
        return 0
    # What a power cut takes is missing, and made again: nobody need wait for the disk.
    with store.transaction(is_lasting=False):
        return sum(store.vectors.put(model_id, view, each) for view, each in made.items())


def _model_id(store: Store, embedder: Embedder) -> int:
    tail = store.vectors.tail(embedder.name)
    if tail.model is not None and tail.model[1] == embedder.dimension:
        return tail.model[0]
    with store.transaction():
        return store.vectors.model_id(embedder.name, embedder.dimension)


def _next(store: Store, model: str, model_id: int, view: str, limit: int) -> _Task | None:
    """The next memories: what changed first, then the backlog. None when nothing is missing."""
    tail = store.vectors.tail(model)
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
    reached, unread, page = mark.change_seq, list[Unread](), list[Change]()
    while not unread:
        page = store.vectors.changes(model_id, view, reached, PAGE)
        if not page:
            break
        reached = page[-1].seq
        without = dict.fromkeys(change.memory_id for change in page if not change.has_vector)
        unread = store.vectors.unread(model_id, view, list(without))
    if reached == mark.change_seq:
        return None
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
