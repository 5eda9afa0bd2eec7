"""The SQLite store: all topics over one file."""

from __future__ import annotations

from contextlib import AbstractContextManager

from recollect.model.clock import Clock
from recollect.store.sqlite.browsing import SqliteBrowsing
from recollect.store.sqlite.connection import PATIENCE_MS, Connections
from recollect.store.sqlite.facts import SqliteFacts
from recollect.store.sqlite.frames import SqliteFrames
from recollect.store.sqlite.jobs import SqliteJobs
from recollect.store.sqlite.ledger import SqliteLedger
from recollect.store.sqlite.lexicon import SqliteLexicon
from recollect.store.sqlite.listings import SqliteListings
from recollect.store.sqlite.memories import SqliteMemories
from recollect.store.sqlite.operations import SqliteOperations
from recollect.store.sqlite.outposts import SqliteOutposts
from recollect.store.sqlite.portraits import SqlitePortraits
from recollect.store.sqlite.sessions import SqliteCursors, SqliteEvents, SqliteSessions
from recollect.store.sqlite.transfers import SqliteTransfers
from recollect.store.sqlite.upkeep import SqliteUpkeep
from recollect.store.sqlite.vectors import SqliteVectors
from recollect.store.sqlite.words import SqliteWords


class SqliteStore:
    """Answers `store.port.store.Store`. Made, or brought to today's schema, when it is opened."""

    def __init__(
        self,
        path: str,
        *,
        key: bytes | None,
        clock: Clock,
        patience_ms: int = PATIENCE_MS,
    ) -> None:
        self._connections = Connections(path, key, clock, patience_ms)
        self.sessions = SqliteSessions(self._connections)
        self.events = SqliteEvents(self._connections)
        self.memories = SqliteMemories(self._connections)
        self.words = SqliteWords(self._connections)
        self.lexicon = SqliteLexicon(self._connections)
        self.vectors = SqliteVectors(self._connections)
        self.outposts = SqliteOutposts(self._connections)
        self.cursors = SqliteCursors(self._connections)
        self.facts = SqliteFacts(self._connections)
        self.frames = SqliteFrames(self._connections)
        self.transfers = SqliteTransfers(self._connections)
        self.ledger = SqliteLedger(self._connections)
        self.portraits = SqlitePortraits(self._connections)
        self.listings = SqliteListings(self._connections)
        self.browsing = SqliteBrowsing(self._connections)
        self.jobs = SqliteJobs(self._connections)
        self.operations = SqliteOperations(self._connections)
        self.upkeep = SqliteUpkeep(self._connections)

    def transaction(self, *, is_lasting: bool = True) -> AbstractContextManager[None]:
        return self._connections.transaction(is_lasting=is_lasting)

    def reading(self) -> AbstractContextManager[None]:
        return self._connections.reading()

    def close(self) -> None:
        self._connections.close()
