"""The catalogue: what ranking must know of every searchable memory, as columns.

Each memory has a place, ascending by id. A catalogue does not change under its reader; `roll` is
what grows, and gives a new one when asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.model.memory import Kind

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int32]
Longs = NDArray[np.int64]

NONE = -1
KINDS = tuple(Kind)


class Names:
    """One dictionary for the names of projects, sessions, speakers and types; only ever grows."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._codes: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def code(self, text: str) -> int | None:
        return self._codes.get(text)

    def text_of(self, code: int) -> str:
        return self._texts[code]

    def keep(self, text: str | None) -> int:
        """The code of a name, which gets one if it has none."""
        if text is None:
            return NONE
        code = self._codes.get(text)
        if code is None:
            code = len(self._texts)
            self._texts.append(text)
            self._codes[text] = code
        return code


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Some memories, ascending by id."""

    ids: Longs
    created_at: Longs
    project: Integers
    session: Integers
    """-1: none; so with speakers."""
    speaker: Integers
    type: Integers
    kind: NDArray[np.int8]
    """The place of the kind in `KINDS`."""
    has_time: Booleans
    lengths: Integers
    """How many terms."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Of all that is live: what averages are made of."""

    count: int = 0
    length: int = 0
    window_length: int = 0
    """Lengths of all windows; a window is a memory with its neighbours."""
    links: int = 0
    """Pairs of neighbours."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue(Columns):
    before: Integers
    """The place of the live memory before this one in its session; -1: none."""
    after: Integers
    is_live: Booleans
    """Neither retired nor removed."""
    totals: Totals
    names: Names

    def __len__(self) -> int:
        return len(self.ids)

    def places(self, ids: Longs) -> Integers:
        """-1 where there is no such memory."""
        return places_in(self.ids, ids)

    def code(self, text: str) -> int | None:
        return self.names.code(text)

    def text_of(self, code: int) -> str:
        return self.names.text_of(code)


def places_in(known: Longs, ids: Longs) -> Integers:
    """Where the ids are in an ascending list; -1 where they are not."""
    found = np.searchsorted(known, ids).astype(np.int32)
    if len(known):
        found[found == len(known)] = len(known) - 1
        found[known[found] != ids] = NONE
    else:
        found[:] = NONE
    return found


def of_kinds(kinds: Iterable[Kind]) -> Sequence[int]:
    """Kinds as the column has them."""
    return [KINDS.index(kind) for kind in kinds]
