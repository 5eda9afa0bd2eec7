"""Turning a plain store into an encrypted one, in place and without a plain copy left behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from sqlcipher3 import dbapi2 as sqlite

from recollect.model.errors import InvalidArgument, StoreBusy, StoreError, StoreMissing, StoreTooNew
from recollect.store import migrate
from recollect.store.sqlite.connection import MIGRATIONS
from recollect.store.sqlite.file import MAGIC
from recollect.store.sqlite.problems import translated

PIECE = 1024 * 1024


@contextmanager
def replaced(path: str, key: bytes, *, backup: str | None = None) -> Iterator[None]:
    """Encrypt the store at `path` around whatever else has to be encrypted at the same moment.

    Inside, the encrypted copy is ready and nobody else can reach the plain store; at the end the
    copy takes its place by a rename, so a crash leaves one whole store or the other. With `backup`
    the plain file is kept under that name; otherwise it is overwritten.
    """
    if not os.path.exists(path):
        raise StoreMissing(path=path)
    if is_encrypted(path):
        raise StoreError("the store is encrypted already, or it is no database")
    fresh = f"{path}.encrypting"
    _remove(fresh)
    try:
        with _alone_with(path) as connection:
            with translated():
                _export(connection, fresh, key)
            os.chmod(fresh, 0o600)
            _sync(fresh)
            if backup is not None:
                _copy(path, backup)
            yield
            _swap(path, fresh, is_kept=backup is not None)
    finally:
        _remove(fresh)


def is_encrypted(path: str) -> bool:
    with open(path, "rb") as file:
        header = file.read(len(MAGIC))
    return bool(header) and header != MAGIC


@contextmanager
def _alone_with(path: str) -> Iterator[sqlite.Connection]:
    """The plain store, its log folded in, locked against everybody else until the end."""
    connection = sqlite.connect(path, isolation_level=None)
    try:
        with translated():
            connection.execute("pragma locking_mode = exclusive")
            connection.execute("pragma journal_mode = delete")
            connection.execute("begin exclusive")
            connection.execute("commit")  # exclusive locking keeps the lock
        yield connection
    except StoreBusy as error:
        raise StoreBusy("the store is in use; stop the worker and the agents first") from error
    finally:
        connection.close()


def _export(connection: sqlite.Connection, fresh: str, key: bytes) -> None:
    version = connection.execute("pragma user_version").fetchone()[0]
    if version > migrate.newest(MIGRATIONS):
        raise StoreTooNew(store_version=version)
    connection.execute(f"attach database ? as fresh key \"x'{key.hex()}'\"", (fresh,))
    connection.execute("pragma fresh.auto_vacuum = incremental")
    connection.execute("select sqlcipher_export('fresh')")
    connection.execute(f"pragma fresh.user_version = {version:d}")
    connection.execute("detach database fresh")


def _swap(path: str, fresh: str, *, is_kept: bool) -> None:
    plain = os.open(path, os.O_RDWR)
    try:
        os.replace(fresh, path)
        _sync(os.path.dirname(path))
        if not is_kept:
            _overwrite(plain)
    finally:
        os.close(plain)


def _copy(path: str, backup: str) -> None:
    try:
        target = os.open(backup, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise InvalidArgument("--keep-backup", f"cannot be written: {error.strerror}") from error
    with open(path, "rb") as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(target)


def _overwrite(descriptor: int) -> None:
    """Zeroes over the plain text. A file system that copies on write may keep older blocks."""
    left = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    while left > 0:
        left -= os.write(descriptor, bytes(min(PIECE, left)))
    os.fsync(descriptor)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)
