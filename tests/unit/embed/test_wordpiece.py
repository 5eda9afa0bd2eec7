"""The same numbers as the reference tokenizer gives, for whatever people and machines write."""

from __future__ import annotations

import random
import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from models import PUBLISHED, needs_package
from recollect.embed import wordpiece
from recollect.embed.wordpiece import WordPiece

pytestmark = needs_package

LAST = 0x110000
AT_ONCE = 32
"""Characters in a text that is compared; few enough for all to have their pieces in it."""
SURROGATES = range(0xD800, 0xE000)


@cache
def ours() -> WordPiece:
    return WordPiece((PUBLISHED / "vocab.txt").read_text(encoding="utf-8").splitlines())


@cache
def reference() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(PUBLISHED / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(wordpiece.MOST_PIECES)
    # A marker that somebody wrote is text: in a memory it must not mean anything.
    tokenizer.encode_special_tokens = True
    return tokenizer


def agree(text: str) -> bool:
    expected: list[int] = reference().encode(text).ids
    return ours().pieces(text) == expected


@cache
def disputed() -> frozenset[str]:
    """Characters that the two take differently: the reference knows an older Unicode."""
    found: set[str] = set()
    for start in range(0, LAST, AT_ONCE):
        letters = [chr(code) for code in range(start, start + AT_ONCE) if code not in SURROGATES]
        if not agree(" ".join(f"a{letter}b" for letter in letters)):
            found.update(letter for letter in letters if not agree(f"a{letter}b"))
    return frozenset(found)


def test_every_character_is_taken_as_the_reference_takes_it() -> None:
    known = "".join((PUBLISHED / "vocab.txt").read_text(encoding="utf-8").splitlines())
    assert disputed() & set(known) == set(), "the model knows this one"
    assert len(disputed()) < 1000
    assert min(disputed()) > "\u0600", "none of Latin, Greek, Cyrillic, Armenian or Hebrew"
    assert {unicodedata.category(each)[0] for each in disputed()} <= {"M", "P", "C", "S", "L"}


SAMPLES = [
    "",
    " ",
    "This is an example sentence",
    "naïve café über Ångström",
    "İstanbul ΣΊΣΥΦΟΣ ß ﬁ ⅷ",
    "def frobnicate(self, *args: int) -> None:\n\treturn self.__dict__['x'] ** 2",
    "/usr/local/lib/python3.11/site-packages/x.py:42: DeprecationWarning",
    "SELECT * FROM t WHERE a <> 'b'; -- ?",
    "我爱自然语言处理 in Tōkyō 東京都",
    "한국어 문장입니다 ภาษาไทย हिन्दी العربية עברית",
    "👩‍👩‍👧‍👦 🏳️‍🌈 ☃️ 1️⃣",
    "a\u00a0b\u2003c\u3000d\u200be\ufefff\u2028g\x85h\x0bi\x1cj",
    "\x00\ufffd\x7f\u202e",
    "[CLS] [SEP] [PAD] [MASK] [UNK] ##ing [sep]",
    "x" * 100 + " " + "y" * 101 + " " + "ing" * 34,
    "e\u0301\u0323 \u1e69 \u0344 \uac01",
    "word " * 400,
    "a" * 5000,
    "unaffable, " * 600,
]


@pytest.mark.parametrize("text", SAMPLES)
def test_a_text_is_cut_as_the_reference_cuts_it(text: str) -> None:
    assert ours().pieces(text) == reference().encode(text).ids


def test_a_marker_in_a_text_is_only_words() -> None:
    pieces = ours().pieces("so [SEP] what [PAD]")
    assert pieces.count(102) == 1
    assert 0 not in pieces


def test_half_a_character_is_left_out() -> None:
    assert ours().pieces("a\ud800b") == ours().pieces("ab")


LETTERS = st.characters(exclude_categories=["Cs"])


@settings(max_examples=500, deadline=None)
@given(st.text(LETTERS, max_size=80))
def test_any_text_is_cut_as_the_reference_cuts_it(text: str) -> None:
    text = "".join(letter for letter in text if letter not in disputed())
    assert ours().pieces(text) == reference().encode(text).ids


BLOCKS = (
    *((0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700)),
    *((0x900, 0xE80), (0x1100, 0x1200), (0x1E00, 0x2000), (0x2000, 0x2C00), (0x3040, 0x3100)),
    *((0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xF900, 0xFE00), (0xFE00, 0x10000)),
    *((0x1D400, 0x1D800), (0x1F300, 0x1FA00), (0x2A700, 0x2BA00), (0xE0000, 0xE0080)),
)


def test_a_large_sample_of_many_scripts_is_cut_as_the_reference_cuts_it() -> None:
    chance = random.Random(20261119)
    known = (PUBLISHED / "vocab.txt").read_text(encoding="utf-8").splitlines()
    for _ in range(10_000):
        words = []
        for _ in range(chance.randrange(12)):
            if chance.random() < 0.5:
                words.append(chance.choice(known) + chance.choice(("", "s", "ing", "_", "É")))
            else:
                first, last = chance.choice(BLOCKS)
                letters = (chr(chance.randrange(first, last)) for _ in range(chance.randrange(9)))
                words.append("".join(letters))
        joined = chance.choice((" ", "", "\t", "\u00a0", "-", "\n")).join(words)
        text = "".join(letter for letter in joined if letter not in disputed())
        assert agree(text), repr(text)


def test_a_very_long_text_costs_no_more_than_its_beginning() -> None:
    long = "some words of a log line, over and over\n" * 100_000
    assert ours().pieces(long) == ours().pieces(long[: wordpiece.HEAD])


def test_the_memory_for_words_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "REMEMBERED", 10)
    pieces = WordPiece((PUBLISHED / "vocab.txt").read_text(encoding="utf-8").splitlines())
    for number in range(100):
        pieces.pieces(f"word{number}")
    assert len(pieces._words) <= 12
