"""A session: one conversation of a person with an agent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """`prompt_id` is the newest user prompt; `is_private_turn` holds until the next public one."""

    id: str
    project: str
    platform: str
    started_at: int
    ended_at: int | None = None
    prompt_id: int | None = None
    is_private_turn: bool = False
    number: int = 0
    """Given by the store; some dialects know sessions by it."""
    prompts: int = 0
    """How many there were so far, private ones among them."""
    signature: tuple[tuple[str, int], ...] | None = None
    """How often each type of observation occurred, most frequent first; None before it ended."""
