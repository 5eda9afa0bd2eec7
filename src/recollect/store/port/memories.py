"""Memories: what is kept, how it is chosen, counted and removed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.memory import Draft, Kind, Memory
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
class Former:
    """What a memory said until it was changed, and why it was."""

    until: int
    text: str
    reason: str | None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What ranking needs to know of a memory; an index answers it without reading the memory."""

    id: int
    type: str
    project: str
    file_path: str | None
    created_at: int


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
class Purged:
    observations: int = 0
    prompts: int = 0
    """Prompts of the user and thoughts of the agent."""
    sessions: int = 0
    touched: tuple[str, ...] = ()
    """The sessions that lost something and still hold something."""


class Memories(Protocol):
    def add(self, draft: Draft) -> Memory:
        """Store the memory and its words."""

    def get(self, ids: Sequence[int]) -> list[Memory]:
        """Those of the ids that exist, in the order asked for, each once."""

    def reword(self, memory_id: int, draft: Draft, *, at: int, reason: str | None = None) -> None:
        """New title, text, detail and origin for a memory; the old ones go into the history."""

    def relabel(self, memory_id: int, tags: Sequence[str], *, at: int) -> None:
        """Other tags, or the same ones: then it was only told once more."""

    def former(self, memory_id: int) -> list[Former]:
        """What it said before, oldest first."""

    def retire(self, memory_id: int, *, at: int, successor: int | None = None) -> bool:
        """Let it be found no more; false when there is no such memory, or it is retired already."""

    def restore(self, memory: Memory, *, at: int) -> bool:
        """Let a retired one be found again, with what it claims and its frame; false when it is not
        retired. Whoever may not repeat and was stored again meanwhile stands beside it."""

    def annotate(self, memory_id: int, *, at: int, reason: str) -> None:
        """Put what it says now into the history, and why something became of it."""

    def pin(self, memory_id: int, *, is_pinned: bool) -> bool:
        """False when there is no such memory."""

    def repeats(self, draft: Draft, *, since: int) -> bool:
        """Whether the same session has the same type, path and text since then."""

    def has(self, session_id: str, type_: str, text: str | None = None) -> bool: ...

    def of_event(self, event_id: int) -> Memory | None:
        """What was made of an event, if it was; retired or not."""

    def prompt_of(self, session_id: str, number: int) -> int | None:
        """The session's prompt with this number, unless it was private."""

    def newest_in(
        self, session_id: str, type_: str, *, source_event: str | None = None
    ) -> Memory | None:
        """The newest live one of this type, or of those that this event made."""

    def newest(
        self,
        kinds: Collection[Kind],
        *,
        project: str | None,
        limit: int,
        types: Collection[str] | None = None,
        but_types: Collection[str] = (),
    ) -> list[Memory]:
        """The newest of these kinds, newest first: of one project or of all, without retired ones;
        of the types asked for, if any are, and none of `but_types`."""

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

    def forget_former(self, words: Tree) -> int:
        """Remove for good what memories said before, and why they changed, where it mentions these
        words; how many. Looks through all of it."""

    def remove(self, memory_id: int) -> None:
        """Remove one memory, its words and its history, for good."""

    def sweep(self, cutoffs: Mapping[str, int]) -> Purged:
        """Remove unpinned memories of finished sessions older than their type's cutoff."""


def unique(ids: Iterable[int]) -> list[int]:
    """Each id once, in the order of first mention."""
    return list(dict.fromkeys(ids))
