"""Images by their bytes: which type they are, and whether they may be kept.

What the sender calls them decides nothing. Pixels are never decoded here; the header tells how many
there are, and an image that would need gigabytes to be shown is refused.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Iterator

from recollect.model.frame import Image
from recollect.model.frame_errors import InvalidImage

LARGEST = 10 * 1024 * 1024
"""Bytes; an image of just this size is kept."""
MOST_PIXELS = 100_000_000
"""As many as a very large photograph has. A bomb of a few kilobytes says that it has billions."""

SVG = "image/svg+xml"
TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", SVG)

_SPACE = re.compile(r"[ \t\r\n]+")
_PNG = b"\x89PNG\r\n\x1a\n"
_GIFS = (b"GIF87a", b"GIF89a")
_STARTS_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
# What may stand before the first element: declarations, comments, a document type without a subset.
_PROLOGUE = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE\s[^\[>]*>)*+<(?:[\w.-]+:)?svg[\s/>]", re.DOTALL
)


def decoded(text: str) -> Image:
    """The image in a base64 text; `InvalidImage` says what is wrong with it."""
    packed = _SPACE.sub("", text)
    if len(packed) // 4 * 3 > LARGEST + 3:
        raise _too_large(len(packed) // 4 * 3)
    try:
        data = base64.b64decode(packed.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise InvalidImage("the data is not base64") from error
    return checked(data)


def checked(data: bytes) -> Image:
    """The image that these bytes are."""
    if not data:
        raise InvalidImage("the data is empty")
    if len(data) > LARGEST:
        raise _too_large(len(data))
    mime_type = _type_of(data)
    if mime_type is None:
        raise InvalidImage("the data is no PNG, JPEG, GIF, WebP or SVG image")
    if mime_type != SVG:
        _check_size(mime_type, data)
    return Image(mime_type, data)


def _too_large(size: int) -> InvalidImage:
    return InvalidImage(f"the image has {size} bytes; at most {LARGEST}", size=size, most=LARGEST)


def _type_of(data: bytes) -> str | None:
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(_GIFS):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return SVG if _is_svg(data) else None


def _is_svg(data: bytes) -> bool:
    """UTF-8, or it would have to be parsed to know. An entity can grow without end: none may be
    declared, so a document type with a subset is not accepted at all."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return _PROLOGUE.match(text) is not None


def _check_size(mime_type: str, data: bytes) -> None:
    try:
        width, height = _READERS[mime_type](data)
    except (struct.error, IndexError) as error:
        raise InvalidImage(f"the {mime_type} data ends within its header") from error
    if width <= 0 or height <= 0:
        raise InvalidImage(f"the {mime_type} data has no readable size")
    if width * height > MOST_PIXELS:
        raise InvalidImage(
            f"the image has {width} × {height} pixels; at most {MOST_PIXELS}",  # noqa: RUF001
            width=width,
            height=height,
        )


def _png_size(data: bytes) -> tuple[int, int]:
    if data[12:16] != b"IHDR":
        return 0, 0
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int]:
    for marker, at in _segments(data):
        if marker in _STARTS_OF_FRAME:
            height, width = struct.unpack_from(">HH", data, at + 3)
            return width, height
    return 0, 0


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Marker and place of each segment's length, up to where the picture itself begins."""
    at = 2
    while True:
        if data[at] != 0xFF:
            return
        while data[at] == 0xFF:  # as many as a writer likes
            at += 1
        marker = data[at]
        at += 1
        if marker in _BARE_MARKERS:
            continue
        if marker in (0xD9, 0xDA):
            return
        yield marker, at
        (length,) = struct.unpack_from(">H", data, at)
        at += max(length, 2)


def _webp_size(data: bytes) -> tuple[int, int]:
    chunk = data[12:16]
    if chunk == b"VP8X" and data[29:]:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


_READERS = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/gif": _gif_size,
    "image/webp": _webp_size,
}
