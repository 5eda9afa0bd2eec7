"""A question about what is remembered, and what was found, with the numbers that say why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.model.memory import Kind, Memory


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
    """The same for the same question to the same store on the same day."""
    asked_at: int
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
    near: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The memories that were near by meaning, by where their vectors were: sqlite, chroma."""
