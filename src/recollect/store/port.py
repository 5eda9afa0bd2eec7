"""What the verbs may ask of a store, by topic. Each engine answers it with its own statements.

Reads may happen anywhere. Writes happen inside `with store.transaction()`, all or nothing;
the words of a memory are written in the same transaction as the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Draft, Memory
from recollect.model.session import Session
from recollect.search.grammar import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories are meant: all conditions together. None means any."""

    project: str | None = None
    type: str | None = None
    session_id: str | None = None
    id: int | None = None
    before: int | None = None
    """Created before this time."""
    older_than: int | None = None
    """Created at this time or before."""
    words: Tree | None = None

    def is_empty(self) -> bool:
        return self == Filter()


@dataclass(frozen=True, slots=True)
class Trace:
    """What ranking needs to know of a memory; an index answers it without reading the memory."""

    id: int
    type: str
    project: str
    file_path: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What is shown of a memory that was found; `text` is its beginning."""

    id: int
    type: str
    created_at: int
    text: str
    file_path: str | None
    session_id: str | None
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class Intent:
    """A prompt of the user and how many actions followed it."""

    text: str
    at: int
    actions: int


@dataclass(frozen=True, slots=True)
class Touch:
    """A memory about a file, with the words of the user that led to it."""

    memory: Memory
    prompt_text: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    memories: int
    by_type: tuple[tuple[str, int], ...]
    """Most frequent first."""
    pinned: int
    prompts: int
    sessions: int
    events: int
    words: int
    """Rows of the full-text index: as many as memories in a healthy store."""


@dataclass(frozen=True, slots=True)
class Purged:
    observations: int = 0
    prompts: int = 0
    """Prompts of the user and thoughts of the agent."""
    sessions: int = 0
    touched: tuple[str, ...] = ()
    """The sessions that lost something and still hold something."""


class Sessions(Protocol):
    def find(self, session_id: str) -> Session | None: ...

    def begin(self, session: Session) -> None:
        """Add the session; nothing changes if it is there."""

    def turn(self, session_id: str, *, prompt_id: int | None, is_private: bool) -> None:
        """A new turn begins, and the session is active again."""

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

    def blank(self, event_id: int) -> None:
        """Keep the event's key, and nothing of what it told."""

    def mentioning(self, words: Tree) -> list[int]:
        """The events whose documents hold the words; looks through all of them."""


class Memories(Protocol):
    def add(self, draft: Draft) -> Memory:
        """Store the memory and its words."""

    def get(self, ids: Sequence[int]) -> list[Memory]:
        """Those of the ids that exist, in the order asked for, each once."""

    def reword(self, memory_id: int, draft: Draft, *, at: int) -> None:
        """New title, text, detail and origin for a memory; the old ones go into the history."""

    def pin(self, memory_id: int, *, is_pinned: bool) -> bool:
        """False when there is no such memory."""

    def repeats(self, draft: Draft, *, since: int) -> bool:
        """Whether the same session has the same type, path and text since then."""

    def has(self, session_id: str, type_: str, text: str | None = None) -> bool: ...

    def newest_in(self, session_id: str, type_: str) -> Memory | None: ...

    def of_session(
        self, session_id: str, *, before: int | None = None, after: int | None = None
    ) -> list[Memory]:
        """All memories of a session in order of time; the window excludes its bounds."""

    def around(
        self, anchor: Memory, *, before: int, after: int
    ) -> tuple[list[Memory], list[Memory]]:
        """The neighbours in the anchor's session, both lists in order."""

    def action_types(self) -> list[str]:
        """The types of action that the store holds."""

    def newest_actions(
        self, type_: str, *, project: str | None, is_elsewhere: bool, limit: int, offset: int
    ) -> list[Trace]:
        """Newest first: those of the project, or with `is_elsewhere` those of all others."""

    def intents(self, *, project: str, limit: int) -> list[Intent]:
        """The newest prompts that were followed by an action."""

    def of_file(
        self, path: str, *, before: int | None, after: int | None, limit: int
    ) -> list[Touch]:
        """Newest first."""

    def purge(self, wanted: Filter) -> Purged:
        """Remove for good what matches every condition, and what then hangs in the air."""

    def count_for_purge(self, wanted: Filter) -> Purged:
        """What `purge` would remove."""

    def remove(self, memory_id: int) -> None:
        """Remove one memory, its words and its history, for good."""

    def sweep(self, cutoffs: Mapping[str, int]) -> Purged:
        """Remove unpinned memories of finished sessions older than their type's cutoff."""


class Words(Protocol):
    def search(
        self,
        tree: Tree,
        *,
        project: str | None,
        type_: str | None,
        limit: int,
        offset: int,
        preview: int,
    ) -> list[Preview]:
        """Memories that match, best first (BM25); of each text the first `preview` characters."""

    def rebuild(self) -> None:
        """Make the index again from the rows."""

    def fold(self) -> None:
        """Merge the index, so that deleted words are gone from the file as well."""


class Cursors(Protocol):
    def position(self, session_id: str, path: str) -> int:
        """How many bytes of a transcript were read."""

    def move(self, session_id: str, path: str, position: int) -> None: ...


class Upkeep(Protocol):
    def counts(self) -> Counts: ...

    def problems(self) -> list[str]:
        """What an integrity check finds; empty when all is well."""

    def strays(self) -> tuple[int, int]:
        """Rows of the word index without a memory, and memories without words."""

    def compact(self) -> None:
        """Give free pages back and fold the write-ahead log into the store."""

    def size(self) -> tuple[int, int]:
        """Bytes of the store and of its write-ahead log."""

    def engine(self) -> str:
        """Name and version of what keeps the rows."""


class Store(Protocol):
    @property
    def sessions(self) -> Sessions: ...
    @property
    def events(self) -> Events: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def words(self) -> Words: ...
    @property
    def cursors(self) -> Cursors: ...
    @property
    def upkeep(self) -> Upkeep: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All writes inside happen together, or none. Not to be nested."""

    def close(self) -> None: ...


def unique(ids: Iterable[int]) -> list[int]:
    """Each id once, in the order of first mention."""
    return list(dict.fromkeys(ids))
