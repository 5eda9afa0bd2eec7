"""Leaves out what stands between private tags, and context that a memory product injected.

Only tags are known here; secrets are found elsewhere. No regular expressions: one pass over the
text, split at every `<`, is linear whatever the text holds, and needs no import.
"""

from __future__ import annotations

PRIVATE = "private"

# What is injected into a session must not come back as a memory of that session.
INJECTED = (
    "recollect-context",
    "claude-mem-context",
    "codemem-context",
    "codexmem-context",
    "lex-context",
    "memento-context",
    "nmem-context",
    "persisted-output",
    "system-instruction",
    "system-reminder",
    "system_instruction",
)


def strip_private(text: str) -> tuple[str, bool]:
    """The text without private and injected blocks, and whether anything was left out.

    Tags may be nested, in any case, and carry attributes. A private block that is never closed
    reaches to the end of the text; an injected one that is never closed is only somebody's mention
    of the tag. What is left keeps its own white space.
    """
    if not _may_hold_a_tag(text):
        return text, False
    pieces = text.split("<")
    kept = [pieces[0]]
    last_ends = {name: _last_end(pieces, name) for name in _NAMES}
    index, removed = 1, False
    while index < len(pieces):
        name = _opened(pieces[index])
        if not name or (name != PRIVATE and last_ends[name] <= index):
            kept.append("<" + pieces[index])
            index += 1
            continue
        removed = True
        index, rest = _after_block(pieces, index, name, last_ends[PRIVATE])
        _drop_dangling(kept)
        kept.append(rest)
    return ("".join(kept), True) if removed else (text, False)


_NAMES = (PRIVATE, *INJECTED)
_OPENINGS = tuple("<" + name for name in _NAMES)
_LONGEST = max(len(name) for name in _NAMES)
_AFTER_NAME = (" ", "\t", "\r", "\n", "\f", "\v", "/", ">")


def _may_hold_a_tag(text: str) -> bool:
    if "<" not in text:
        return False
    lowered = text.lower()
    return any(opening in lowered for opening in _OPENINGS)


def _opened(piece: str) -> str:
    """The name of the block that this piece (the text after a `<`) opens, or nothing."""
    head = piece[: _LONGEST + 1].lower()
    if not head.startswith(_NAMES):
        return ""
    for name in _NAMES:
        # A name that runs into the next "<", or into the end of the text, opens nothing.
        if head.startswith(name) and head[len(name) : len(name) + 1] in _AFTER_NAME:
            return name
    return ""


def _closes(piece: str, name: str) -> bool:
    end = len(name) + 1
    if piece[:1] != "/" or piece[1:end].lower() != name:
        return False
    bracket = piece.find(">", end)
    return bracket >= 0 and not piece[end:bracket].strip()


def _is_empty_element(piece: str) -> bool:
    bracket = piece.find(">")
    return bracket > 0 and piece[bracket - 1] == "/"


def _after_block(
    pieces: list[str], index: int, name: str, last_private_end: int
) -> tuple[int, str]:
    """The index of the piece after the block that opens at `index`, and the text right behind it.

    A private block inside an injected one is respected even where the two overlap, as long as it
    is closed somewhere: what a person marked as private never depends on foreign tags.
    """
    depth, private_depth = 0, 0
    while index < len(pieces):
        piece = pieces[index]
        opened = _opened(piece)
        if opened == name:
            depth += not _is_empty_element(piece)
        elif opened == PRIVATE:
            private_depth += not _is_empty_element(piece)
        elif _closes(piece, name):
            depth -= depth > 0
        elif _closes(piece, PRIVATE):
            private_depth -= private_depth > 0
        index += 1
        if depth == 0 and (private_depth == 0 or index > last_private_end):
            return index, piece.partition(">")[2]
    return index, ""


def _last_end(pieces: list[str], name: str) -> int:
    for index in range(len(pieces) - 1, 0, -1):
        if _closes(pieces[index], name):
            return index
    return 0


def _drop_dangling(kept: list[str]) -> None:
    """Take a half-written tag off the end, so that leaving out a block cannot complete it."""
    while True:
        start = kept[-1].rfind("<")
        tail = kept[-1][start:].lower()
        if start < 0 or len(tail) > _LONGEST + 2 or not _begins_a_tag(tail):
            return
        kept[-1] = kept[-1][:start]
        if not kept[-1] and len(kept) > 1:
            kept.pop()


def _begins_a_tag(tail: str) -> bool:
    bare = tail.replace("</", "<", 1)
    return any(opening.startswith(bare) for opening in _OPENINGS)
