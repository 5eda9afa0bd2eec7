"""A claim: what a memory says about somebody or something, as facts are asked for.

How alike two claims are is a question of keys: the same key means the same subject, the same words.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

CATEGORIES = (
    "preference",
    "restriction",
    "fact",
    "skill",
    "relationship",
    "goal",
    "history",
    "context",
)
LONGEST_CONTENT = 100_000
"""Characters."""
LONGEST_NAME = 200
"""Characters of a subject or a tag."""
MOST_TAGS = 1_000

PREFIX = "mem_"
ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
ID_LENGTH = 12
ID_BYTES = 16
"""Random bytes that an id is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`subject` as it was first written."""

    subject: str
    category: str
    confidence: float = 1.0


def subject_key(subject: str) -> str:
    """The subject as it is compared: compatible characters, spaces and case do not matter."""
    return shown_subject(unicodedata.normalize("NFKC", subject)).casefold()


def shown_subject(subject: str) -> str:
    """The subject as it is shown: trimmed, with single spaces."""
    return " ".join(subject.split())


def content_key(content: str) -> str:
    """The same for contents that differ in case, in spaces or in compatible characters only."""
    plain = " ".join(unicodedata.normalize("NFKC", content).casefold().split())
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()


def joined_tags(*lists: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, whatever its case, as it was first written."""
    known: dict[str, str] = {}
    for tag in (shown_subject(tag) for tags in lists for tag in tags):
        if tag:
            known.setdefault(unicodedata.normalize("NFKC", tag).casefold(), tag)
    return tuple(known.values())


def public_id(digits: bytes) -> str:
    """An id as it is published, made of random bytes."""
    number = int.from_bytes(digits, "big")
    letters = []
    for _ in range(ID_LENGTH):
        number, place = divmod(number, len(ID_LETTERS))
        letters.append(ID_LETTERS[place])
    return PREFIX + "".join(letters)
