"""What makes two frames one, and how a frame reads as a memory."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from promises import last, promise
from recollect.model.frame import FrameDraft, Status, caption_in, content_hash, frame_id, text_of
from recollect.service import fields

AT = 1_789_999_800_000
"""The beginning of five minutes: 2026-09-21T14:10:00Z."""


def draft(**more: Any) -> FrameDraft:
    given: dict[str, Any] = {
        "reference_point": "that auth deadlock",
        "summary_caption": "Auth handshake timeout",
        "status": Status(next_action="Reroute", blockers=("review",)),
        "module_scope": ("ui/panel", "services/auth"),
        "branch": "main",
        "at": AT,
        **more,
    }
    return FrameDraft(**given)


SAME = [
    # changed                                        same   because
    ({"at": AT + 299_999}, True, "five minutes are one moment"),
    ({"at": AT + 300_000}, False, "the next five minutes are another"),
    ({"at": AT - 1}, False, "buckets are fixed and do not slide"),
    ({"module_scope": ("services/auth", "ui/panel")}, True, "modules are compared in order"),
    ({"module_scope": ("ui/panel",)}, False, "other modules are another frame"),
    ({"branch": "fix"}, True, "the branch is no part of it"),
    ({"jira": "T-1", "keywords": ("x",)}, True, "nor are ticket and keywords"),
    ({"status": Status(next_action="Reroute")}, True, "nor are blockers"),
    ({"status": Status(next_action="Wait")}, False, "the next action is"),
    ({"reference_point": "That auth deadlock"}, False, "letters count as they are"),
    ({"summary_caption": "Auth handshake"}, False, "so does the caption"),
]


@promise("lex:frames:content-hash")
@pytest.mark.parametrize(("changed", "is_same", "because"), SAME, ids=last)
def test_frames_that_say_the_same_at_one_time_are_one(
    changed: dict[str, Any], is_same: bool, because: str
) -> None:
    assert (content_hash(draft(**changed)) == content_hash(draft())) is is_same, because


@promise("lex:frames:content-hash")
def test_the_hash_is_the_published_one() -> None:
    text = (
        '{"reference_point":"naïve","summary_caption":"c","module_scope":["a","b"],'
        '"next_action":"n","timestamp_bucket":"2026-09-21T14:10:00.000Z"}'
    )
    made = draft(
        reference_point="naïve",
        summary_caption="c",
        module_scope=("b", "a"),
        status=Status(next_action="n"),
        at=AT + 61_234,
    )
    assert content_hash(made) == hashlib.sha256(text.encode()).hexdigest()
    assert made.module_scope == ("b", "a"), "the caller's order stays"


def test_modules_are_sorted_as_published_clients_sort() -> None:
    high, astral = "\uffee", "\U0001f600"  # by UTF-16 units the emoji comes first
    said = {
        "reference_point": "r",
        "summary_caption": "c",
        "module_scope": [astral, high],
        "next_action": "n",
        "timestamp_bucket": "2026-09-21T14:10:00.000Z",
    }
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    made = draft(
        reference_point="r",
        summary_caption="c",
        module_scope=(high, astral),
        status=Status(next_action="n"),
    )
    assert content_hash(made) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("at", [fields.EARLIEST, fields.LATEST, -1])
def test_the_calendar_has_ends_and_the_hash_none(at: int) -> None:
    assert len(content_hash(draft(at=at))) == 64


def test_an_id_tells_the_time_and_is_a_uuid_of_chance() -> None:
    assert frame_id(AT, bytes(16)) == f"frame-{AT}-00000000-0000-4000-8000-000000000000"
    assert frame_id(AT, b"\xff" * 16) == f"frame-{AT}-ffffffff-ffff-4fff-bfff-ffffffffffff"


FULL = draft(
    status=Status(
        next_action="Reroute",
        blockers=("review", "keys"),
        merge_blockers=("policy",),
        tests_failing=("test_add",),
    ),
    jira="TICKET-1",
    keywords=("auth", "timeout"),
)


def test_a_frame_is_read_in_lines() -> None:
    assert text_of(FULL).splitlines() == [
        "that auth deadlock",
        "Auth handshake timeout",
        "Next: Reroute",
        "Blockers: review; keys",
        "Merge blockers: policy",
        "Tests failing: test_add",
        "Modules: ui/panel; services/auth",
        "Branch: main",
        "Ticket: TICKET-1",
        "Keywords: auth; timeout",
    ]


TAIL = text_of(FULL).removeprefix("that auth deadlock\nAuth handshake timeout")
CAPTIONS = [
    # new text                                          caption              because
    ("solved by a pool", "solved by a pool", "all of it, when nothing was left as it was"),
    ("that auth deadlock\nsolved", "solved", "the first line is the reference point"),
    (f"that auth deadlock\nsolved{TAIL}", "solved", "the other lines are told by the frame"),
    (f"solved{TAIL}", "solved", "also without the first line"),
    ("Next: something else", "Next: something else", "a line that the frame does not tell"),
    (text_of(FULL), "Auth handshake timeout", "nothing changed"),
    ("that auth deadlock\n", "Auth handshake timeout", "a caption is never empty"),
]


@pytest.mark.parametrize(("text", "caption", "because"), CAPTIONS, ids=last)
def test_a_new_text_becomes_a_caption(text: str, caption: str, because: str) -> None:
    assert caption_in(text, FULL) == caption, because
