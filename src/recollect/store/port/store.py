"""A store: all topics together.

Reads may happen anywhere. Writes happen inside `with store.transaction()`, all or nothing;
the words of a memory are written in the same transaction as the memory.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from recollect.store.port.browsing import Browsing
from recollect.store.port.facts import Facts
from recollect.store.port.frames import Frames
from recollect.store.port.jobs import Jobs
from recollect.store.port.ledger import Ledger
from recollect.store.port.lexicon import Lexicon
from recollect.store.port.listings import Listings
from recollect.store.port.memories import Memories
from recollect.store.port.operations import Operations
from recollect.store.port.outposts import Outposts
from recollect.store.port.portraits import Portraits
from recollect.store.port.sessions import Cursors, Events, Sessions
from recollect.store.port.transfers import Transfers
from recollect.store.port.upkeep import Upkeep
from recollect.store.port.vectors import Vectors
from recollect.store.port.words import Words


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
    def lexicon(self) -> Lexicon: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def outposts(self) -> Outposts: ...
    @property
    def cursors(self) -> Cursors: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def frames(self) -> Frames: ...
    @property
    def transfers(self) -> Transfers: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def portraits(self) -> Portraits: ...
    @property
    def listings(self) -> Listings: ...
    @property
    def browsing(self) -> Browsing: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def operations(self) -> Operations: ...
    @property
    def upkeep(self) -> Upkeep: ...

    def transaction(self, *, is_lasting: bool = True) -> AbstractContextManager[None]:
        """All writes inside happen together, or none. Not to be nested.

        One that is not lasting does not wait for the disk: a power cut may take it, and nothing
        else. For what is told about memories, never for memories.
        """

    def reading(self) -> AbstractContextManager[None]:
        """All reads of this thread inside see the store at one moment."""

    def close(self) -> None: ...
