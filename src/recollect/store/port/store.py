"""A store: all topics together.

Reads may happen anywhere. Writes happen inside `with store.transaction()`, all or nothing;
the words of a memory are written in the same transaction as the memory.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from recollect.store.port.memories import Memories
from recollect.store.port.sessions import Cursors, Events, Sessions
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
    def vectors(self) -> Vectors: ...
    @property
    def cursors(self) -> Cursors: ...
    @property
    def upkeep(self) -> Upkeep: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All writes inside happen together, or none. Not to be nested."""

    def close(self) -> None: ...
