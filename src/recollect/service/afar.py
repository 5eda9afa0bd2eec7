"""Nearness afar: the vectors of an outpost, alone or beside those of the store, for one search.

Each object answers one question and remembers what it was told, for a search asks for the same
memories several times. What is brought to an outpost is `service.outpost`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recollect.model.errors import OutpostUnavailable
from recollect.outpost.port import SORTS, Outpost, Within, sort_of
from recollect.search.catalogue import KINDS
from recollect.service.sources import (
    STORED,
    Booleans,
    Catalogue,
    Floats,
    Integers,
    Longs,
    Nearness,
)

CHROMA = "chroma"
"""What published traces call its vectors."""
LEAST = 20
"""Neighbours that are asked for at least."""
WIDEST = 2_000
"""And at most, when those that came first are not in scope."""
WIDER = 4
FEW = 200
"""Memories in scope that are all asked for: no neighbour is missed, and none comes in vain."""
MOST_PROJECTS = 16
"""Projects that a question to the outpost names; those of more are sorted out here."""


class OutpostNearness:
    """Answers `Nearness`; every call may raise `OutpostUnavailable`."""

    problem: str | None = None
    """What cannot answer raises."""

    def __init__(self, outpost: Outpost, model: str) -> None:
        self.model = model
        self._outpost = outpost
        self._dimension: int | None = None
        self._catalogue: Catalogue | None = None
        self._told: dict[int, float] = {}
        self._near = np.empty(0, np.int64)

    @property
    def dimension(self) -> int | None:
        return self._dimension

    def sync(self) -> None:
        """It follows the store by itself; here it is only seen that it is there."""
        _, self._dimension = self._outpost.connect(is_hurried=True)

    def count(self) -> int:
        return len(self._told)

    def brought(self) -> Mapping[str, Longs]:
        return {CHROMA: self._near}

    def nearest(
        self, query: Floats, catalogue: Catalogue, scope: Booleans | None, most: int
    ) -> tuple[Integers, Floats]:
        self._catalogue = catalogue
        open_ = catalogue.is_live if scope is None else catalogue.is_live & scope
        within = np.flatnonzero(open_).astype(np.int32)
        if len(within) <= FEW:
            cosines = self.cosines(query, catalogue.ids[within])
            places, cosines = within[~np.isnan(cosines)], cosines[~np.isnan(cosines)]
        else:
            places, cosines = self._among_many(query, catalogue, open_, most)
        order = np.lexsort((-catalogue.ids[places], -cosines))[:most]
        self._near = catalogue.ids[places[order]]
        return places[order], cosines[order]

    def cosines(self, query: Floats, ids: Longs) -> Floats:
        if any(id_ not in self._told for id_ in ids.tolist()):
            wanted = dict.fromkeys([*ids.tolist(), *self._asked_next(ids)])
            unknown = [id_ for id_ in wanted if id_ not in self._told]
            found, cosines = self._outpost.cosines(self.model, query, self._sorts(unknown))
            self._told |= dict.fromkeys(unknown, np.nan)
            self._told |= dict(zip(found.tolist(), cosines.tolist(), strict=True))
        return np.array([self._told[id_] for id_ in ids.tolist()], np.float32)

    def _among_many(
        self, query: Floats, catalogue: Catalogue, open_: Booleans, most: int
    ) -> tuple[Integers, Floats]:
        """What is not in scope takes the place of what is: then more are asked for."""
        within = Within(_projects(catalogue, open_), _sorts(catalogue, open_))
        asked = max(most, LEAST)
        while True:
            near = self._outpost.nearest(self.model, query, within, asked)
            places = catalogue.places(near.ids)
            kept = places >= 0
            kept[kept] = open_[places[kept]]
            if near.is_all or kept.sum() >= most or asked >= WIDEST:
                break
            asked = min(asked * WIDER, WIDEST)
        self._told |= dict(zip(near.ids[kept].tolist(), near.cosines[kept].tolist(), strict=True))
        return places[kept], near.cosines[kept]

    def _asked_next(self, ids: Longs) -> list[int]:
        """A search goes on with the neighbours before them: one question is enough for both."""
        if self._catalogue is None:
            return []
        places = self._catalogue.places(ids)
        before = self._catalogue.before[places[places >= 0]]
        neighbours: list[int] = self._catalogue.ids[before[before >= 0]].tolist()
        return neighbours

    def _sorts(self, ids: Sequence[int]) -> dict[int, str | None]:
        if self._catalogue is None:
            return dict.fromkeys(ids)
        places = self._catalogue.places(np.array(ids, np.int64)).tolist()
        kinds = self._catalogue.kind
        return {
            id_: None if place < 0 else sort_of(KINDS[int(kinds[place])])
            for id_, place in zip(ids, places, strict=True)
        }


class BothNearness:
    """Answers `Nearness` by those of the store and those of an outpost; where both know a cosine,
    that of the store is told. When the outpost does not answer, the store does alone."""

    def __init__(self, here: Nearness, afar: OutpostNearness) -> None:
        self.model = here.model
        self.problem: str | None = None
        self._here, self._afar = here, afar
        self._near: dict[str, Longs] = {}

    @property
    def dimension(self) -> int | None:
        return self._here.dimension if self._here.dimension is not None else self._afar.dimension

    def sync(self) -> None:
        self._here.sync()
        try:
            self._afar.sync()
        except OutpostUnavailable as error:
            self._miss(error)
            return
        known = (self._here.dimension, self._afar.dimension)
        if None not in known and known[0] != known[1]:
            self._miss(f"it holds vectors of {known[1]} numbers, the store has {known[0]}")

    def count(self) -> int:
        return self._here.count()

    def brought(self) -> Mapping[str, Longs]:
        return self._near

    def nearest(
        self, query: Floats, catalogue: Catalogue, scope: Booleans | None, most: int
    ) -> tuple[Integers, Floats]:
        places, cosines = self._here.nearest(query, catalogue, scope, most)
        self._near = {STORED: catalogue.ids[places]}
        if self.problem is not None:
            return places, cosines
        try:
            others, theirs = self._afar.nearest(query, catalogue, scope, most)
        except OutpostUnavailable as error:
            self._miss(error)
            return places, cosines
        self._near[CHROMA] = catalogue.ids[others]
        places = np.union1d(places, others).astype(np.int32)
        cosines = self._here.cosines(query, catalogue.ids[places])
        unknown = np.isnan(cosines)
        known = dict(zip(others.tolist(), theirs.tolist(), strict=True))
        cosines[unknown] = [known[place] for place in places[unknown].tolist()]
        order = np.lexsort((-catalogue.ids[places], -cosines))[:most]
        return places[order], cosines[order]

    def cosines(self, query: Floats, ids: Longs) -> Floats:
        cosines = self._here.cosines(query, ids)
        unknown = np.isnan(cosines)
        if unknown.any() and self.problem is None:
            try:
                cosines[unknown] = self._afar.cosines(query, ids[unknown])
            except OutpostUnavailable as error:
                self._miss(error)
        return cosines

    def _miss(self, problem: object) -> None:
        self.problem = f"searched without the vector server: {problem}"


def _projects(catalogue: Catalogue, open_: Booleans) -> tuple[str, ...] | None:
    """Those in scope; None when they are all there are, or too many to be named."""
    codes = np.unique(catalogue.project[open_])
    if len(codes) > MOST_PROJECTS or len(codes) == len(
        np.unique(catalogue.project[catalogue.is_live])
    ):
        return None
    return tuple(catalogue.text_of(code) for code in codes.tolist() if code >= 0)


def _sorts(catalogue: Catalogue, open_: Booleans) -> tuple[str, ...] | None:
    """Those in scope; None when they are all there are."""
    found = {sort_of(KINDS[code]) for code in np.unique(catalogue.kind[open_]).tolist()}
    return None if len(found) == len(SORTS) else tuple(sorted(found))
