"""What may be asked of an outpost: a place outside the store that holds copies of its vectors.

Texts never go there: a copy is a vector, and what is needed to choose among vectors. Whatever is
found there is looked up in the store, which alone knows what is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Kind
from recollect.search.halves import Floats, Ids

SORTS = ("observation", "summary", "prompt")
"""How published ids begin: `observation:7`."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A vector, and what it is looked for by."""

    memory_id: int
    kind: Kind
    project: str
    created_at: int
    vector: Floats


@dataclass(frozen=True, slots=True)
class Within:
    """What may be near: of these projects and these sorts; None is any."""

    projects: tuple[str, ...] | None = None
    sorts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Near:
    """What is near a vector, best first. `is_all`: the place has no more of them."""

    ids: Ids
    cosines: Floats
    is_all: bool


class Outpost(Protocol):
    """Every call may raise `OutpostUnavailable`; what searches ask does so soon, for they wait.

    Safe to use from several threads. Copies of different models never meet: each names its own.
    """

    @property
    def place(self) -> str:
        """Its address, for people and as the name of what was brought there."""

    def connect(self, *, is_hurried: bool) -> tuple[str, int | None]:
        """Who it is, and how many numbers its vectors have; None while it has none. Another name
        means that it was made anew and holds nothing of what was brought to the former one."""

    def put(self, model: str, copies: Sequence[Copy]) -> None:
        """Hold these, instead of others with the same ids."""

    def remove(self, ids: Sequence[int]) -> None:
        """Hold them no more, whatever sort they were of."""

    def nearest(self, model: str, query: Floats, within: Within, most: int) -> Near: ...

    def cosines(
        self, model: str, query: Floats, sorts: Mapping[int, str | None]
    ) -> tuple[Ids, Floats]:
        """Of these memories, as far as it has a copy; by id the sort, if it is known."""

    def held(self) -> Iterator[list[int]]:
        """The memories of all copies that were brought, whatever the model: page by page."""


def sort_of(kind: Kind) -> str:
    """What a memory is called there."""
    if kind is Kind.PROMPT:
        return "prompt"
    return "summary" if kind is Kind.SUMMARY else "observation"
