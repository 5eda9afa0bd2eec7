"""What the page asks for: parameters of a query, each read by its name or refused by it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from recollect.dialects.codexmem import filters
from recollect.dialects.codexmem.filters import BOOLEANS
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named
from recollect.privacy.clean import mended
from recollect.store.port.browsing import Place

DEFAULT_LIMIT = 50
MOST = 200
FIRST, LAST = -62_135_596_800_000, 253_402_300_799_999
"""What a calendar has: a page shows no moment outside of these."""
LONGEST = 1_000
"""Characters of a parameter; of a question more are read."""
_PLACE = re.compile(r"t(-?[0-9]{1,18})_([0-9]{1,18})")
_RANK = re.compile(r"r([0-9]{1,6})")
_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Asked(filters.Asked):
    """Numbers, times and choices as the operations routes read them: the page asks these too."""

    def text(self, name: str, *, most: int = LONGEST) -> str | None:
        value = mended((self.query.get(name) or [""])[-1]).strip()
        if len(value) > most:
            raise InvalidArgument(name, f"has {len(value)} characters; at most {most}")
        return value or None

    def limit(self) -> int:
        return self.within("limit", DEFAULT_LIMIT, 1, MOST)

    def moment(self, name: str, *, is_end: bool = False) -> int | None:
        at = filters.Asked.moment(self, name, is_end=is_end)
        if at is not None and not FIRST <= at <= LAST:
            raise InvalidArgument(name, "is outside of the years 1 to 9999")
        return at

    def flag(self, name: str) -> bool | None:
        return self.choice(name, BOOLEANS)

    def project(self) -> str | None:
        named = self.text("project")
        return None if named is None else project_named(named)

    def words(self, name: str) -> frozenset[str]:
        """Of a parameter that may come several times, or with commas between its words."""
        given = ",".join(self.query.get(name) or ())
        if len(given) > LONGEST:
            raise InvalidArgument(name, f"has {len(given)} characters; at most {LONGEST}")
        return frozenset(word for part in given.split(",") if (word := mended(part).strip()))

    def among(self, name: str, known: Collection[str]) -> frozenset[str]:
        words = self.words(name)
        if words - set(known):
            raise InvalidArgument(name, f"must be one or several of {', '.join(known)}")
        return words

    def place(self) -> Place | None:
        """Of a cursor that `cursor_of` has made of a place; another one is refused."""
        text = self.text("cursor")
        if text is None:
            return None
        read = _PLACE.fullmatch(text)
        if read is None:
            raise InvalidArgument("cursor", "is none of this list")
        return Place(int(read[1]), int(read[2]))

    def rank(self) -> int:
        """The same of a rank."""
        text = self.text("cursor")
        if text is None:
            return 0
        read = _RANK.fullmatch(text)
        if read is None:
            raise InvalidArgument("cursor", "is none of this list")
        return int(read[1])


def cursor_of(behind: Place | int | None) -> str | None:
    """Opaque to whoever gets it."""
    match behind:
        case Place(created_at=at, id=id_):
            return f"t{at}_{id_}"
        case int():
            return f"r{behind}"
        case None:
            return None


def id_in(path: Mapping[str, str], name: str = "id") -> int:
    """An id as a path has it; 0, which nothing has, for what is no number."""
    text = path.get(name, "")
    return int(text) if _ID.fullmatch(text) else 0
