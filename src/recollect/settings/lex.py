"""What Lex's published variables mean beyond a value: where its store is, and which key it has.

The variables themselves stand in `table`, like all others.
"""

from __future__ import annotations

import os

ROOT = "LEX_WORKSPACE_ROOT"
KEY = "LEX_DB_KEY"
DEBUG = "LEX_DEBUG"
STORES = ("LEX_MEMORY_DB", "LEX_DB_PATH", ROOT)
"""What may name the store; of a root, its own place in it is meant."""
API_PORT = "LEX_API_PORT"
"""The worker's port: it is one server for all dialects."""
OWN = ".smartergpt"
FOLDER = os.path.join(OWN, "lex")
STORE = os.path.join(FOLDER, "memory.db")
"""A workspace's own store, below its root."""

SHORTEST = 12
"""Characters of a passphrase."""
ROUNDS = 64_000
SALT = b"lex-sqlcipher-v1-2025"
KEY_BYTES = 32
"""As they are published: who knows the passphrase comes to the same key anywhere."""


def workspace_store(folder: str, *, home: str) -> str:
    """The store of the workspace around this folder, if it has a place for one; else nothing.

    Somebody's home is no workspace: what stands there belongs to all of them, or to another
    product.
    """
    while folder not in ("", home):
        if os.path.isdir(os.path.join(folder, FOLDER)):
            return os.path.join(folder, STORE)
        is_root = any(os.path.lexists(os.path.join(folder, each)) for each in (OWN, ".git"))
        above = os.path.dirname(folder)
        if is_root or above == folder:
            return ""
        folder = above
    return ""


def key_of(passphrase: str) -> bytes:
    """The key that a passphrase stands for; it takes some 20 ms, so once a process."""
    if len(passphrase) < SHORTEST:
        raise ValueError(f"has fewer than {SHORTEST} characters")
    from hashlib import pbkdf2_hmac  # 5 ms, paid only by those who have a passphrase

    return pbkdf2_hmac("sha256", os.fsencode(passphrase), SALT, ROUNDS, KEY_BYTES)
