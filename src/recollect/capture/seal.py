"""Spool entries under a key: no plaintext on disk, with the standard library alone.

A sealed entry is MAGIC ‖ nonce (16) ‖ ciphertext ‖ tag (32).
The ciphertext is the text XOR the first bytes of SHAKE-256(key ‖ "stream" ‖ nonce): an extendable
hash under a secret prefix is a stream generator, and a sponge has no length extension.
The tag is BLAKE2b, keyed with a second key derived from the first, over MAGIC ‖ nonce ‖ ciphertext
(encrypt, then authenticate), and compared in constant time before anything is decrypted.
A nonce is 16 random bytes and is never used twice; it protects entries for minutes, not a database.
"""

from __future__ import annotations

import hashlib
import hmac
import os

from recollect.model.errors import StoreError

MAGIC = b"RCS1"
KEY_SIZE = 32
NONCE_SIZE = 16
TAG_SIZE = 32


class SealBroken(StoreError):
    """A sealed spool entry cannot be opened: it has another key, or was changed."""

    code = "seal_broken"
    hint = "Set the key that was configured when the event was captured."


def seal(key: bytes, plain: bytes) -> bytes:
    return _sealed(key, plain, os.urandom(NONCE_SIZE))


def is_sealed(blob: bytes) -> bool:
    return blob.startswith(MAGIC)  # a plain entry starts with a brace


def unseal(key: bytes, blob: bytes) -> bytes:
    """What was sealed with this key; `SealBroken` for another key or a single changed bit."""
    body, tag = blob[:-TAG_SIZE], blob[-TAG_SIZE:]
    if len(body) < len(MAGIC) + NONCE_SIZE or not is_sealed(body):
        raise SealBroken("this is not a sealed spool entry")
    if not hmac.compare_digest(tag, _tag(key, body)):
        raise SealBroken
    start = len(MAGIC) + NONCE_SIZE
    return _crossed(key, body[len(MAGIC) : start], body[start:])


def _sealed(key: bytes, plain: bytes, nonce: bytes) -> bytes:
    body = MAGIC + nonce + _crossed(key, nonce, plain)
    return body + _tag(key, body)


def _crossed(key: bytes, nonce: bytes, text: bytes) -> bytes:
    """`text` XOR the key stream; the same call undoes it."""
    _check(key)
    stream = hashlib.shake_256(key + b"stream" + nonce).digest(len(text))
    mixed = int.from_bytes(text, "big") ^ int.from_bytes(stream, "big")
    return mixed.to_bytes(len(text), "big")


def _tag(key: bytes, body: bytes) -> bytes:
    _check(key)
    tag_key = hashlib.blake2b(b"tag", key=key, digest_size=32, person=b"recollect spool").digest()
    return hashlib.blake2b(body, key=tag_key, digest_size=TAG_SIZE).digest()


def _check(key: bytes) -> None:
    if len(key) != KEY_SIZE:
        raise ValueError(f"a key has {KEY_SIZE} bytes")
