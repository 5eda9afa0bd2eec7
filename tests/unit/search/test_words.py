"""Text as it is indexed: scripts without spaces are cut into their letters, all else stays."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.search.words import is_searchable, spaced, word_count

SPACED = [
    # text                spaced                    because
    ("auth token, fixed", "auth token, fixed", "ASCII stays as it is"),
    ("Größe", "Größe", "other alphabets stay as they are"),
    ("Привет мир", "Привет мир", "Cyrillic has spaces of its own"),
    ("हिन्दी", "हिन्दी", "so has Devanagari"),
    ("Cafe\u0301", "Café", "one spelling of é: composed"),
    ("日本語", "日 本 語", "Han"),
    ("認証エラー", "認 証 エ ラ ー", "Katakana, the long-vowel sign included"),
    ("ﾃｽﾄ", "ﾃ ｽ ﾄ", "half-width Katakana"),
    ("ひらがな", "ひ ら が な", "Hiragana"),
    ("か\u3099", "が", "a voicing mark is composed with its letter"),
    ("한국어", "한 국 어", "Hangul"),
    ("人々〆\u3007", "人 々 〆 \u3007", "signs that repeat or stand for a Han letter"),
    ("𠮷野家", "𠮷 野 家", "Han beyond the first plane"),
    ("ที่นี่", "ที่ นี่", "Thai marks stay with their letter"),
    ("ພາສາລາວ", "ພ າ ສ າ ລ າ ວ", "Lao"),
    ("ខ្មែរ", "ខ្ មែ រ", "Khmer"),
    ("မြန်မာ", "မြ န် မာ", "Myanmar"),
    ("v2版のtoken", "v2 版 の token", "a run ends where another script begins"),
    ("日本、東京", "日 本 、 東 京", "punctuation stands apart as well"),
    ("日本 東京", "日 本 東 京", "there is a space already"),
    ("日\n本", "日\n本", "a line break is a space"),
    ("", "", "nothing stays nothing"),
]


@pytest.mark.parametrize(("text", "expected", "because"), SPACED)
def test_letters_of_scripts_without_spaces_stand_alone(
    text: str, expected: str, because: str
) -> None:
    assert spaced(text) == expected, because


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=200)
def test_spacing_twice_changes_nothing_more(text: str) -> None:
    assert spaced(spaced(text)) == spaced(text)


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=200)
def test_only_spaces_are_added_to_the_composed_text(text: str) -> None:
    assert spaced(text).replace(" ", "") == unicodedata.normalize("NFC", text).replace(" ", "")


def test_a_crowd_of_marks_costs_linear_time() -> None:
    """Normalising a run of n marks takes n² steps; this one would take more than ten minutes."""
    hostile = "a" + "\u0301\u0327" * 250_000
    started = time.process_time()
    assert spaced(hostile).startswith("á")
    assert time.process_time() - started < 20


SEARCHABLE = [
    ("a", True),
    ("7", True),
    ("語", True),
    ("...x", True),
    ("Ⅷ", True),
    ("", False),
    ("😀 🎉", False),
    ("_", False),
    ("-/()", False),
    ("\u0301", False),
]


@pytest.mark.parametrize(("text", "expected"), SEARCHABLE)
def test_only_letters_and_digits_can_be_found(text: str, expected: bool) -> None:
    assert is_searchable(text) is expected


COUNTS = [
    ("auth token", 2),
    ("foo_bar-baz", 3),
    ("日本語", 3),
    ("😀", 0),
]


@pytest.mark.parametrize(("text", "expected"), COUNTS)
def test_words_are_counted_as_the_index_cuts_them(text: str, expected: int) -> None:
    assert word_count(text) == expected
