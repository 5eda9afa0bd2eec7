"""A catalogue as small as a test needs it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from recollect.search.halves import Booleans, Ids


class Listed:
    def __init__(self, ids: Iterable[int]) -> None:
        self.ids: Ids = np.array(sorted(ids), dtype=np.int64)
        self.is_live: Booleans = np.ones(len(self.ids), dtype=np.bool_)

    def places(self, ids: Ids) -> npt.NDArray[np.int32]:
        at = np.searchsorted(self.ids, ids)
        known = at < len(self.ids)
        known[known] = self.ids[at[known]] == ids[known]
        return np.where(known, at, -1).astype(np.int32)

    def scope(self, ids: Iterable[int]) -> Booleans:
        return np.isin(self.ids, list(ids))
