"""Where the finder's numbers come from: what words, vectors and a model must answer.

The rooms below answer by having these shapes; the wiring brings them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Booleans = NDArray[np.bool_]
Floats = NDArray[np.float32]
Integers = NDArray[np.int32]
Longs = NDArray[np.int64]

STORED = "sqlite"
"""What published traces call the vectors in the store."""


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
    def before(self) -> Integers:
        """The place of the neighbour before it in its session; -1 for none."""

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
    def lengths(self) -> Integers:
        """How many terms it has."""

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
    @property
    def own_at_best(self) -> float:
        """More than any memory can score with these terms alone: the sum of idf * (k1 + 1)."""

    @property
    def window_at_best(self) -> float: ...


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
    @property
    def dimension(self) -> int | None:
        """How many numbers each has; None when there are none."""

    def sync(self) -> None: ...
    def count(self) -> int: ...

    def nearest(
        self, query: Floats, catalogue: Catalogue, scope: Booleans | None, most: int
    ) -> tuple[Integers, Floats]:
        """Places and cosines of the nearest within scope."""

    def cosines(self, query: Floats, ids: Longs) -> Floats:
        """NaN where there is no vector."""

    @property
    def problem(self) -> str | None:
        """What the answers of this search lack, if some of those that were asked did not answer."""

    def brought(self) -> Mapping[str, Longs]:
        """Which memories the last `nearest` had from where, if it asked more than the store."""


class Embedder(Protocol):
    """What gives texts a meaning."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 for each text."""


class Meaning(Protocol):
    """What embeds a question, and where it is looked for: the vectors of the same model."""

    @property
    def embedder(self) -> Embedder: ...
    @property
    def nearness(self) -> Nearness: ...
