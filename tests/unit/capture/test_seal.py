"""A sealed entry shows nothing without its key, and notices every change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.capture.seal import SealBroken, is_sealed, seal, unseal

KEY = bytes(range(32))
OTHER_KEY = bytes(32)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_opens_with_its_key_to_what_was_sealed(plain: bytes) -> None:
    sealed = seal(KEY, plain)
    assert unseal(KEY, sealed) == plain
    assert is_sealed(sealed)


def test_stays_shut_under_another_key() -> None:
    with pytest.raises(SealBroken):
        unseal(OTHER_KEY, seal(KEY, b"text"))


def test_notices_the_change_of_any_single_bit() -> None:
    sealed = seal(KEY, b"one short text")
    for place in range(len(sealed) * 8):
        changed = bytearray(sealed)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(SealBroken):
            unseal(KEY, bytes(changed))


@pytest.mark.parametrize("cut", range(60))
def test_notices_a_missing_end(cut: int) -> None:
    with pytest.raises(SealBroken):
        unseal(KEY, seal(KEY, b"one short text")[:cut])


def test_seals_the_same_text_differently_each_time() -> None:
    assert seal(KEY, b"same text") != seal(KEY, b"same text")


def test_shows_nothing_of_the_text() -> None:
    plain = b"the password is swordfish " * 1_000
    sealed = seal(KEY, plain)
    assert b"swordfish" not in sealed
    assert len(set(sealed)) == 256  # every byte value occurs: no pattern of the text is left


def test_a_plain_entry_is_not_sealed() -> None:
    assert not is_sealed(b'{"v":1}')


def test_a_key_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal(b"short", b"text")
