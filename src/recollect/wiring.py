"""The composition root: settings become a house.

Only this module chooses a storage engine and who reads events.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import lru_cache

from recollect.capture import seal, spool
from recollect.capture.project import project_of
from recollect.dialect import registry
from recollect.dialect.desk import Desk
from recollect.dialect.reply import Ask, Reply, answer
from recollect.dialect.spec import Dialect
from recollect.llm.port import Reader
from recollect.llm.rules import Rules as ReadingRules
from recollect.model.clock import Clock, wall_clock
from recollect.model.errors import StoreMissing
from recollect.privacy.clean import Rules
from recollect.settings import Settings
from recollect.store.port import Store
from recollect.store.sqlite import encrypt as sqlite_encrypt
from recollect.store.sqlite.store import SqliteStore
from recollect.worker.drain import Drained, Source, drain


class House:
    """A store with everything that answers for it. Safe to use from several threads."""

    def __init__(self, settings: Settings, store: Store, reader: Reader, clock: Clock) -> None:
        self.settings = settings
        self.store = store
        self.reader = reader
        self.clock = clock
        self._dialects: dict[str, Dialect] = {}
        self._draining = threading.Lock()
        self._source = Source(settings.spool_dir, settings.key, lru_cache(64)(self.rules_for))

    def catch_up(self) -> int:
        """Drain the spool; how many events were stored."""
        return self.drain().stored

    def drain(self) -> Drained:
        with self._draining:
            return drain(self.store, self.reader, self._source)

    def dialect(self, name: str) -> Dialect:
        if name not in self._dialects:
            self._dialects[name] = registry.load(name)
        return self._dialects[name]

    def asker(self, dialect_name: str, project: str) -> Ask:
        """A door of a dialect: it catches up before it answers."""
        dialect = self.dialect(dialect_name)
        desk = Desk(self.store, self.clock, project)

        def ask(name: str, arguments: Mapping[str, object]) -> Reply:
            self.catch_up()
            return answer(dialect, desk, name, arguments)

        return ask

    def rules_for(self, project: str) -> Rules:
        return rules_for(self.settings, project)

    def close(self) -> None:
        self.store.close()


def open_house(settings: Settings, *, clock: Clock = wall_clock) -> House:
    """Open the store, which is made when it is missing."""
    store = SqliteStore(settings.store, key=settings.key, clock=clock)
    return House(settings, store, ReadingRules(), clock)


def open_existing(settings: Settings, *, clock: Clock = wall_clock) -> House:
    """The same for what only reads: a store that is missing is not made, unless events wait."""
    if not has_store(settings):
        raise StoreMissing(f"database not found: {settings.store}")
    return open_house(settings, clock=clock)


def has_store(settings: Settings) -> bool:
    return os.path.exists(settings.store) or bool(spool.waiting(settings.spool_dir))


def rules_for(settings: Settings, project: str) -> Rules:
    """The privacy rules of a project."""
    chosen = settings.filter_for(project)
    return Rules(
        chosen.extra_patterns,
        chosen.entropy_threshold,
        chosen.entropy_min_length,
        entropy=chosen.entropy,
    )


def current_project(settings: Settings, folder: str) -> str:
    """The project of a folder, by the rules that capture uses."""
    name, _ = project_of(
        folder,
        named=settings.project,
        home=settings.user_home,
        strategy=settings.project_strategy,
    )
    return name


def dialect_names() -> list[str]:
    return registry.names()


def published(name: str) -> Dialect:
    """A dialect without a store, for its tools' names and schemas."""
    return registry.load(name)


def encrypt(settings: Settings, key: bytes, *, backup: str | None) -> None:
    """Encrypt the store and what waits in the spool."""
    sqlite_encrypt.encrypt(settings.store, key, backup=backup)
    for name in spool.waiting(settings.spool_dir):
        blob = spool.read(settings.spool_dir, name)
        if not seal.is_sealed(blob):
            spool.replace(settings.spool_dir, name, seal.seal(key, blob))
