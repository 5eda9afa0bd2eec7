"""Turning a plain store into an encrypted one, in place and without a plain copy left behind."""

from __future__ import annotations

import os

from sqlcipher3 import dbapi2 as sqlite

from recollect.model.errors import StoreBusy, StoreError, StoreMissing
from recollect.store.sqlite.connection import MAGIC, translated

PIECE = 1024 * 1024


def encrypt(path: str, key: bytes, *, backup: str | None = None) -> None:
    """Encrypt the store at `path`. With `backup`, the plain file is kept under that name.

    The new file takes the old one's place by a rename, so a crash leaves one whole store or the
    other. Whoever has the old file open notices the change before the next write.
    """
    if not os.path.exists(path):
        raise StoreMissing(path=path)
    if is_encrypted(path):
        raise StoreError("the store is encrypted already")
    fresh = f"{path}.encrypting"
    _remove(fresh)
    try:
        with translated():
            _export(path, fresh, key)
    except StoreBusy as error:
        raise StoreBusy("the store is in use; stop the worker and the agents first") from error
    os.chmod(fresh, 0o600)
    _sync(fresh)
    if backup is not None:
        os.link(path, backup)
    plain = os.open(path, os.O_RDWR)
    try:
        os.replace(fresh, path)
        _sync(os.path.dirname(path))
        if backup is None:
            _overwrite(plain)
    finally:
        os.close(plain)


def is_encrypted(path: str) -> bool:
    with open(path, "rb") as file:
        header = file.read(len(MAGIC))
    return bool(header) and header != MAGIC


def _export(path: str, fresh: str, key: bytes) -> None:
    connection = sqlite.connect(path, isolation_level=None)
    try:
        # From here on nobody else reads or writes; with other users this is refused as busy.
        connection.execute("pragma locking_mode = exclusive")
        connection.execute("pragma journal_mode = delete")
        connection.execute("begin exclusive")
        connection.execute("commit")
        version = connection.execute("pragma user_version").fetchone()[0]
        connection.execute(f"attach database ? as fresh key \"x'{key.hex()}'\"", (fresh,))
        connection.execute("pragma fresh.auto_vacuum = incremental")
        connection.execute("select sqlcipher_export('fresh')")
        connection.execute(f"pragma fresh.user_version = {version:d}")
        connection.execute("detach database fresh")
    finally:
        connection.close()


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
