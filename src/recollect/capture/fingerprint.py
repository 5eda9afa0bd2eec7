"""Names that are equal for equal things and reveal nothing about them."""

from __future__ import annotations

# `hashlib` loads OpenSSL (2.5 ms); the modules that it falls back to are built into CPython.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

SIZE = 16


def fingerprint(*parts: str) -> str:
    """32 hexadecimal digits for these parts; ("ab", "c") and ("a", "bc") differ."""
    digest = blake2b(digest_size=SIZE)
    for part in parts:
        blob = part.encode("utf-8", "surrogatepass")
        digest.update(len(blob).to_bytes(8, "big"))
        digest.update(blob)
    return digest.hexdigest()


def sha256(blob: bytes) -> str:
    """The fingerprint of a file's content that everybody can compute."""
    try:
        from _sha2 import sha256 as digest  # type: ignore[import-not-found]  # from 3.12 on
    except ImportError:
        try:
            from _sha256 import sha256 as digest  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256 as digest
    return str(digest(blob).hexdigest())
