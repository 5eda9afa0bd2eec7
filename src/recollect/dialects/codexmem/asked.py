"""What a search or a list asks for, read alike from a query string and from JSON.

In a query everything is text, so digits are a number there; in JSON they are text and are refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from recollect.dialect.spec import Request
from recollect.dialect.validate import LARGEST
from recollect.dialects.codexmem.filters import Asked as Query
from recollect.dialects.codexmem.filters import chosen
from recollect.dialects.codexmem.kinds import KINDS, NAMES, OBSERVATIONS, types_behind
from recollect.dialects.codexmem.moments import FIRST_MILLISECONDS, moment
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named
from recollect.service.lookup import Order
from recollect.store.port.listings import Listing

DEFAULT_LIMIT = 20
MOST = 100
LARGEST_OFFSET = 1_000_000
LONGEST_WORD = 1_000
"""Characters of a type, a concept or a path."""
DATED = {"date_desc": Order.NEWEST, "date_asc": Order.OLDEST}
ORDERS = {"relevance": Order.RELEVANCE, **DATED}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of one request, by name. What is null or blank is as good as absent."""

    values: Mapping[str, object]
    query: Query | None = None

    @classmethod
    def of(cls, request: Request) -> Asked:
        """A request's query."""
        return cls(dict(request.query), Query(request.query))

    def text(self, name: str) -> str | None:
        if self.query is not None:
            return self.query.text(name)
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise InvalidArgument(name, "must be a string")
        return value.strip() or None

    def integer(self, name: str) -> int | None:
        if self.query is not None:
            return self.query.integer(name)
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidArgument(name, "must be an integer")
        return max(-LARGEST, min(value, LARGEST))

    def within(self, name: str, default: int, lowest: int, highest: int) -> int:
        value = self.integer(name)
        return default if value is None else max(lowest, min(value, highest))

    def limit(self) -> int:
        return self.within("limit", DEFAULT_LIMIT, 1, MOST)

    def offset(self) -> int:
        return self.within("offset", 0, 0, LARGEST_OFFSET)

    def project(self) -> str | None:
        named = self.text("project")
        return None if named is None else project_named(named)

    def choice(self, name: str, choices: Mapping[str, T]) -> T | None:
        return chosen(name, self.text(name), choices)

    def words(self, name: str) -> list[str]:
        """One text or several, each of which may hold several with commas between them."""
        value = self.values.get(name)
        if value is None:
            return []
        texts: Sequence[object] = [value] if isinstance(value, str) else []
        if not isinstance(value, str) and isinstance(value, Sequence):
            texts = value
        elif not isinstance(value, str):
            raise InvalidArgument(name, "must be a string or an array of strings")
        words: list[str] = []
        for text in texts:
            if not isinstance(text, str):
                raise InvalidArgument(name, "must be a string or an array of strings")
            words += [word for part in text.split(",") if (word := part.strip()[:LONGEST_WORD])]
        return words

    def moment(self, name: str, *, is_end: bool = False) -> int | None:
        value = self.values.get(name)
        if self.query is None and isinstance(value, int | float) and not isinstance(value, bool):
            return _milliseconds(name, value)
        text = self.text(name)
        if text is None:
            return None
        return moment(name, text, is_end=is_end)


def shelves(asked: Asked) -> dict[str, Listing]:
    """What is looked through: all three sorts unless some are named. Who names a type of
    observation means observations; the other conditions are for all."""
    words = [word.lower() for name in ("type", "obs_type") for word in asked.words(name)]
    named = {NAMES[word] for word in words if word in NAMES}
    types = frozenset(word for word in words if word not in NAMES)
    meant = named or ({OBSERVATIONS} if types else set(KINDS))
    return {
        name: _listing(asked, name, types if name == OBSERVATIONS else frozenset())
        for name in KINDS
        if name in meant
    }


def observations(asked: Asked, ids: Sequence[int]) -> Listing:
    """Those of the ids that are meant."""
    types = frozenset(word.lower() for word in asked.words("type"))
    return _listing(asked, OBSERVATIONS, types - NAMES.keys(), tuple(ids))


def _listing(
    asked: Asked, name: str, types: frozenset[str], ids: tuple[int, ...] | None = None
) -> Listing:
    return Listing(
        kinds=KINDS[name],
        project=asked.project(),
        portrait_types=types,
        types=types_behind(types) if types else frozenset(),
        concepts=frozenset(word.lower() for word in asked.words("concepts")),
        files=frozenset(asked.words("files")),
        since=asked.moment("dateStart"),
        until=asked.moment("dateEnd", is_end=True),
        ids=ids,
    )


def _milliseconds(name: str, number: float) -> int:
    if not math.isfinite(number):
        raise InvalidArgument(name, "must be a number")
    at = number if abs(number) >= FIRST_MILLISECONDS else number * 1000
    return int(max(-LARGEST, min(at, LARGEST)))
