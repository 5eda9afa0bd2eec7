"""An answer as it was given: what was asked, what was found, and the numbers that said why.

It holds what was true then. The memories may have changed since; the answer has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.model.question import Dropped, Question

Components = Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory as it was told. `total` is the sum of the components that are not None."""

    id: int
    rank: int
    total: float
    components: Components
    terms: tuple[str, ...]
    kind: str
    type: str
    project: str
    session_id: str | None
    created_at: int
    title: str | None
    gist: str
    """The beginning of its text, on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    id: str
    """The query id: the same for the same question to the same store on the same day."""
    asked_at: int
    question: Question
    profile: str
    """How relevance became a number."""
    model: str | None
    """What made the vectors that took part; None when words alone did."""
    problem: str | None
    terms: tuple[str, ...]
    hits: tuple[Told, ...]
    dropped: tuple[Dropped, ...]
