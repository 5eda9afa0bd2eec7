"""What an agent said last, read from the end of its transcript, on the hot path.

Three forms are known: Claude Code's nested messages, plain lines with a role, and Codex's payloads.
Only what was said after the user's last words counts: a transcript is written late, and what stands
at its end may belong to the turn before. What the agent thought is `transcript`'s business.
"""

from __future__ import annotations

import os
import stat

from recollect.capture import codec
from recollect.model.errors import MalformedEvent

LIMIT = 512 * 1024
"""Bytes from the end that are read: a turn's last words are not far from it."""
TEXTS = frozenset({"text", "output_text"})
USER, ASSISTANT = "user", "assistant"


def last_words(path: str, *, limit: int = LIMIT) -> str:
    """The agent's last message in this turn; nothing when the file cannot tell."""
    for line in reversed(_tail(path, limit).splitlines()):
        speaker, words = _spoken(line)
        if words and speaker == ASSISTANT:
            return words
        if words and speaker == USER:
            break
    return ""


def _tail(path: str, limit: int) -> bytes:
    try:
        # Without waiting: a FIFO or a device under this name must not hold up the hook.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return b""  # transcripts are written late and removed after a month
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b""
        start = max(found.st_size - limit, 0)
        os.lseek(descriptor, start, os.SEEK_SET)
        blob = os.read(descriptor, limit)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
    return blob.partition(b"\n")[2] if start else blob  # its first line is cut


def _spoken(line: bytes) -> tuple[str | None, str]:
    """Who speaks in this line, and the words; tools' answers are nobody's words."""
    try:
        record = codec.parse(line)
    except MalformedEvent:
        return None, ""  # a blank line, or one that is still being written
    if not isinstance(record, dict) or record.get("isSidechain") is True:
        return None, ""  # a helper's words are not the agent's
    payload = record.get("payload")
    said = payload if isinstance(payload, dict) else record
    message = said.get("message")
    if isinstance(message, dict):
        speaker = message.get("role", record.get("role", record.get("type")))
        content = message.get("content")
    else:
        speaker, content = said.get("role"), said.get("content")
    if record.get("isMeta") is True or speaker not in (USER, ASSISTANT):
        return None, ""
    return str(speaker), _text(content).strip()


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (
        block.get("text")
        for block in content
        if isinstance(block, dict) and (block.get("type") in TEXTS or block.get("type") is None)
    )
    return "\n".join(text for text in texts if isinstance(text, str))
