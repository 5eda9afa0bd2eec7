"""A frame: a snapshot of work, kept on purpose, so that it can be taken up again.

What its modules may be called is the policy's; how its images are told apart is `picture`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.model.clock import MINUTE

PREFIX = "frame-"
ID_BYTES = 16
"""Random bytes that an id is made of."""
LONGEST_ID = 200
"""Characters."""
BUCKET = 5 * MINUTE
"""Frames that say the same within one of these are one. Fixed, not sliding: so it is published."""

_START = datetime(1970, 1, 1)  # UTC, as all times of the core


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Where the work stood."""

    next_action: str
    blockers: tuple[str, ...] = ()
    merge_blockers: tuple[str, ...] = ()
    tests_failing: tuple[str, ...] = ()

    @property
    def all_blockers(self) -> tuple[str, ...]:
        """Whatever stands in the way, each once, in the order in which it is told."""
        return tuple(dict.fromkeys((*self.blockers, *self.merge_blockers)))


@dataclass(frozen=True, slots=True)
class Image:
    mime_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ImageNote:
    """An image without its bytes; `number` counts from 1 within its frame."""

    number: int
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDraft:
    """A frame that is not stored yet."""

    reference_point: str
    summary_caption: str
    status: Status
    module_scope: tuple[str, ...]
    """In the order, and as often, as they were named."""
    branch: str
    at: int
    jira: str | None = None
    keywords: tuple[str, ...] = ()
    atlas_frame_id: str | None = None
    feature_flags: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    run_id: str | None = None
    plan_hash: str | None = None
    spend: Mapping[str, int] | None = None
    user_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame(FrameDraft):
    """A frame as it stands in the store."""

    id: str
    """As it is published; opaque."""
    memory_id: int
    project: str
    images: tuple[ImageNote, ...] = ()
    is_live: bool = True
    """False when it was retired: then it is found no more, and stays readable by its id."""


def frame_id(at: int, digits: bytes) -> str:
    """An id as it is published, made of the time and random bytes."""
    digits = digits[:ID_BYTES]
    number = int.from_bytes(digits, "big") & ~(0xF << 76) | (4 << 76)  # version 4,
    number = number & ~(0x3 << 62) | (0x2 << 62)  # of the usual variant
    text = f"{number:032x}"
    parts = (text[:8], text[8:12], text[12:16], text[16:20], text[20:])
    return f"{PREFIX}{at}-{'-'.join(parts)}"


def content_hash(draft: FrameDraft) -> str:
    """The same for frames that are one: same words, modules and next action in one bucket."""
    said = {
        "reference_point": draft.reference_point,
        "summary_caption": draft.summary_caption,
        "module_scope": sorted(draft.module_scope, key=_code_units),
        "next_action": draft.status.next_action,
        "timestamp_bucket": _shown(draft.at // BUCKET * BUCKET),
    }
    compact = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(compact.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(draft: FrameDraft) -> str:
    """The frame as one text: what every other door finds and shows of it."""
    return draft.reference_point + "\n" + draft.summary_caption + _tail(draft)


def caption_in(text: str, frame: FrameDraft) -> str:
    """What a new text for the frame's memory makes of its caption.

    Who changes the text may leave the first line, or the lines about status and modules, as they
    were: those are no part of the caption.
    """
    caption = text.removeprefix(f"{frame.reference_point}\n").removesuffix(_tail(frame))
    return caption.strip() or frame.summary_caption


def _tail(draft: FrameDraft) -> str:
    status = draft.status
    return "".join(
        f"\n{label}: {told}"
        for label, told in (
            ("Next", status.next_action),
            ("Blockers", _list(status.blockers)),
            ("Merge blockers", _list(status.merge_blockers)),
            ("Tests failing", _list(status.tests_failing)),
            ("Modules", _list(draft.module_scope)),
            ("Branch", draft.branch),
            ("Ticket", draft.jira),
            ("Keywords", _list(draft.keywords)),
        )
        if told
    )


def _list(items: Iterable[str]) -> str:
    return "; ".join(items)


def _shown(at: int) -> str:
    moment = _START + timedelta(milliseconds=at)
    return moment.isoformat(timespec="milliseconds") + "Z"


def _code_units(text: str) -> bytes:
    """As the published clients sort texts: by their UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")
