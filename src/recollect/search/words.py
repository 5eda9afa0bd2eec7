"""Text as it is indexed and matched, so that every script is found by its own words.

How a text is cut into words is the engine's (`unicode61`: letters and digits are words, all else
lies between them). Here is what is done to a text before that, in the index and in a query alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Blocks of scripts that write no spaces and put marks on their letters: Thai and Lao, Myanmar with
# its extensions, Khmer. Hangul, Han, Hiragana and Katakana follow as plain ranges.
_WITH_MARKS = ((0xE00, 0xF00), (0x1000, 0x10A0), (0xA9E0, 0xAA80), (0x1780, 0x1800))
_SIGNS = [chr(point) for block in _WITH_MARKS for point in range(*block)]
_LETTERS = "".join(sign for sign in _SIGNS if unicodedata.category(sign)[0] in "LN") + (
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7fb\uffa0-\uffdc"
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f"
)
_MARKS = "".join(sign for sign in _SIGNS if unicodedata.category(sign)[0] == "M") + (
    "\u0300-\u036f\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
CLUSTER = re.compile(f"[{_LETTERS}][{_MARKS}]*+")
"""A letter of such a script with its marks."""
RUN = re.compile(f"(?:{CLUSTER.pattern})+")
_WORD = re.compile(r"[^\W_]+")

_JOINER = "\u034f"
_LONGEST_RUN_OF_MARKS = 30


def spaced(text: str) -> str:
    """The text with spaces between the letters of scripts that write none between words.

    Each letter becomes a word of the index, so any run of them is found as a phrase.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", with_bounded_marks(text))
    return RUN.sub(_apart, composed)


def is_searchable(text: str) -> bool:
    """Whether there is a letter or a digit in it: nothing else is ever in the index."""
    return _WORD.search(text) is not None


def word_count(text: str) -> int:
    """How many words of the index the text stands for."""
    return sum(1 for _ in _WORD.finditer(spaced(text)))


def _apart(run: re.Match[str]) -> str:
    text, start, end = run.string, run.start(), run.end()
    before = " " if start and not text[start - 1].isspace() else ""
    after = " " if end < len(text) and not text[end].isspace() else ""
    return before + " ".join(CLUSTER.findall(run[0])) + after


def with_bounded_marks(text: str) -> str:
    """Unicode's stream-safe form: at most thirty combining marks in a row.

    Normalising sorts each run of marks in quadratic time: a hostile megabyte would take minutes.
    """
    return _crowd_of_marks().sub(rf"\g<0>{_JOINER}", text)


@cache
def _crowd_of_marks() -> re.Pattern[str]:
    """Made when the first text needs it: asking Unicode for every mark takes some milliseconds."""
    # No mark that takes part in the sorting lies between the last one here and the end of Unicode.
    marks = "".join(
        chr(point) for point in range(0x300, 0x1F000) if unicodedata.combining(chr(point))
    )
    return re.compile(f"[{marks}]{{{_LONGEST_RUN_OF_MARKS}}}(?=[{marks}])")
