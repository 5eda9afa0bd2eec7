"""How an event and a session read for people: what `llm` makes of them, by rules or by a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """What one tool use was: an observation as people read it.

    `type` is one of `discovery`, `change`, `execution`, `decision`, `bugfix`; an importer may
    bring others.
    """

    type: str
    title: str
    subtitle: str | None
    facts: tuple[str, ...]
    narrative: str
    concepts: tuple[str, ...]
    files_read: tuple[str, ...]
    files_modified: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """What a session, or a stretch of it, came to. What is not known is an empty text."""

    request: str
    investigated: str
    learned: str
    completed: str
    next_steps: str
    notes: str | None
    files_read: tuple[str, ...]
    files_edited: tuple[str, ...]
