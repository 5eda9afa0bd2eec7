"""What of a memory is read for its meaning: the text of each view, cut to what a model reads.

A **view** is a way to look at a memory. `text` is what it says, for search; `matter` is a fact
without its subject, for telling whether two facts are about the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect.model.memory import CLAIMING, Kind, Origin
from recollect.search.relevance import matter_text

TEXT = "text"
MATTER = "matter"

LONGEST = 1_200
"""Characters. A model reads 256 pieces of words, which is about as much."""

MEANINGLESS = frozenset({Kind.THOUGHT, Kind.LIFECYCLE})
"""Never found, or nothing but a word of ours."""

_ROLES = {Origin.USER: "user", Origin.ASSISTANT: "assistant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a text is made of; `text` may be only its first `LONGEST` characters."""

    kind: Kind
    origin: Origin
    text: str
    speaker: str | None = None
    title: str | None = None
    file_path: str | None = None
    subject: str | None = None
    """Whom or what a fact is about."""
    category: str | None = None
    tags: tuple[str, ...] = ()
    portrait: str = ""
    """What its portrait or its recap tells."""


def text_of(parts: Parts) -> str:
    """Who says it, what it is called, what it says, which file it is about.

    A portrait tells all that the text does, and more; both would take room from each other.
    """
    said_by = parts.speaker or _ROLES.get(parts.origin)
    lead = f"{said_by}: " if said_by else ""
    lines = [parts.title, parts.portrait or parts.text, parts.file_path]
    return (lead + "\n".join(line for line in lines if line))[:LONGEST]


def matter_of(parts: Parts) -> str:
    """What it claims, without about whom."""
    matter = matter_text(parts.text, parts.subject or "", parts.category or "context", parts.tags)
    return matter[:LONGEST]


VIEWS: Mapping[str, Callable[[Parts], str]] = {TEXT: text_of, MATTER: matter_of}
"""How each view reads a memory."""

KINDS: Mapping[str, frozenset[Kind]] = {
    TEXT: frozenset(Kind) - MEANINGLESS,
    MATTER: CLAIMING,
}
"""Which memories a view looks at."""
