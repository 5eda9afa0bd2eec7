"""Images are told by their bytes, and what would harm whoever shows it is refused."""

from __future__ import annotations

import base64
import struct
import zlib

import pytest

from promises import last, promise
from recollect.model.frame_errors import InvalidImage
from recollect.model.picture import LARGEST, checked, decoded


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int = 1, height: int = 1) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def jpeg(width: int = 1, height: int = 1) -> bytes:
    app = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + bytes(9)
    frame = b"\xff\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + bytes(3)
    return b"\xff\xd8" + app + frame + b"\xff\xda\0\x02\xff\xd9"


def gif(width: int = 1, height: int = 1) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def webp(kind: bytes, rest: bytes) -> bytes:
    body = b"WEBP" + kind + struct.pack("<I", len(rest)) + rest
    return b"RIFF" + struct.pack("<I", len(body)) + body


LOSSY = webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 3, 4))
LOSSLESS = webp(b"VP8L", b"\x2f" + struct.pack("<I", 2 | 3 << 14))
EXTENDED = webp(b"VP8X", bytes(4) + (99).to_bytes(3, "little") + (49).to_bytes(3, "little"))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'

KEPT = [
    # data                                  type             because
    (png(), "image/png", "a PNG image"),
    (jpeg(), "image/jpeg", "a JPEG image, its fill bytes and first segment skipped"),
    (gif(), "image/gif", "a GIF image"),
    (LOSSY, "image/webp", "a WebP image, lossy"),
    (LOSSLESS, "image/webp", "a WebP image, lossless"),
    (EXTENDED, "image/webp", "a WebP image, extended"),
    (SVG, "image/svg+xml", "an SVG image"),
    (
        b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <html> --><!DOCTYPE svg PUBLIC "a" "b">\n' + SVG,
        "image/svg+xml",
        "an SVG image with all that may come first",
    ),
    (png().ljust(LARGEST, b"\0"), "image/png", "just as large as is allowed"),
    (png(10_000, 10_000), "image/png", "just as many pixels as are allowed"),
]


@promise("lex:images:sniffed")
@pytest.mark.parametrize(("data", "mime_type", "because"), KEPT, ids=last)
def test_the_bytes_say_what_it_is(data: bytes, mime_type: str, because: str) -> None:
    image = decoded(base64.b64encode(data).decode())
    assert (image.mime_type, image.data) == (mime_type, data), because


REFUSED = [
    # data                                  said                 because
    (b"", "empty", "nothing is no image"),
    (b"hello", "no PNG", "words are no image"),
    (b"<html><svg/></html>", "no PNG", "a page with an SVG in it is a page"),
    (b"<svgs>", "no PNG", "an element with another name"),
    (b"\xff\xfe<\0s\0v\0g\0>\0", "no PNG", "an SVG in UTF-16 is not looked into"),
    (b'<!DOCTYPE svg [<!ENTITY a "aa">]>' + SVG, "no PNG", "entities can grow without end"),
    (png()[:20], "header", "a PNG that ends too early"),
    (b"\x89PNG\r\n\x1a\n" + b"junk" * 9, "size", "a PNG signature with junk behind it"),
    (jpeg()[:8], "header", "a JPEG that ends too early"),
    (b"\xff\xd8\xff\xd9", "size", "a JPEG without a picture"),
    (gif()[:8], "header", "a GIF that ends too early"),
    (gif(0, 5), "size", "a GIF without pixels"),
    (webp(b"JUNK", bytes(20)), "size", "a WebP of no known sort"),
    (EXTENDED[:26], "size", "a WebP that ends too early"),
    (png(60_000, 60_000), "pixels", "a bomb says how large it would become"),
    (jpeg(60_000, 60_000), "pixels", "a bomb may be a JPEG"),
    (png().ljust(LARGEST + 1, b"\0"), "at most", "one byte more than is allowed"),
]


@promise("lex:images:sniffed")
@pytest.mark.parametrize(("data", "said", "because"), REFUSED, ids=last)
def test_what_is_no_image_is_refused(data: bytes, said: str, because: str) -> None:
    with pytest.raises(InvalidImage, match=said):
        checked(data)


BROKEN = [
    # text                                          said          because
    ("%%%", "not base64", "other characters than base64 has"),
    ("iVBORw0KGgo", "not base64", "cut off within a group"),
    ("ïVBORw0KGgo=", "not base64", "letters beyond ASCII"),
    ("data:image/png;base64,iVBORw0KGgo=", "not base64", "an address is no data"),
    ("A" * (LARGEST // 3 * 4 + 8), "at most", "too long to be decoded at all"),
    ("", "empty", "nothing"),
]


@promise("lex:images:sniffed")
@pytest.mark.parametrize(("text", "said", "because"), BROKEN, ids=last)
def test_what_is_no_base64_is_refused(text: str, said: str, because: str) -> None:
    with pytest.raises(InvalidImage, match=said):
        decoded(text)


def test_base64_may_be_broken_into_lines() -> None:
    text = base64.encodebytes(png() * 3).decode()
    assert "\n" in text
    assert decoded(text).data == png() * 3


def test_a_hostile_prologue_is_read_in_linear_time() -> None:
    with pytest.raises(InvalidImage):
        checked(b"<!---->" * 200_000 + b" " * 200_000 + b"<!--" * 200_000)
