"""Profiles as data: the published table of kinds, recency, and which signal is told where."""

from __future__ import annotations

import pytest

from promises import last
from recollect.model.memory import Draft, Kind, Origin
from recollect.search.profile import (
    ABOUT_THE_QUESTION,
    BY_VECTORS,
    CODEMEM,
    CODEMEM_BONUS,
    DEFAULT,
    RankingProfile,
    Signal,
    codemem_kind,
)


def memory(kind: Kind, type_: str) -> Draft:
    return Draft(
        kind=kind,
        type=type_,
        text="x",
        project="alpha",
        session_id=None,
        created_at=0,
        origin=Origin.TOOL,
        source_event="PostToolUse",
    )


# rulings.md, the table of how each dialect sees a memory, column codemem.
KINDS = [
    (Kind.OBSERVATION, "file_read", "discovery", "what was read was discovered"),
    (Kind.OBSERVATION, "search", "discovery", "and so was what was searched for"),
    (Kind.OBSERVATION, "web_fetch", "discovery", "also on the web"),
    (Kind.OBSERVATION, "file_edit", "change", "an edit is a change"),
    (Kind.OBSERVATION, "file_write", "change", "and so is a new file"),
    (Kind.OBSERVATION, "command", "discovery", "a command shows something"),
    (Kind.OBSERVATION, "command_error", "discovery", "an error too, until a model says bugfix"),
    (Kind.OBSERVATION, "git_commit", "discovery", "git is a command"),
    (Kind.OBSERVATION, "mcp_call", "discovery", "so are other tools"),
    (Kind.OBSERVATION, "tool_other", "discovery", "whichever they are"),
    (Kind.PROMPT, "user_prompt", None, "a prompt is not shown"),
    (Kind.SUMMARY, "session_summary", "session_summary", "a summary is one"),
    (Kind.NOTE, "marker", "note", "a mark is a note"),
    (Kind.FACT, "fact", "note", "and so is a fact"),
    (Kind.FRAME, "frame", "decision", "a frame records a decision"),
    (Kind.THOUGHT, "agent_thinking", None, "thoughts are not shown"),
    (Kind.LIFECYCLE, "session_start", None, "nor is what hooks say of sessions"),
    (Kind.OBSERVATION, "bugfix", "bugfix", "a kind that an importer brings is kept"),
    (Kind.OBSERVATION, " BugFix ", "bugfix", "however it is written"),
    (Kind.OBSERVATION, "refactor", "refactor", "any published kind"),
    (Kind.OBSERVATION, "colour", "discovery", "an unknown one is not published"),
]


@pytest.mark.parametrize(("kind", "type_", "told", "because"), KINDS, ids=last)
def test_what_codemem_calls_a_memory(
    kind: Kind, type_: str, told: str | None, because: str
) -> None:
    assert codemem_kind(memory(kind, type_)) == told


def test_the_bonus_is_the_published_one_and_nothing_for_what_is_not_shown() -> None:
    bonus = CODEMEM.kinds
    assert bonus is not None
    assert bonus.of(memory(Kind.SUMMARY, "session_summary")) == 0.25
    assert bonus.of(memory(Kind.OBSERVATION, "bugfix")) == 0.18
    assert bonus.of(memory(Kind.OBSERVATION, "command")) == 0.12
    assert bonus.of(memory(Kind.PROMPT, "user_prompt")) == 0.0
    assert bonus.most == max(CODEMEM_BONUS.values())


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 1.0), (7, 0.5), (14, 1 / 3), (-3, 1.0), (100_000, 7 / 100_007)]
)
def test_recency_is_one_half_after_a_week(days: int, expected: float) -> None:
    assert CODEMEM.recency(days) == pytest.approx(expected)


@pytest.mark.parametrize("profile", [DEFAULT, CODEMEM], ids=lambda profile: profile.name)
def test_every_signal_is_told_once_and_weighed(profile: RankingProfile) -> None:
    told = [signal for signals in profile.groups.values() for signal in signals]

    assert len(told) == len(set(told))
    assert set(ABOUT_THE_QUESTION) <= set(told)
    assert set(told) - set(ABOUT_THE_QUESTION) <= {Signal.RECENCY, Signal.KIND}
    assert set(profile.weights) == set(ABOUT_THE_QUESTION)
    assert all(weight >= 0 for weight in profile.weights.values())


def test_what_vectors_add_is_told_apart_in_codemem() -> None:
    assert CODEMEM.groups["semantic_boost"] == BY_VECTORS
    assert not set(CODEMEM.groups["base"]) & set(BY_VECTORS)


def test_nobody_who_reads_a_profile_can_change_it() -> None:
    for table in (DEFAULT.weights, DEFAULT.groups, CODEMEM.groups, CODEMEM_BONUS):
        with pytest.raises(TypeError):
            table["x"] = 1  # type: ignore[index]
