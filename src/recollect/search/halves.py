"""Vectors as they are kept: little-endian half floats of length 1, and back to single floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
Ids = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

BYTES_EACH = 2
TOLERANCE = 0.01
"""How far from 1 a length may be: rounding to half floats moves it by less than a tenth of this."""

_KEPT_BITS: Final = np.int32(-0x70002000)  # 0x8fffe000: sign, exponent and mantissa
_REBASED: Final = np.float32(2.0**112)


def packed(rows: Floats) -> list[bytes]:
    """The bytes of each row."""
    return [row.tobytes() for row in rows.astype("<f2")]


def unpacked(blobs: Sequence[bytes], dimension: int) -> Halves:
    """Rows of the bytes of each vector. Every one must have the right length."""
    rows = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), dimension)
    return rows.astype(np.float16, copy=False)


def widened(rows: Halves) -> Floats:
    """The same numbers as single floats. NaN and infinity, which no vector has, are not kept.

    numpy converts one half float at a time, 3 ns each. Moving the bits into their places is exact
    and four times as fast: the sign, five bits of exponent and ten of mantissa go up by 13, and
    the factor makes good that a single float counts its exponent from another zero.
    """
    bits = rows.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= _KEPT_BITS
    wide = bits.view(np.float32)
    wide *= _REBASED
    return wide


def dots(rows: Floats, query: Floats) -> Floats:
    """The product of each row with the query, to the bit the same wherever the row stands.

    A matrix product adds up in another order for the last rows of a block: the last digit of a
    memory's cosine would depend on its neighbours.
    """
    product: Floats = np.einsum("ij,j->i", rows, query)
    return product


def are_unit(rows: Floats) -> Booleans:
    """Which rows are vectors of length 1; one with NaN or infinity is none."""
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    near: Booleans = np.abs(lengths - 1.0) <= TOLERANCE
    return near
