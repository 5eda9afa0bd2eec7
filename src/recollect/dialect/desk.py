"""The desk of a handler: everything it may use to answer one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from recollect.dialect.bucket import Room
from recollect.dialect.keys import Keys
from recollect.model import scope
from recollect.model.clock import Clock
from recollect.model.workspace import Workspace
from recollect.privacy.clean import Rules
from recollect.service.accepting import Accepting, Tidied
from recollect.store.port.store import Store

if TYPE_CHECKING:  # these load numpy, which a search by words does without
    from recollect.service.find import Finder
    from recollect.service.meanings import Meanings
    from recollect.service.outpost import Backfilled, Index
    from recollect.service.relevant import FactFinder

DEFAULT_PROJECT = scope.DEFAULT
"""The current one where there is no folder: of a request over HTTP that names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The process that answers; `port` is None where it does not listen."""

    version: str
    store: str
    port: int | None
    uptime_ms: int
    can_encrypt: bool
    """Whether a store can be encrypted on this installation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """What stands around the store: the spool, and what makes vectors.

    `problems` are sentences for people.
    """

    waiting: int
    oldest_at: int | None
    """Since when the oldest of what waits does."""
    put_aside: tuple[tuple[str, str], ...]
    """What can never be stored, by name, with its reason."""
    embedder: str | None
    because: str
    """Why that embedder, or none."""
    is_encrypted: bool
    problems: tuple[str, ...]


class Admit(Protocol):
    """Counts a request to a dialect by its name, and of a client where there are several;
    `RateLimited` when there were too many, and None when any number is let in."""

    def __call__(self, dialect: str, client: str = "") -> Room | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """`project` is the current one: the project of the folder the server works for."""

    store: Store
    clock: Clock
    project: str
    saves_to: str
    """The project of a remark that names none: the current one, if a client has a folder."""
    finder: Callable[[], Finder]
    """What answers questions by words, meaning and surroundings; one for the whole house."""
    meanings: Callable[[], Meanings]
    rules: Callable[[str], Rules]
    """The privacy rules of a project, for what is written on request."""
    new_id: Callable[[], str]
    """A published id (`mem_...`) that nothing has yet."""
    new_frame_id: Callable[[int], str]
    """The same for a frame (`frame-...`), of a time."""
    workspace: Callable[[], Workspace]
    """The checkout that the request is about; `PathNotFound` when the one it names is not there."""
    frames_of: str | None
    """The project whose frames are meant; None for all there are."""
    facts: Callable[[], FactFinder]
    """What finds facts by their relevance; one for the whole house."""
    accepting: Accepting
    """What takes in what happens in an agent."""
    tidy: Callable[[int], Tidied]
    """Reads what waits of a session, by its number, and what was left lying."""
    settings: Callable[[], Mapping[str, str]]
    """What each setting with a published name is at the next start, secrets masked."""
    configure: Callable[[Mapping[str, str]], None]
    """Writes some of these down for the next start; `InvalidSetting` names one that is wrong."""
    retry: Callable[[int | None], int]
    """Lets failed work be tried anew, of a session by its number, or all; how much that was."""
    backfill: Callable[[str | None, int], Backfilled]
    """Brings the newest vectors, of a project or of all and so many of each sort, to the server."""
    index: Callable[[], Index]
    """Which vectors there are, and where."""
    purge: Callable[[int], None]
    """Removes a memory for good, and every trace of it."""
    told: Callable[[str, str], str]
    """What a session of a project is told when it starts, and how: `startup`, `compact`."""
    premises: Callable[[], Premises]
    admit: Admit
    here: Callable[[], Here]
    keys: Keys
    """What lets a request in over HTTP where a route asks for a key of its own."""
