"""Vectors by their signs only: one bit for each number, and how many bits two of them differ in.

A thirty-second of the bytes tells which few thousand of a million rows may be near; what they are
worth is then computed from the rows themselves. Words are kept column by column, so that each step
runs over one stretch of memory.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from recollect.search.halves import Booleans, Floats, Halves, Ids

Words = npt.NDArray[np.uint64]
Distances = npt.NDArray[np.uint16]

WORD = 64
CHUNK = 1 << 16
"""Rows at a time: what is worked on stays in the processor's cache."""
OUT = np.uint16(0xFFFF)
"""The distance of a row that must not be found."""


def words_for(dimension: int) -> int:
    return -(-dimension // WORD)


def signs_of(rows: Halves | Floats) -> Words:
    """The bits of each row, in columns: word w of row i stands at [w, i]."""
    count, dimension = rows.shape
    bits = np.zeros((count, words_for(dimension) * WORD), dtype=np.bool_)
    # As whole numbers half floats have the same signs, and are compared ten times as fast.
    numbers = rows.view(np.int16) if rows.dtype == np.float16 else rows
    np.greater(numbers, 0, out=bits[:, :dimension])
    packed = np.packbits(bits, axis=1, bitorder="little").view("<u8")
    return np.ascontiguousarray(packed.T.astype(np.uint64, copy=False))


def distances(signs: Words, query: Floats) -> Distances:
    """In how many bits each row differs from the query."""
    sought = signs_of(query[None, :])[:, 0]
    count = signs.shape[1]
    sums = np.empty(count, dtype=np.uint16)
    differing = np.empty(min(CHUNK, count), dtype=np.uint64)
    counted = np.empty(min(CHUNK, count), dtype=np.uint8)
    for start in range(0, count, CHUNK):
        end = min(start + CHUNK, count)
        here, bits, ones = sums[start:end], differing[: end - start], counted[: end - start]
        here[:] = 0
        for column, word in zip(signs, sought, strict=True):
            np.bitwise_xor(column[start:end], word, out=bits)
            np.bitwise_count(bits, out=ones)
            here += ones
    return sums


def closest(found: Distances, wanted: int, allowed: Booleans | None) -> Ids:
    """The rows with the smallest distances, about as many as wanted; of equal ones the last.

    Halving the bound until it lets enough through is twelve counts over the distances; a sort is
    a hundred times that.
    """
    if allowed is not None:
        np.putmask(found, ~allowed, OUT)
    low, high = 0, int(OUT) - 1
    while low < high:
        middle = (low + high) // 2
        if np.count_nonzero(found <= middle) >= wanted:
            high = middle
        else:
            low = middle + 1
    within = np.flatnonzero(found < low)
    # The same text a hundred thousand times has one distance: the bound alone would let all in.
    at_the_bound = np.flatnonzero(found == low)[-max(wanted - len(within), wanted // 4) :]
    return np.concatenate([within, at_the_bound])
