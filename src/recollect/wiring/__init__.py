"""The composition root: settings become a house.

Only this room chooses a storage engine, who reads events, and what makes vectors. Here is who
opens a house, and what can be had without one; the house itself is in `house`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from recollect.capture import seal, spool
from recollect.dialect import registry
from recollect.dialect.spec import Dialect
from recollect.llm.rules import Rules as ReadingRules
from recollect.model.clock import Clock, wall_clock
from recollect.model.errors import StoreMissing
from recollect.settings import Settings
from recollect.store.sqlite import encrypt as sqlite_encrypt
from recollect.store.sqlite.connection import PATIENCE_MS
from recollect.store.sqlite.store import SqliteStore
from recollect.wiring.choosing import (
    MODEL_CHECKSUM,
    MODEL_NAME,
    build_model,
    chosen,
    model,
    new_id,
    rules_for,
)
from recollect.wiring.house import House
from recollect.wiring.provider import asked_model

__all__ = ["MODEL_CHECKSUM", "MODEL_NAME", "House", "build_model", "chosen", "model", "new_id"]
__all__ += ["dialect_names", "encrypt", "has_store", "open_existing", "open_house", "published"]
__all__ += ["asked_model", "lex_frames", "rules_for"]


def open_house(
    settings: Settings, *, clock: Clock = wall_clock, patience_ms: int = PATIENCE_MS
) -> House:
    """Open the store, which is made when it is missing."""
    store = SqliteStore(settings.store, key=settings.key, clock=clock, patience_ms=patience_ms)
    return House(settings, store, ReadingRules(), clock, patience_ms=patience_ms)


def open_existing(settings: Settings, *, clock: Clock = wall_clock) -> House:
    """The same for what only reads: a store that is missing is not made, unless events wait."""
    if not has_store(settings):
        raise StoreMissing(f"database not found: {settings.store}")
    return open_house(settings, clock=clock)


def has_store(settings: Settings) -> bool:
    return os.path.exists(settings.store) or bool(spool.waiting(settings.spool_dir))


def dialect_names() -> list[str]:
    return registry.names()


def published(name: str) -> Dialect:
    """A dialect without a store, for its tools' names and schemas."""
    return registry.load(name)


def lex_frames(path: str) -> Iterator[dict[str, object]]:
    """The frames in a database of the published Lex, which is only read."""
    from recollect.store.sqlite import lex_file  # which a session start has no use for

    return lex_file.frames(path)


def encrypt(
    settings: Settings, key: bytes, *, backup: str | None, keep_key: Callable[[], None]
) -> None:
    """Encrypt the store and the spool. `keep_key` is called before anything depends on the key."""

    def sealed(blob: bytes) -> bytes:
        return blob if seal.is_sealed(blob) else seal.seal(key, blob)

    with sqlite_encrypt.replaced(settings.store, key, backup=backup):
        keep_key()
        spool.rewrite(settings.spool_dir, sealed)
    spool.rewrite(settings.spool_dir, sealed)  # what hooks that knew no key wrote meanwhile
