"""What a text costs a model that reads it, in tokens: the one estimate, stated here once.

No tokenizer is asked, as each model has its own; the estimate is meant to lie above what they
count. A piece is a run of letters as identifiers are made of (`parse`, `Config`); pieces never
reach across a line's end, so a text costs what its lines cost, and one more for each line's end.
"""

from __future__ import annotations

import re

LETTERS = 4
"""Letters of a to z in a token, at most: `read` is one, `reading` is two."""
SPACES = 4
"""Spaces in a token, where more than one stand together; a single one belongs to its word."""

_PIECE = re.compile(r"[A-Z]+[a-z]*|[a-z]+| {2,}|[^\x00-\x7f]+|[^ ]")


def tokens(text: str) -> int:
    """How many tokens the text counts for.

    Of plain letters four are a token. Every digit, every other sign of ASCII and every line's end
    is one. Any other character counts for its UTF-8 bytes less one: é 1, 字 2, an emoji 3.
    """
    return sum(_cost(piece) for piece in _PIECE.findall(text))


def longest_prefix(text: str, most: int) -> int:
    """How many characters of the text cost no more than this."""
    left = most
    for found in _PIECE.finditer(text):
        cost = _cost(found[0])
        if cost > left:
            return found.start() + _part(found[0], left)
        left -= cost
    return len(text)


def _cost(piece: str) -> int:
    if not piece.isascii():
        return len(piece.encode("utf-8", "surrogatepass")) - len(piece)
    if piece[0] == " ":
        return -(-len(piece) // SPACES)
    return -(-len(piece) // LETTERS)


def _part(piece: str, left: int) -> int:
    """How many characters of a piece that does not fit cost no more than what is left."""
    if piece.isascii():
        return left * (SPACES if piece[0] == " " else LETTERS)
    for count, character in enumerate(piece):
        left -= _cost(character)
        if left < 0:
            return count
    return len(piece)
