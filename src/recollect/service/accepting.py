"""Accepting: what can be told while it happens, and what comes of it; for those who only ask.

`intake` does it. It knows the hooks' rooms, which a dialect must not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from recollect.model.session import Session


class Outcome(StrEnum):
    QUEUED = "queued"
    DEDUPED = "deduped"
    PRIVATE = "private"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a prompt stands: its session's number, and how many prompts it is in the session."""

    session_number: int
    prompt_number: int
    is_private: bool


@dataclass(frozen=True, slots=True)
class Tidied:
    """Claims of a session that were given back, and its jobs that are still open."""

    given_back: int
    open: int


class Accepting(Protocol):
    """Who answers has it on disk. `identity` is the host's own id of what it tells of, if it has
    one: then it is one event, through whichever door it comes."""

    def begin_turn(
        self, *, session_id: str, project: str, prompt: str, platform: str, identity: str | None
    ) -> Turn:
        """The user said something. A session that had ended goes on."""

    def tool_use(
        self,
        *,
        session_id: str,
        tool: str,
        input_: object,
        response: object,
        cwd: str,
        platform: str,
        identity: str | None,
        is_failed: bool = False,
        marks: Mapping[str, object] | None = None,
    ) -> Outcome:
        """The agent used a tool. `marks` are fingerprints of what a hook has left out."""

    def turn_end(
        self,
        *,
        session_id: str,
        text: str,
        cwd: str,
        platform: str,
        project: str | None = None,
        identity: str | None = None,
    ) -> Outcome:
        """The agent stopped, and this is what it said last."""

    def active(self, session_id: str) -> Session | None:
        """The session, if it is there and has not ended."""

    def complete(self, session_id: str) -> Session | None:
        """End an active session; None when there is none."""
