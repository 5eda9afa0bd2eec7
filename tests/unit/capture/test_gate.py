"""What of an event is worth keeping, and how much of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.capture import gate

GISTS = [
    # new text                                    gist                      because
    ("x = 1\ny = 2\n", "x = 1", "the first line"),
    ("\n\n  x = 1", "x = 1", "that is not blank"),
    ("import os\nfrom a import b\n\nx = 1", "x = 1", "imports say nothing"),
    ("#!/bin/sh\nset -e", "set -e", "nor does the interpreter's line"),
    ("{\n  [\n}\nname", "name", "nor do brackets"),
    ("# ----\n# Ships orders.\nx", "# Ships orders.", "a comment with words says something"),
    ("/*\n * Licence\n */", "* Licence", "in any language"),
    ("import os", "import os", "if there is nothing else, that"),
    ("{\n}", "{", "even a bracket"),
    ("", "", "nothing has no gist"),
    (" \n\t", "", "nor have blanks"),
    ("x" * 100, "x" * 80, "at most 80 characters"),
    ("\u65e5\u672c\u8a9e", "\u65e5\u672c\u8a9e", "letters of every script"),
    ("a\r\nb", "a", "line ends of every system"),
]


@pytest.mark.parametrize(("text", "gist", "because"), GISTS, ids=[row[-1] for row in GISTS])
def test_the_gist_is_the_first_line_that_says_something(text: str, gist: str, because: str) -> None:
    assert gate.gist(text) == gist


WRITERS: list[tuple[str, dict[str, object], str | None, dict[str, object]]] = [
    # tool        input                                         new text   what may be kept
    ("Write", {"file_path": "/f", "content": "new"}, "new", {"file_path": "/f"}),
    (
        "Edit",
        {"file_path": "/f", "old_string": "old", "new_string": "new", "replace_all": True},
        "new",
        {"file_path": "/f"},
    ),
    (
        "MultiEdit",
        {"file_path": "/f", "edits": [{"old_string": "a", "new_string": "b"}, {"new_string": "c"}]},
        "b\nc",
        {"file_path": "/f"},
    ),
    (
        "NotebookEdit",
        {"notebook_path": "/n", "new_source": "new", "cell_id": "3"},
        "new",
        {"notebook_path": "/n"},
    ),
    ("Write", {"file_path": 7, "content": ["x"]}, "", {}),
    ("Write", {"file_path": "/f", "surprise": "content"}, "", {"file_path": "/f"}),
    (
        "mcp__files__write",
        {"path": "/f", "content": "new", "mode": "w"},
        "new",
        {"path": "/f", "mode": "w"},
    ),
    ("mcp__wiki__post", {"title": "T", "content": "new"}, None, {"title": "T"}),
    ("Bash", {"command": "ls"}, None, {"command": "ls"}),
    ("Grep", {"pattern": "x", "path": "/f"}, None, {"pattern": "x", "path": "/f"}),
]


@pytest.mark.parametrize(("tool", "given_input", "new", "kept"), WRITERS)
def test_a_writing_tool_leaves_its_path_and_no_content(
    tool: str, given_input: dict[str, object], new: str | None, kept: dict[str, object]
) -> None:
    assert gate.new_text(tool, given_input) == new
    assert gate.without_content(tool, given_input) == kept


ANSWERS = [
    # tool    failed  kept                 because
    ("Bash", False, None, "a command may print a file"),
    ("Grep", False, None, "so may a search"),
    ("mcp__fs__read_file", False, None, "and a tool that nobody knows"),
    ("Read", False, None, "a file's content is not"),
    ("Edit", False, None, "nor is its echo"),
    ("NotebookRead", False, None, "nor is a notebook"),
    ("Read", True, "line 1", "why it failed is; the next lines may quote the file"),
    ("Bash", True, "line 1\nline 2", "a failed command keeps all"),
]


@pytest.mark.parametrize(("tool", "is_failed", "kept", "because"), ANSWERS)
def test_answers_that_hold_file_content_are_left_out(
    tool: str, is_failed: bool, kept: str | None, because: str
) -> None:
    assert gate.is_answer_kept(tool, "cat notes.txt", is_failed=is_failed) is (kept is not None)
    if kept is not None:
        assert gate.answer_kept(tool, "line 1\nline 2") == kept


def test_what_git_said_is_kept_because_a_commit_is_read_from_it() -> None:
    assert gate.is_answer_kept("Bash", "make && git commit -m x", is_failed=False)


PROMPTS = [
    ("Fix it", True, "somebody spoke"),
    ("", False, "nobody did"),
    (" \n", False, "nor here"),
    ("<system-reminder>x</system-reminder>", False, "the host spoke"),
    ("\n <system-reminder>x", False, "however it begins"),
    ("What is a <system-reminder>?", True, "somebody speaks about it"),
    (" " * 100_000 + "Fix it", True, "after a long silence"),
]


@pytest.mark.parametrize(("text", "is_kept", "because"), PROMPTS, ids=[r[-1] for r in PROMPTS])
def test_only_what_somebody_said_is_a_prompt(text: str, is_kept: bool, because: str) -> None:
    assert gate.is_prompt_kept(text) is is_kept


def test_a_text_is_cut_between_words_so_that_no_half_secret_is_left() -> None:
    assert gate.head("one two three", 9) == "one two"
    assert gate.head("one two three", 7) == "one two"
    assert gate.head("one two", 7) == "one two"
    assert gate.head("x" * 100, 10) == "x" * 10, "a text without words is cut where it must be"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just("long " * 2_000),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=8),
    max_leaves=30,
)


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_a_kept_input_has_a_size_and_is_not_cut_twice(value: object) -> None:
    kept = gate.trimmed(value)
    assert len(json.dumps(kept, separators=(",", ":"))) <= gate.INPUT
    assert gate.trimmed(kept) == kept


def nested(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = {"a": [value]}
    return value


HUGE: list[tuple[object, str]] = [
    ("x" * 10_000_000, "one long text"),
    ("\U0001f600" * 1_000_000, "one long text that JSON makes longer"),
    (["x"] * 1_000_000, "a long list"),
    ({str(number): number for number in range(100_000)}, "a wide object"),
    ({"k" * 1_000_000: 1}, "a long name"),
    (nested(400), "a deep value"),
    (10**4_000, "a long number"),
    ([10**4_000] * 100, "many of them"),
    ([["x" * 5_000] * 10] * 1_000, "much of everything"),
]


@pytest.mark.parametrize(("value", "because"), HUGE, ids=[row[-1] for row in HUGE])
def test_nothing_is_so_large_that_it_does_not_fit(value: object, because: str) -> None:
    assert len(json.dumps(gate.trimmed(value), separators=(",", ":"))) <= gate.INPUT
    assert len(json.dumps(gate.windowed(value), separators=(",", ":"))) <= gate.INPUT_WINDOW


def test_an_ordinary_input_is_kept_as_it_is() -> None:
    given_input = {"command": "make test", "timeout": 60, "flags": [True, None, 1.5], "env": {}}
    assert gate.trimmed(gate.windowed(given_input)) == given_input
