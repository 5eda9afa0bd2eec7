"""What an agent thought, read from its transcript a piece at a time. Not on the hot path.

A transcript is a file of JSON lines that the host writes to while we read: only whole lines count,
and the position after the last of them is where the next reading starts. Only Claude Code's form.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import dataclass
from datetime import UTC, datetime

from recollect.capture.gate import head
from recollect.privacy.clean import Rules, clean_text
from recollect.privacy.tags import strip_private

LIMIT = 8 * 1024 * 1024
THOUGHT = 2_000
WINDOW = 4 * THOUGHT


@dataclass(frozen=True, slots=True)
class Thought:
    """`at` in milliseconds, when the transcript says when."""

    text: str
    at: int | None
    is_redacted: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """`skipped` lines were not JSON objects."""

    thoughts: tuple[Thought, ...]
    position: int
    skipped: int = 0


def thoughts(
    path: str, position: int, *, rules: Rules, until: int = sys.maxsize, limit: int = LIMIT
) -> Reading:
    """The thoughts after `position`, cleaned; at most `limit` bytes are read at a time.

    Nothing behind `until` is read: what an agent thought after an event is not part of it.

    A file that cannot be read has none: transcripts are written late and removed after a month.
    """
    chunk = _chunk(path, position, until, limit)
    if chunk is None:
        return Reading((), position)
    start, blob = chunk
    end = blob.rfind(b"\n") + 1
    if not end and len(blob) >= limit:
        # A line longer than a whole reading. Its rest will not parse either, and is skipped too.
        return Reading((), start + len(blob), skipped=1)
    found: list[Thought] = []
    skipped = 0
    for line in blob[:end].splitlines():
        try:
            record = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            skipped += 1
            continue
        found += _thoughts_in(record, rules)
    return Reading(tuple(found), start + end, skipped)


def _chunk(path: str, position: int, until: int, limit: int) -> tuple[int, bytes] | None:
    try:
        # Without waiting: a FIFO or a device under this name must not hold up the reader.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        start = position if 0 <= position <= found.st_size else 0  # shorter: it is a new file
        file.seek(start)
        return start, file.read(min(limit, max(until - start, 0)))


def _thoughts_in(record: object, rules: Rules) -> list[Thought]:
    if not isinstance(record, dict) or record.get("type") != "assistant":
        return []
    message = record.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    if not isinstance(blocks, list):
        return []
    at = _at(record.get("timestamp"))
    texts = [
        block["thinking"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "thinking"
        and isinstance(block.get("thinking"), str)
    ]
    cleaned = [_cleaned(text, at, rules) for text in texts]
    return [thought for thought in cleaned if thought.text]


def _cleaned(text: str, at: int | None, rules: Rules) -> Thought:
    public, _ = strip_private(head(text.strip(), WINDOW))
    clean, is_redacted = clean_text(public, rules)
    return Thought(clean.strip()[:THOUGHT], at, is_redacted)


def _at(stamp: object) -> int | None:
    if not isinstance(stamp, str):
        return None
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp() * 1000)
