"""The product's own ways to search: imported, embedded and asked as `import` and `find` do it.

All of them ask one store, which is made once for a corpus: what differs is the profile, and
whether there is an embedder.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from types import MappingProxyType

from benchmarks.home import Home, model_here, throwaway
from benchmarks.retrieval.corpus import Item, lines
from recollect import wiring
from recollect.model.question import Question
from recollect.search.profile import ABOUT_THE_QUESTION, DEFAULT, RankingProfile, Signal
from recollect.service import records, transfer
from recollect.service.embedding import embed_some

PAGE = 1_000
NOBODY = "unnamed"
"""The project of items that name none."""

MEANING_ONLY = replace(
    DEFAULT,
    name="vectors only",
    weights=MappingProxyType(
        {signal: float(signal is Signal.MEANING) for signal in ABOUT_THE_QUESTION}
    ),
    least_cosine=-1.0,
)
"""In the order of the cosines, whatever the words are."""


class NoModel(Exception):
    """There is nothing on this machine that makes vectors."""


@dataclass(frozen=True)
class Stored:
    """A store of one corpus, and what it took."""

    house: wiring.House
    wordy: wiring.House
    """The same store, without an embedder."""
    id_of: Mapping[int, str]
    """By memory, the item that it was."""
    imported: float
    """Seconds, and so below."""
    embedded: float


class Product:
    """One way to ask the store of a corpus."""

    def __init__(self, profile: RankingProfile, *, by_meaning: bool) -> None:
        self._profile, self._by_meaning = profile, by_meaning

    def index(self, items: Sequence[Item]) -> float:
        self._stored = stored(items)
        self._finder = (self._stored.house if self._by_meaning else self._stored.wordy).finder()
        return self._stored.imported + (self._stored.embedded if self._by_meaning else 0.0)

    def ask(self, question: str, scope: str | None, k: int) -> Sequence[str]:
        found = self._finder.find(Question(text=question, project=scope, limit=k), self._profile)
        if found.used_vectors is not self._by_meaning:
            raise NoModel(found.problem or "; ".join(self._stored.house.chosen().problems))
        return [self._stored.id_of[hit.memory.id] for hit in found.hits]


_last: tuple[Sequence[Item], Stored] | None = None
_open = contextlib.ExitStack()


def stored(items: Sequence[Item]) -> Stored:
    """The store of these items; the last one is kept, for the next way to ask it."""
    global _last  # noqa: PLW0603 - a minute of embedding, shared by the ways of one run
    if _last is None or _last[0] is not items:
        close()
        _last = (items, _open.enter_context(_made(items)))
    return _last[1]


@atexit.register
def close() -> None:
    """Nothing is kept any more."""
    global _last  # noqa: PLW0603 - as above
    _last = None
    _open.close()


@contextlib.contextmanager
def _made(items: Sequence[Item]) -> Iterator[Stored]:
    with throwaway(**model_here()) as home, contextlib.ExitStack() as closing:
        house = wiring.open_house(home.settings)
        closing.callback(house.close)
        began = time.perf_counter()
        id_of = _bring(house, items)
        without = Home(home.folder, {"RECOLLECT_EMBEDDER": "none"})
        wordy = wiring.open_house(without.settings)
        closing.callback(wordy.close)
        wordy.finder().find(Question(text="Is all of it ranked?", project=None), DEFAULT)
        imported = time.perf_counter() - began
        embedder = house.chosen().embedder
        while embedder is not None and not embed_some(house.store, embedder).is_done:
            pass
        embedded = time.perf_counter() - began - imported
        yield Stored(house, wordy, id_of, imported, embedded)


def _bring(house: wiring.House, items: Sequence[Item]) -> Mapping[int, str]:
    id_of: dict[int, str] = {}
    for start in range(0, len(items), PAGE):
        page = items[start : start + PAGE]
        some = [
            records.read(
                json.loads(line),
                project=NOBODY,
                now=house.clock(),
                rules=house.rules_for(item.project or NOBODY),
            )
            for item, line in zip(page, lines(page), strict=True)
        ]
        brought = transfer.bring(house.store, some, new_id=wiring.new_id)
        id_of |= {memory: item.id for item, (_, memory) in zip(page, brought.ids, strict=True)}
    return id_of


@contextlib.contextmanager
def _way(profile: RankingProfile, *, by_meaning: bool) -> Iterator[Product]:
    yield Product(profile, by_meaning=by_meaning)


def hybrid() -> AbstractContextManager[Product]:
    """What `recollect find` asks."""
    return _way(DEFAULT, by_meaning=True)


def words_only() -> AbstractContextManager[Product]:
    """The same without a model."""
    return _way(DEFAULT, by_meaning=False)


def vectors_only() -> AbstractContextManager[Product]:
    return _way(MEANING_ONLY, by_meaning=True)


WAYS: Mapping[str, Callable[[], AbstractContextManager[Product]]] = {
    "recollect": hybrid,
    "recollect words only": words_only,
    "recollect vectors only": vectors_only,
}
