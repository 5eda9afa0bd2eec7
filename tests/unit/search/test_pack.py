"""Packs: never above the budget, best first, each thing once, and stored text is only ever data."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import last
from recollect.model.clock import DAY
from recollect.model.memory import Kind, Memory, Origin
from recollect.search.pack import (
    Candidate,
    LeftOut,
    Pack,
    Section,
    candidate,
    fill,
    section_of,
    single_line,
)
from recollect.search.tokens import tokens

NOW = 1_790_000_000_000
AMPLE = 100_000
LINE = re.compile(r"\[\d+\] \(.*\) .*\((user|tool|web|import|assistant), .*\)")
HEADINGS = {"## Summary", "## Timeline", "## Observations"}


def memory(id_: int, text: str, **more: Any) -> Memory:
    given: dict[str, Any] = {
        "kind": Kind.NOTE,
        "type": "decision",
        "project": "alpha",
        "session_id": "s1",
        "created_at": NOW - 3 * DAY,
        "updated_at": NOW,
        "origin": Origin.USER,
        "source_event": "PostToolUse",
        **more,
    }
    return Memory(id=id_, text=text, **given)


def deed(id_: int, text: str, **more: Any) -> Memory:
    return memory(id_, text, kind=Kind.OBSERVATION, type="command", origin=Origin.TOOL, **more)


def summary(id_: int, text: str, **more: Any) -> Memory:
    return memory(id_, text, kind=Kind.SUMMARY, type="session_summary", **more)


def candidates(*memories: Memory) -> list[Candidate]:
    return [
        candidate(each, rank=rank, name=each.type, now=NOW) for rank, each in enumerate(memories)
    ]


def packed(*memories: Memory, budget: int = AMPLE) -> Pack:
    return fill(candidates(*memories), budget)


def test_a_pack_reads_like_this() -> None:
    pack = packed(
        summary(9, "Fix the login. Done: a fix."),
        memory(4, "Tokens last a minute\nBecause clocks differ.", title="Tokens last a minute"),
        deed(7, "pytest -q", created_at=NOW),
        deed(3, "docker compose up"),
        memory(2, "Ask Ada first"),
    )

    assert pack.text == (
        "## Summary\n"
        "[9] (session_summary) Fix the login. Done: a fix. (user, 3 days ago)\n"
        "\n"
        "## Timeline\n"
        "[3] (command) docker compose up (tool, 3 days ago)\n"
        "[7] (command) pytest -q (tool, today)\n"
        "\n"
        "## Observations\n"
        "[4] (decision) Tokens last a minute - Because clocks differ. (user, 3 days ago)\n"
        "[2] (decision) Ask Ada first (user, 3 days ago)\n"
    )
    assert [(line.id, line.section, line.position) for line in pack.lines] == [
        (9, Section.SUMMARY, 1),
        (3, Section.TIMELINE, 1),
        (7, Section.TIMELINE, 2),
        (4, Section.OBSERVATIONS, 1),
        (2, Section.OBSERVATIONS, 2),
    ]
    assert pack.left_out == ()


ANY_TEXT = st.text(max_size=60) | st.text("aB1#\n-[]() \u2028\u0085🙂記é", max_size=200)
MEMORIES = st.lists(
    st.builds(
        memory,
        st.integers(1, 99),
        ANY_TEXT.map(lambda text: text * 7),
        title=st.none() | ANY_TEXT,
        kind=st.sampled_from([Kind.SUMMARY, Kind.OBSERVATION, Kind.NOTE]),
        type=st.sampled_from(["command", "decision"]) | ANY_TEXT,
        created_at=st.integers(NOW - 900 * DAY, NOW + DAY),
    ),
    max_size=8,
)


@given(MEMORIES, st.integers(0, 400))
def test_a_pack_is_never_above_its_budget(memories: list[Memory], budget: int) -> None:
    pack = packed(*memories, budget=budget)

    assert pack.tokens == tokens(pack.text) <= budget
    assert sum(line.tokens for line in pack.lines) <= pack.tokens


@given(MEMORIES)
def test_stored_text_begins_neither_a_heading_nor_a_line(memories: list[Memory]) -> None:
    pack = packed(*memories)

    rows = [row for row in pack.text.splitlines() if row]
    assert len(rows) == len(pack.lines) + len(HEADINGS)
    assert all(row in HEADINGS or LINE.match(row) for row in rows)


@given(MEMORIES, st.integers(0, 400))
def test_every_candidate_is_told_or_in_the_receipt(memories: list[Memory], budget: int) -> None:
    pack = packed(*memories, budget=budget)

    told = [line.id for line in pack.lines]
    assert sorted([*told, *(each.id for each in pack.left_out)]) == sorted(e.id for e in memories)


def test_what_says_the_same_is_told_once() -> None:
    pack = packed(
        memory(1, "Use uv for  installs"),
        memory(2, "use UV for installs"),
        memory(3, "Use uv for installs", type="bugfix"),
    )

    assert [(line.id, line.duplicates) for line in pack.lines] == [(1, (2,)), (3, ())]
    assert pack.left_out == (LeftOut(id=2, because="#1 says the same"),)


def test_what_does_not_fit_makes_room_for_what_comes_after_it() -> None:
    small, large = deed(1, "make"), deed(2, "word " * 150)

    pack = packed(large, small, budget=30)  # too little to begin the large one

    assert [line.id for line in pack.lines] == [1]
    assert pack.left_out == (LeftOut(id=2, because="no room in 30 tokens"),)


def test_a_long_body_is_cut_where_the_budget_ends() -> None:
    pack = packed(memory(1, "word " * 150), budget=60)

    (line,) = pack.lines
    assert line.text.endswith("word… (user, 3 days ago)")
    assert 60 - 4 <= pack.tokens <= 60, "the budget is used"


def test_headings_without_lines_are_left_out_when_there_is_no_room_for_them() -> None:
    one = packed(memory(1, "short"))
    without = one.tokens - 1

    assert one.text.startswith("## Summary\n\n## Timeline\n\n## Observations\n[1]")
    assert packed(memory(1, "short"), budget=without).text.startswith("## Observations\n[1]")


SECTIONS = [
    # memory                             section                because
    (summary(1, "x"), Section.SUMMARY, "a summary is what a session came to"),
    (deed(1, "x"), Section.TIMELINE, "what a tool did happened at a time"),
    (memory(1, "x"), Section.OBSERVATIONS, "a note is worth knowing"),
    (
        memory(1, "x", kind=Kind.OBSERVATION, type="bugfix"),
        Section.OBSERVATIONS,
        "so is what an importer has understood",
    ),
]


@pytest.mark.parametrize(("found", "section", "because"), SECTIONS, ids=last)
def test_the_section_of_a_memory(found: Memory, section: Section, because: str) -> None:
    assert section_of(found) is section


LINES = [
    # text                   most  line         because
    ("a\nb\r\nc\u2028d", 20, "a b c d", "every kind of line end is a space"),
    ("## a", 20, "## a", "a heading within a line is none"),
    ("a\u202eb\u200bc\x1b[0m", 20, "a b c [0m", "what cannot be seen does not come through"),
    ("abcdef", 4, "abc…", "what is longer is cut"),
    ("ab " * 900_000, 8, "ab ab a…", "a long text is not read to its end"),
]


@pytest.mark.parametrize(("text", "most", "line", "because"), LINES, ids=last)
def test_stored_text_within_a_line(text: str, most: int, line: str, because: str) -> None:
    assert single_line(text, most) == line
