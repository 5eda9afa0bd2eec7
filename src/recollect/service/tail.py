"""The tail: memories that changed since the newest segment, with their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Changed:
    place: int
    seq: int
    counts: Mapping[str, int] | None
    """None: it was retired or removed."""


class Tail:
    def __init__(self) -> None:
        self._by_id: dict[int, _Changed] = {}
        self._by_term: dict[str, dict[int, int]] = {}
        self.log: list[int] = []
        """Places in the order in which they changed; one may be there several times."""

    def keep(self, id_: int, place: int, seq: int, counts: Mapping[str, int] | None) -> None:
        self._forget(id_)
        self._by_id[id_] = _Changed(place, seq, counts)
        for term, count in (counts or {}).items():
            self._by_term.setdefault(term, {})[place] = count
        self.log.append(place)

    def shorten(self, through: int) -> None:
        """Changes up to this one are in segments now."""
        for id_ in [id_ for id_, each in self._by_id.items() if each.seq <= through]:
            self._forget(id_)
            del self._by_id[id_]
        self.log = [each.place for each in self._by_id.values()]

    def ids(self) -> list[int]:
        return list(self._by_id)

    def places(self) -> Iterator[tuple[int, bool]]:
        """With whether the memory is alive."""
        return ((each.place, each.counts is not None) for each in self._by_id.values())

    def holding(self, term: str) -> Mapping[int, int]:
        """How often the term is at which places."""
        return self._by_term.get(term, {})

    def _forget(self, id_: int) -> None:
        former = self._by_id.get(id_)
        if former is None:
            return
        for term in former.counts or ():
            held = self._by_term[term]
            del held[former.place]
            if not held:
                del self._by_term[term]
