"""Whose words a question asks for: a name in it, `you` of an assistant, `I` of the user."""

from __future__ import annotations

import re
from collections.abc import Sequence

USERS = frozenset({"user", "human", "me"})
ASSISTANTS = frozenset({"assistant", "agent", "ai", "bot"})

_WORD = re.compile(r"[^\W_]+")
_SAID_BY_YOU = re.compile(
    r"\byou(?:'ve| have| had)?\s+(?:\w+ly\s+)?(?:said|told|suggested|recommended|mentioned|gave|"
    r"given|listed|provided|wrote|explained|described|proposed|shared|answered|advised|named)\b"
    r"|\bdid you (?:say|tell|suggest|recommend|mention|give|list|write|explain|propose|advise)\b"
    r"|\byour (?:answer|suggestion|recommendation|advice|reply|explanation|list)s?\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'(?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself)\b")


def meant(question: str, speakers: Sequence[str]) -> str | None:
    """The one of the speakers whom the question means; None for nobody, and for several."""
    said = {word.casefold() for word in _WORD.findall(question)}
    named = [speaker for speaker in speakers if _is_named(speaker, said)]
    if named:
        return named[0] if len(named) == 1 else None
    if _SAID_BY_YOU.search(question):
        return _only(speakers, ASSISTANTS)
    if _FIRST_PERSON.search(question):
        return _only(speakers, USERS)
    return None


def _is_named(speaker: str, said: set[str]) -> bool:
    """By the whole name or the first; a question about an assistant is not about this one."""
    words = [word.casefold() for word in _WORD.findall(speaker)]
    return bool(words) and words[0] in said and words[0] not in USERS | ASSISTANTS


def _only(speakers: Sequence[str], roles: frozenset[str]) -> str | None:
    found = [speaker for speaker in speakers if speaker.casefold() in roles]
    return found[0] if len(found) == 1 else None
