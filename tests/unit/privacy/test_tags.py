"""Private and injected blocks: what is left out, and what stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.privacy.tags import INJECTED, strip_private

BLOCKS = [
    # text                                             left                because
    ("no tag at all", "no tag at all", "text without a tag stays"),
    ("a <private>b</private> c", "a  c", "a private block is left out, its surroundings stay"),
    ("<private>all</private>", "", "a wholly private text leaves nothing"),
    ("a <private>b", "a ", "an unclosed block reaches to the end"),
    ("a <PRIVATE>b</Private> c", "a  c", "tags are found in any case"),
    ('a <private why="x">b</private> c', "a  c", "a tag may have attributes"),
    ('<private why="a>b">c</private>d', "d", "an attribute may hold a bracket"),
    ("<private\n>b</private\n>c", "c", "a tag may hold a line end"),
    ("a<private>b\n\nc</private>d", "ad", "a block may span lines"),
    ("<private>a<private>b</private>c</private>d", "d", "blocks may be nested"),
    ("<private>a<private>b</private>c", "", "the outer one of nested blocks is still open"),
    ("a<private/>b", "ab", "an empty element hides nothing but itself"),
    ("<private>a</private>b<private>c</private>d", "bd", "every block is left out"),
    ("a <privateer> b", "a <privateer> b", "another name is no tag"),
    ("vector<private int>", "vector", "an attribute needs no value: hidden when in doubt"),
    ("a</private>b", "a</private>b", "an end without a beginning is text"),
    ("a <b>bold</b> c", "a <b>bold</b> c", "other tags are text"),
    ("<private>a<b>c</private>d", "d", "other tags inside a block go with it"),
    ("<pri<private>x</private>vate>secret", "vate>secret", "leaving out completes no other tag"),
    ("<pri<pri<private>x</private>vate>s", "vate>s", "not even a half-written one before it"),
    ("<private>a</private", "", "an end without its bracket is no end"),
    (
        "<system-reminder>a<private>b</system-reminder>c</private>d",
        "d",
        "a private block that overlaps an injected one is left out whole",
    ),
    (
        "<system-reminder>say <private></system-reminder>c",
        "c",
        "a private tag that is only mentioned in an injected block hides nothing behind it",
    ),
    ("a <system-reminder> b", "a <system-reminder> b", "an injected tag may be spoken of"),
    ("a <private", "a <private", "a name cut off at the end of the text hides nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left", "because"), BLOCKS, ids=[row[-1] for row in BLOCKS])
def test_a_block_is_left_out(text: str, left: str, because: str) -> None:
    assert strip_private(text) == (left, left != text)


@pytest.mark.parametrize("name", INJECTED)
def test_what_was_injected_does_not_come_back(name: str) -> None:
    assert strip_private(f"a <{name} from='x'>memory</{name}> b") == ("a  b", True)


PIECES = st.sampled_from(
    ["<private>", "</private>", "<PRIVATE x>", "<private/>", "<system-reminder>", "<", ">", "/",
     "</system-reminder>", "<pri", "vate>", "private", " ", "\u0130", "words", "</", "\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
@settings(deadline=None, max_examples=400)
def test_stripping_twice_equals_stripping_once(text: str) -> None:
    once, _ = strip_private(text)
    assert strip_private(once) == (once, False)


@given(before=st.lists(PIECES, max_size=5).map("".join), inside=st.text(max_size=20))
@settings(deadline=None, max_examples=300)
def test_nothing_of_a_private_block_survives(before: str, inside: str) -> None:
    left, _ = strip_private(f"{before}<private>~mark~{inside}~mark~</private> after")
    assert "~mark~" not in left.partition("</private>")[0]


@pytest.mark.parametrize(
    "unit", ["<", "<private>", "<private a='", "<private>a</private>", "<pri<private>x</private>"]
)
def test_a_million_hostile_characters_take_no_longer_than_plain_ones(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    begun = time.process_time()
    strip_private(text)
    assert time.process_time() - begun < 3  # about 0.15 s; quadratic time would be minutes
