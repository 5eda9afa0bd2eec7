"""Meanings: which model a search asks, while one model may be following another.

The rule: the model in use, unless another one at hand covers more memories. A search takes its
pair once and keeps it: what it embeds its question with is what made the vectors it looks among.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.embed.port import Embedder
from recollect.search.meaning import TEXT
from recollect.service.nearness import StoredNearness
from recollect.store.port.store import Store


@dataclass(frozen=True, slots=True)
class Meaning:
    """What embeds the question, and where it is looked for."""

    embedder: Embedder
    nearness: StoredNearness


class Meanings:
    """One nearness for each model and view, made when it is first asked for."""

    def __init__(
        self,
        store: Store,
        embedders: Sequence[Embedder],
        *,
        former: Callable[[frozenset[str]], Sequence[Embedder]] = lambda _: (),
    ) -> None:
        """The first is the one in use; the others are of models that it follows. `former` is asked
        for those that are stored besides, and only while the one in use is not complete."""
        self._store = store
        self._embedders = embedders
        self._former = former
        self._loaded: dict[frozenset[str], Sequence[Embedder]] = {}
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Meaning] = {}

    @property
    def in_use(self) -> Embedder | None:
        """What embeds what is stored now; None without any embedder."""
        return self._embedders[0] if self._embedders else None

    def of(self, view: str = TEXT) -> Meaning | None:
        """The pair for one search, not yet brought up to date; None without any embedder."""
        if not self._embedders:
            return None
        return self._meaning(self._chosen(view), view)

    def _chosen(self, view: str) -> Embedder:
        current = self._embedders[0]
        if self._is_complete(current, view):
            return current
        every = [*self._embedders, *self._stored_besides()]
        # max takes the first of equals: the one in use.
        return max(every, key=lambda embedder: self._covered(embedder, view))

    def _stored_besides(self) -> Sequence[Embedder]:
        names = frozenset(model.name for model in self._store.vectors.models())
        names -= {embedder.name for embedder in self._embedders}
        with self._lock:
            if names not in self._loaded:
                self._loaded[names] = self._former(names) if names else ()
            return self._loaded[names]

    def _meaning(self, embedder: Embedder, view: str) -> Meaning:
        with self._lock:
            place = (embedder.name, view)
            if place not in self._known:
                nearness = StoredNearness(self._store, embedder.name, view)
                self._known[place] = Meaning(embedder, nearness)
            return self._known[place]

    def _is_complete(self, embedder: Embedder, view: str) -> bool:
        """Whether every memory was embedded once; some that came since may still wait."""
        model = self._store.vectors.tail(embedder.name).model
        mark = None if model is None else self._store.vectors.mark(model[0], view)
        return mark is not None and mark.backlog_id is None

    def _covered(self, embedder: Embedder, view: str) -> int:
        model = self._store.vectors.tail(embedder.name).model
        return 0 if model is None else self._store.vectors.count(model[0], view)
