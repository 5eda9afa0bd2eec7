"""Transcripts of several hosts, and what the agent said last in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from promises import last, promise
from recollect.capture.last_words import last_words

ASKED = {"type": "user", "message": {"role": "user", "content": "Fix the login"}}
ANSWERED = {
    "type": "assistant",
    "message": {"role": "assistant", "content": [{"type": "text", "text": "Fixed."}]},
}
THOUGHT = {
    "type": "assistant",
    "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm"}]},
}
USED = {
    "type": "assistant",
    "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Read"}]},
}
RESULT = {
    "type": "user",
    "message": {
        "role": "user",
        "content": [{"type": "tool_result", "content": "text of a file"}],
    },
}
CODEX = {
    "type": "response_item",
    "payload": {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Patched."}],
    },
}

TRANSCRIPTS = [
    # lines, words, because
    ([ASKED, THOUGHT, ANSWERED], "Fixed.", "messages are nested"),
    ([ASKED, ANSWERED, USED, RESULT], "Fixed.", "a tool's result is nobody's words"),
    ([ASKED, ANSWERED, ASKED], "", "the turn before is not this one"),
    ([ASKED, ANSWERED, ASKED, USED, RESULT], "", "it was written late"),
    ([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}], "Hello",
     "plain lines with a role"),
    ([{"role": "assistant", "message": {"content": [{"type": "text", "text": "Yes"}]}}], "Yes",
     "a role beside a message"),
    ([CODEX], "Patched.", "payloads of Codex"),
    ([ANSWERED, {**ANSWERED, "isSidechain": True, "message": {"content": "helper"}}], "Fixed.",
     "a helper's words are not the agent's"),
    ([ANSWERED, {**ASKED, "isMeta": True}], "Fixed.", "what a host slips in is not the user's"),
    ([ANSWERED, {"type": "summary", "summary": "x"}, [], 3, "x"], "Fixed.", "unknown lines"),
    ([{"role": "assistant", "content": [{"text": 3}, "x", {"type": "image"}]}], "", "no text"),
]  # fmt: skip


@promise("codexmem:hook:last-words")
@pytest.mark.parametrize(("lines", "words", "because"), TRANSCRIPTS, ids=last)
def test_the_last_words_of_the_turn_are_found(
    tmp_path: Path, lines: list[Any], words: str, because: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert last_words(str(path)) == words


def test_only_the_end_is_read_and_half_a_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    long = json.dumps({"role": "assistant", "content": "x" * 500})
    path.write_text(f"{long}\n{json.dumps(ANSWERED)}\n" + '{"role": "assis', encoding="utf-8")
    assert last_words(str(path), limit=300) == "Fixed."
    assert last_words(str(path), limit=30) == ""


@pytest.mark.parametrize("make", [None, os.mkfifo, os.mkdir], ids=["missing", "a pipe", "a folder"])
def test_what_is_no_file_has_no_words_and_does_not_wait(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "t.jsonl"
    if make is not None:
        make(path)
    assert last_words(str(path)) == ""
    assert last_words("\0") == ""
