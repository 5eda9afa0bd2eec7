"""The driver's errors as ours, told apart by SQLite's own error names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlcipher3 import dbapi2 as sqlite

from recollect.model.errors import (
    EntryRefused,
    RecollectError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUntrusted,
)

WRONG_KEY = "the key does not open the store: it has another one, or it is damaged"


@contextmanager
def translated(*, has_key: bool = False) -> Iterator[None]:
    """Whatever the driver raises inside is raised as an error of the house.

    `has_key`: the store is being opened with one, and what cannot be read may have another.
    """
    try:
        yield
    except sqlite.Error as error:
        if has_key and is_of(error, "NOTADB"):
            raise StoreUntrusted(WRONG_KEY) from error
        raise _translation(error) from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise EntryRefused(f"a value does not fit into the store: {error}") from error


def is_of(error: sqlite.Error, *names: str) -> bool:
    """Extended codes (BUSY_SNAPSHOT, CORRUPT_VTAB, ...) belong to their family."""
    found = str(getattr(error, "sqlite_errorname", "")).removeprefix("SQLITE_")
    return any(found == name or found.startswith(f"{name}_") for name in names)


def _translation(error: sqlite.Error) -> RecollectError:
    text = str(error)
    if is_of(error, "CORRUPT", "NOTADB"):
        return StoreUntrusted(f"the store cannot be trusted: {text}")
    if is_of(error, "BUSY", "LOCKED"):
        return StoreBusy(f"another process has held the store for too long: {text}")
    if is_of(error, "FULL", "READONLY", "CANTOPEN", "PERM", "IOERR"):
        return StoreFull(f"the store cannot be written or read: {text}")
    if isinstance(error, sqlite.IntegrityError | sqlite.DataError):
        return EntryRefused(f"the store refuses it: {text}")
    return StoreError(text)
