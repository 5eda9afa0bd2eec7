"""Find: a question in, the memories that answer it best out, with the numbers that say why.

The arithmetic is `search.fuse` and `search.explain`; here is where the numbers come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.model.memory import Kind, Memory
from recollect.search.profile import RankingProfile

Booleans = NDArray[np.bool_]
Floats = NDArray[np.float32]
Integers = NDArray[np.int32]
Longs = NDArray[np.int64]


class Catalogue(Protocol):
    """What is known of every searchable memory without reading it, a place for each, by id.

    It does not change under its reader: what comes later stands in the next one.
    """

    @property
    def ids(self) -> Longs:
        """Ascending."""

    @property
    def created_at(self) -> Longs: ...
    @property
    def project(self) -> Integers:
        """Codes of one dictionary of names, as in the next ones; -1 is none."""

    @property
    def session(self) -> Integers: ...
    @property
    def speaker(self) -> Integers: ...
    @property
    def type(self) -> Integers: ...
    @property
    def kind(self) -> NDArray[np.int8]:
        """The place of the kind in `tuple(Kind)`."""

    @property
    def has_time(self) -> Booleans:
        """The text says when or how long."""

    @property
    def is_live(self) -> Booleans:
        """Neither retired nor removed."""

    def places(self, ids: Longs) -> Integers:
        """-1 where there is no such memory."""

    def code(self, text: str) -> int | None: ...
    def text_of(self, code: int) -> str: ...


class WordScores(Protocol):
    """How well words match at some places: BM25 of the memory, and of it with its neighbours."""

    @property
    def places(self) -> Integers: ...
    @property
    def own(self) -> Floats: ...
    @property
    def window(self) -> Floats: ...


class Lexicon(Protocol):
    def sync(self) -> None:
        """Take up what changed in the store; cheap when nothing did."""

    @property
    def catalogue(self) -> Catalogue: ...

    def scores(self, terms: Sequence[str], scope: Booleans | None, most: int) -> WordScores:
        """The `most` best by their own words and the `most` best by their windows, within scope."""

    def at(self, terms: Sequence[str], places: Integers) -> WordScores:
        """The same scores at given places, in their order; 0 where nothing matches."""


class Nearness(Protocol):
    """The vectors of one model."""

    @property
    def model(self) -> str | None: ...
    def sync(self) -> None: ...
    def count(self) -> int: ...

    def nearest(
        self, query: Floats, catalogue: Catalogue, scope: Booleans | None, most: int
    ) -> tuple[Integers, Floats]:
        """Places and cosines of the nearest within scope."""

    def cosines(self, query: Floats, ids: Longs) -> Floats:
        """NaN where there is no vector."""


class Embedder(Protocol):
    """What gives texts a meaning."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 for each text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, and where the answer is looked for: all conditions together, None is any."""

    text: str
    project: str | None
    """A path stands for its last component."""
    kinds: frozenset[Kind] | None = None
    types: frozenset[str] | None = None
    session_id: str | None = None
    since: int | None = None
    """Created at this time or after."""
    until: int | None = None
    """Created at this time or before."""
    limit: int = 10
    ids: tuple[int, ...] = ()
    """Only these compete, if any are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """`total` is exactly the sum of the components that are not None, as they are published."""

    memory: Memory
    rank: int
    """From 1."""
    total: float
    components: Mapping[str, float | None]
    terms: tuple[str, ...]
    """The question's words that are in the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A candidate that is not among the hits."""

    id: int
    total: float
    components: Mapping[str, float | None]
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    query_id: str
    hits: tuple[Hit, ...]
    terms: tuple[str, ...]
    """The question's words that were looked for."""
    used_vectors: bool
    model: str | None
    """What made the vectors that took part."""
    problem: str | None
    """Why vectors did not take part although they should have."""
    dropped: tuple[Dropped, ...]
    """Best first, and no more than a reader can use."""


class Finding(Protocol):
    """What a dialect may ask of the finder; safe to use from several threads."""

    def find(self, question: Question, profile: RankingProfile) -> Found: ...

    def by_id(
        self, ids: Sequence[int], profile: RankingProfile
    ) -> dict[int, Mapping[str, float | None]]:
        """The components that depend on no question, the others None; unknown ids are left out."""
