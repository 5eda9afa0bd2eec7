"""Whom a text names, and the text without the names.

Names are words: there is no guessing of aliases ("Gordon's daughter" is not Emma). Subjects are
compared as the rulings say: NFKC, trimmed, single spaces, case-folded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOMEONE = "someone"
"""Stands where a name stood: a sentence without its subject means less to a model."""

_SELF = frozenset({"user", "the user", "me", "i", "myself"})
"""Subjects that are whoever is asking."""
_COLLECTIVE = word_set(
    "all children club company couple everybody everyone family flat group home household kids "
    "organisation organization parents people team us we"
)
"""The family is Emma too: such a name neither shuts a fact out nor is shut out."""
_TITLES = word_set("dr mr mrs ms miss prof sir the aunt uncle grandma grandpa granny nana")
_ORDINARY = word_set(
    "angel april art august autumn bill brook buck case chase chip christian cliff dale dawn dean "
    "don drew earl eve faith frank gene glen grace grant guy harry hazel heath hope iris ivy jack "
    "jean josh joy june lily mark max may miles nick olive page pat penny ray reed rich rob rose "
    "ruby sage skip sky summer sue victor wade will"
)
"""Names that are also words, so that a capital letter and their place have to tell."""
_NOT_AFTER_A_NAME = word_set(
    "a all an any anyone each every everything he her his i it my our she that the their them "
    "there these they this those we you your"
)

_WORD = re.compile(r"[^\W_]+(?:[-_.+][^\W_]+)*")
_POSSESSIVE = re.compile(r"['\u2019](?:s\b)?")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself)\b")
_MYSELF = re.compile(
    r"\bi\s+(?:(?:not|really|also|usually|normally|most|currently)\s+)?"
    r"(?:like|love|prefer|enjoy|hate|dislike|drink|eat|live|know|want|speak|own|allergic)\b"
    r"|\bmy\s+(?:own|favou?rite|preferred|preferences?|allerg\w+|diet\w*|goals?|skills?|age|name)\b",
    re.IGNORECASE,
)
"""What is asked about oneself; "how do I …" and "my daughter …" are about something else."""


class Named(NamedTuple):
    """Where a text names which subjects; two subjects may share a name."""

    start: int
    end: int
    keys: frozenset[str]


class Subjects:
    """The subjects that a store knows, asked often. One thread at a time may let it learn."""

    def __init__(self, names: Iterable[str]) -> None:
        self._keys: dict[tuple[str, ...], set[str]] = {}
        self._parts: dict[tuple[str, ...], set[str]] = {}
        self._selves: set[str] = set()
        self._longest = 0
        for name in names:
            self.learn(name)

    def named(self, text: str) -> frozenset[str]:
        """The keys of the subjects that a text names, or that it means by "I"."""
        text = unicodedata.normalize("NFKC", text)
        found = {key for named in self._find(text) for key in named.keys}
        if self._selves and _MYSELF.search(text):
            found |= self._selves
        return frozenset(found)

    def replaced(self, text: str, by: str = SOMEONE) -> str:
        """The text with every name replaced."""
        text = unicodedata.normalize("NFKC", text)
        return _replaced(text, self._find(text), by)

    def learn(self, name: str) -> None:
        key = key_of(name)
        words = [match[0] for match in _WORD.finditer(_normal(name))]
        if not words:
            return
        spoken = tuple(word.casefold() for word in words)
        self._keys.setdefault(spoken, set()).add(key)
        if name == key and spoken[0] != "the":  # "the user", "the billing-service", "the family"
            self._keys.setdefault(("the", *spoken), set()).add(key)
        self._longest = max(self._longest, len(spoken) + 1)
        if key in _SELF:
            self._selves.add(key)
        if len(words) > 1:
            for word in words:
                if word[:1].isupper() and len(word) > 2 and word.casefold() not in _TITLES:
                    self._parts.setdefault((word.casefold(),), set()).add(key)

    def _find(self, text: str) -> Iterator[Named]:
        words = list(_WORD.finditer(text))
        place = 0
        while place < len(words):
            length, keys = self._at(text, words, place)
            if keys:
                end = words[place + length - 1].end()
                yield Named(words[place].start(), end, frozenset(keys))
            place += length

    def _at(self, text: str, words: list[re.Match[str]], place: int) -> tuple[int, set[str]]:
        for length in range(min(self._longest, len(words) - place), 0, -1):
            spoken = tuple(word[0].casefold() for word in words[place : place + length])
            if keys := self._keys.get(spoken):
                if length > 1 or _is_meant(text, words, place):
                    return length, keys
            elif (keys := self._parts.get(spoken)) and _is_meant(text, words, place, part=True):
                return length, keys
        return 1, set()


def without_subject(content: str, subject: str) -> str:
    """A fact's text with "someone" where it names its subject."""
    if key_of(subject) in _SELF:
        content = _FIRST_PERSON.sub(SOMEONE, content)
    return Subjects([subject]).replaced(content)


def is_anybodys(keys: Iterable[str]) -> bool:
    """Whether one of the subjects is a group, so that anybody may be meant."""
    return any(key.rpartition(" ")[2] in _COLLECTIVE for key in keys)


def key_of(subject: str) -> str:
    return _normal(subject).casefold()


def _normal(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).split())


def _is_meant(text: str, words: list[re.Match[str]], place: int, *, part: bool = False) -> bool:
    """Whether a word that could be a name is one: "Will" in "What will Will eat?"."""
    word = words[place]
    if not part and word[0].casefold() not in _ORDINARY:
        return True
    if not word[0][0].isupper():
        return False
    if place > 0 or _POSSESSIVE.match(text, word.end()) or place + 1 == len(words):
        return True
    after = words[place + 1][0]
    return part or not (after[0].isupper() or after.casefold() in _NOT_AFTER_A_NAME)


def _replaced(text: str, names: Iterable[Named], by: str) -> str:
    parts, done = [], 0
    for named in names:
        parts += [text[done : named.start], by]
        possessive = _POSSESSIVE.match(text, named.end)
        done = possessive.end() if possessive else named.end
    return " ".join("".join([*parts, text[done:]]).split())
