"""Texts as numbers of word pieces: uncased BERT WordPiece, equal to the reference tokenizer.

A text is cleaned, spaced, stripped of accents and put into small letters; each word then becomes
the longest pieces that the vocabulary has, from left to right. A marker such as `[SEP]` that
somebody wrote is taken for the words that it is made of: a memory cannot steer the model.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

PADDING, UNKNOWN, BEGIN, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MOST_PIECES = 256
"""What the model was made for, both markers included."""
LONGEST_WORD = 100
"""Characters. The reference takes a longer word for an unknown one."""
HEAD = 4096
"""Characters that nearly always hold more pieces than are asked for."""
REMEMBERED = 65536

Ids = np.ndarray


class WordPiece:
    """Reads texts. Safe in several threads: the worst that can happen is a word looked up twice."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        pieces = {piece: number for number, piece in enumerate(vocabulary)}
        self.padding, self._begin, self._end = pieces[PADDING], pieces[BEGIN], pieces[END]
        self._words = _Words(pieces)
        self._letters = _Letters()

    def pieces(self, text: str) -> list[int]:
        """The text between its markers, cut where the model ends."""
        room = MOST_PIECES - 2
        if len(text) > HEAD:
            found = self._of_words(self._split(text[:HEAD])[:-1], room)
            if len(found) >= room:
                return [self._begin, *found[:room], self._end]
        return [self._begin, *self._of_words(self._split(text), room)[:room], self._end]

    def padded(self, rows: Sequence[Sequence[int]]) -> Ids:
        """One array of rows, the shorter ones filled up."""
        batch = np.full((len(rows), max(map(len, rows))), self.padding, np.int64)
        for index, row in enumerate(rows):
            batch[index, : len(row)] = row
        return batch

    def _split(self, text: str) -> list[str]:
        if not text.isascii():
            text = unicodedata.normalize("NFD", text)
        return text.translate(self._letters).split()

    def _of_words(self, words: Sequence[str], room: int) -> list[int]:
        if len(self._words) > REMEMBERED:
            self._words.clear()
        found: list[int] = []
        for word in words:
            found += self._words[word]
            if len(found) >= room:
                break
        return found


class _Letters(dict[int, str]):
    """What becomes of a character, found out when it is first seen."""

    def __missing__(self, code: int) -> str:
        became = self[code] = _became(chr(code))
        return became


class _Words(dict[str, tuple[int, ...]]):
    """The pieces of a word, found out when it is first seen."""

    def __init__(self, pieces: dict[str, int]) -> None:
        super().__init__()
        self._pieces = pieces
        self._longest = max(map(len, pieces))
        self._unknown = (pieces[UNKNOWN],)

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self._unknown if len(word) > LONGEST_WORD else self._cut(word)
        self[word] = found
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._pieces.get(mark + word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return self._unknown
        return tuple(found)


def _became(letter: str) -> str:
    """Nothing, a space, or the letter itself; a space around it where it is a word of its own."""
    kind = unicodedata.category(letter)
    if letter in "\t\n\r" or kind in {"Zs", "Zl", "Zp"}:
        return " "
    # An unassigned character is kept, as the reference keeps it.
    if letter == "\ufffd" or kind in {"Cc", "Cf", "Co", "Cs", "Mn"}:
        return ""
    if _is_ideograph(ord(letter)) or _is_punctuation(letter, kind):
        return f" {letter} "
    return letter.lower()


def _is_punctuation(letter: str, kind: str) -> bool:
    """All that ASCII has beside letters and digits, and what Unicode calls punctuation."""
    return kind[0] == "P" or (letter.isascii() and not letter.isalnum())


# 2B920 stands in the reference for 2B820; the model was trained that way.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_ideograph(code: int) -> bool:
    return any(first <= code <= last for first, last in _IDEOGRAPHS)
