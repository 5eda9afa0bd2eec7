"""What happened in an agent, after the hook has cleaned it: five kinds of event.

An event's `key` is the same for every copy of one host event; `at` is when the hook saw it.
`capture.scrub` writes these as JSON into the spool; `of` reads them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.model.errors import EntryTooNew, MalformedEvent

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What every event has."""

    key: str
    session_id: str
    project: str
    cwd: str
    platform: str
    at: int
    source_event: str
    transcript_path: str | None = None
    transcript_size: int = 0
    """Bytes that the transcript had at this moment; what was written later is not the event's."""
    is_redacted: bool = False


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session began, or went on after `resume`, `clear` or `compact`."""

    head: Head
    source: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The user said something. A wholly private prompt has no text left."""

    head: Head
    text: str
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The agent used a tool. Large or private input is already cut down to its gist."""

    head: Head
    tool: str
    input: Mapping[str, object]
    response: str = ""
    is_failed: bool = False
    exit_code: int | None = None
    marks: Mapping[str, object] = field(default_factory=dict)
    """Fingerprints of what was left out: `content_sha256`, `content_length`."""


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The agent came to the end of what it was asked, and said this last."""

    head: Head
    text: str


@dataclass(frozen=True, slots=True)
class SessionStop:
    """The agent stopped, or the session ended."""

    head: Head
    reason: str


Event = SessionStart | Prompt | ToolUse | TurnEnd | SessionStop


def of(document: object) -> Event:
    """The event in a spool document; `MalformedEvent` says what is wrong with it."""
    if not isinstance(document, dict):
        raise MalformedEvent("the entry is not a JSON object")
    version = document.get("v")
    if isinstance(version, int) and version > VERSION:
        raise EntryTooNew(f"the entry has version {version}, and this program knows {VERSION}")
    if version != VERSION:
        raise MalformedEvent(f"the entry has version {version!r}, not {VERSION}")
    head = Head(
        key=_text(document, "key"),
        session_id=_text(document, "session_id"),
        project=_text(document, "project"),
        cwd=_text(document, "cwd"),
        platform=_text(document, "platform"),
        at=_whole(document, "at"),
        source_event=_text(document, "source_event"),
        transcript_path=_text(document, "transcript_path")
        if "transcript_path" in document
        else None,
        transcript_size=_whole(document, "transcript_size") if "transcript_path" in document else 0,
        is_redacted=document.get("is_redacted") is True,
    )
    kind = document.get("kind")
    if kind == "session_start":
        return SessionStart(head, _text(document, "source"))
    if kind == "prompt":
        return Prompt(head, _text(document, "text"), document.get("is_private") is True)
    if kind == "tool_use":
        code = document.get("exit_code")
        return ToolUse(
            head,
            tool=_text(document, "tool"),
            input=_mapping(document, "input"),
            response=_text(document, "response") if "response" in document else "",
            is_failed=document.get("is_failed") is True,
            exit_code=code if isinstance(code, int) else None,
            marks=_mapping(document, "marks") if "marks" in document else {},
        )
    if kind == "turn_end":
        return TurnEnd(head, _text(document, "text"))
    if kind == "session_stop":
        return SessionStop(head, _text(document, "reason"))
    raise MalformedEvent(f"the entry has the unknown kind {kind!r}")


def _text(document: dict[str, object], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise MalformedEvent(f"the entry's {name} is not a text")
    return value


def _whole(document: dict[str, object], name: str) -> int:
    value = document.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedEvent(f"the entry's {name} is not a whole number")
    return value


def _mapping(document: dict[str, object], name: str) -> dict[str, object]:
    value = document.get(name)
    if not isinstance(value, dict):
        raise MalformedEvent(f"the entry's {name} is not an object")
    return value
