"""Fingerprints are equal for equal things, differ for others, and show nothing of either."""

from __future__ import annotations

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.capture.fingerprint import fingerprint, sha256

PARTS = st.lists(st.text(max_size=5), min_size=1, max_size=3)


@settings(max_examples=100, deadline=None)
@given(PARTS, PARTS)
def test_is_equal_for_equal_parts_only(one: list[str], other: list[str]) -> None:
    assert (fingerprint(*one) == fingerprint(*other)) == (one == other)


def test_is_32_hexadecimal_digits_whatever_the_parts_hold() -> None:
    digits = fingerprint("session \0", "\ud800 half a pair")
    assert len(digits) == 32
    assert set(digits) <= set("0123456789abcdef")


def test_sha256_is_the_one_that_everybody_computes() -> None:
    assert sha256(b"content") == hashlib.sha256(b"content").hexdigest()
