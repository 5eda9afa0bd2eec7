"""Sessions, the events that they consist of, and how far their transcripts were read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from recollect.model.session import Session
from recollect.search.grammar import Tree


class Sessions(Protocol):
    def find(self, session_id: str) -> Session | None: ...

    def begin(self, session: Session) -> None:
        """Add the session; nothing changes if it is there."""

    def numbered(self, number: int) -> Session | None: ...

    def numbers(self, session_ids: Collection[str]) -> dict[str, int]:
        """By session; of those that exist."""

    def open(self) -> int:
        """How many have not ended."""

    def turn(self, session_id: str, *, prompt_id: int | None, is_private: bool) -> None:
        """A new turn begins, and the session is active again; its prompts are one more."""

    def close(self, session_id: str, ended_at: int) -> None:
        """The session ended, unless it had ended already; its signature is taken anew."""

    def ids(self) -> list[str]: ...

    def newest_of(self, project: str) -> Session | None: ...

    def newest(self) -> Session | None: ...


class Events(Protocol):
    def add(
        self, *, key: str, session_id: str, project: str, kind: str, at: int, document: str
    ) -> int | None:
        """The new event's id, or None when an event with this key is there already."""

    def documents(self, event_ids: Sequence[int]) -> dict[int, str]:
        """What these events told; empty texts where nothing is kept of it."""

    def has(self, key: str) -> bool:
        """Whether an event with this key is there."""

    def blank(self, event_id: int) -> None:
        """Keep the event's key, and nothing of what it told."""

    def mentioning(self, words: Tree) -> list[int]:
        """The events whose documents hold the words; looks through all of them."""


class Cursors(Protocol):
    def position(self, session_id: str, path: str) -> int:
        """How many bytes of a transcript were read."""

    def move(self, session_id: str, path: str, position: int) -> None: ...
