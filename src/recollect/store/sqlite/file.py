"""The store's file, before SQLite touches it: made private, or refused as no store at all."""

from __future__ import annotations

import os

from recollect.model.errors import StoreFull, StoreIsPlain, StoreMissing, StoreUntrusted

MAGIC = b"SQLite format 3\0"


def check_header(path: str, *, has_key: bool) -> None:
    """Refuse a file that cannot be a store, before SQLite touches it."""
    with open(path, "rb") as file:
        header = file.read(len(MAGIC))
    if not header:
        return
    if has_key and header == MAGIC:
        raise StoreIsPlain(path=path)
    if not has_key and header != MAGIC:
        raise StoreUntrusted("file is not a database, or it is encrypted and no key is set")


def make_private_file(path: str) -> None:
    """An empty file that only its owner can read, in a folder that only its owner can enter."""
    try:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreFull(f"the store cannot be opened for writing: {error.strerror}") from error


def inode(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except FileNotFoundError as error:
        raise StoreMissing("the store's file is gone") from error
    return found.st_dev, found.st_ino
