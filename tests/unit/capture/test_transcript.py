"""What an agent thought, read from its transcript a piece at a time."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recollect.capture.transcript import Reading, Thought, thoughts
from recollect.privacy.clean import Rules

RULES = Rules()


def line(*texts: str, stamp: object = "2026-02-14T10:00:00.500Z") -> str:
    blocks = [{"type": "thinking", "thinking": text, "signature": "s"} for text in texts]
    message = {"role": "assistant", "content": [*blocks, {"type": "text", "text": "aloud"}]}
    return json.dumps({"type": "assistant", "message": message, "timestamp": stamp}) + "\n"


AT = 1_771_063_200_500


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_thoughts_are_read_once_and_in_order(path: Path) -> None:
    path.write_text(line(" First. ", "Second."))
    first = thoughts(str(path), 0, rules=RULES)
    assert first == Reading(
        (Thought("First.", AT), Thought("Second.", AT)), path.stat().st_size, skipped=0
    )
    with path.open("a") as file:
        file.write(line("Third.", stamp=None))
    second = thoughts(str(path), first.position, rules=RULES)
    assert second.thoughts == (Thought("Third.", None),)
    assert thoughts(str(path), second.position, rules=RULES).thoughts == ()


def test_a_line_that_is_still_being_written_waits(path: Path) -> None:
    whole, half = line("Whole."), line("Half.")
    path.write_text(whole + half[:20])
    first = thoughts(str(path), 0, rules=RULES)
    assert [thought.text for thought in first.thoughts] == ["Whole."]
    assert first.position == len(whole)
    path.write_text(whole + half)
    second = thoughts(str(path), first.position, rules=RULES)
    assert [thought.text for thought in second.thoughts] == ["Half."]


def test_other_records_and_broken_lines_are_passed_over(path: Path) -> None:
    other = [
        "not json\n",
        '{"type": "user", "message": {"content": [{"type": "thinking", "thinking": "no"}]}}\n',
        '{"type": "assistant"}\n',
        '{"type": "assistant", "message": {"content": "text"}}\n',
        '{"type": "assistant", "message": {"content": [7, {"type": "thinking"}]}}\n',
        "[" * 100_000 + "\n",
        "7\n",
        "\n",
        "\xff\n",
    ]
    path.write_text("".join(other) + line("Kept.", "  "), encoding="latin-1")
    found = thoughts(str(path), 0, rules=RULES)
    assert [thought.text for thought in found.thoughts] == ["Kept."]
    assert found.skipped == 3
    assert found.position == path.stat().st_size


def test_a_file_that_became_shorter_is_a_new_one(path: Path) -> None:
    path.write_text(line("New."))
    found = thoughts(str(path), 1_000_000, rules=RULES)
    assert [thought.text for thought in found.thoughts] == ["New."]


def test_a_reading_is_bounded_and_the_next_one_goes_on(path: Path) -> None:
    path.write_text(line("One.") + line("Two.") + line("Three."))
    limit = len(line("One.")) + 10
    seen: list[str] = []
    position = 0
    for _ in range(3):
        found = thoughts(str(path), position, rules=RULES, limit=limit)
        seen += [thought.text for thought in found.thoughts]
        position = found.position
    assert seen == ["One.", "Two.", "Three."]


def test_a_line_longer_than_a_reading_is_passed_over(path: Path) -> None:
    path.write_text(line("x" * 1_000) + line("After."))
    position, skipped, seen = 0, 0, []
    while position < path.stat().st_size:
        found = thoughts(str(path), position, rules=RULES, limit=400)
        assert found.position > position
        position, skipped = found.position, skipped + found.skipped
        seen += [thought.text for thought in found.thoughts]
    assert seen == ["After."]
    assert skipped > 0


def test_a_thought_is_cut_to_2000_characters(path: Path) -> None:
    path.write_text(line("word " * 1_000))
    [thought] = thoughts(str(path), 0, rules=RULES).thoughts
    assert thought.text == ("word " * 400)[:2_000]


def test_secrets_and_private_blocks_are_taken_out_of_thoughts(path: Path) -> None:
    path.write_text(line("The key is AKIAIOSFODNN7EXAMPLE. <private>diary</private>Go on."))
    [thought] = thoughts(str(path), 0, rules=RULES).thoughts
    assert "AKIA" not in thought.text
    assert "diary" not in thought.text
    assert thought.text.endswith("Go on.")
    assert thought.is_redacted


@pytest.mark.parametrize("stamp", ["yesterday", 7, None, ""])
def test_a_time_that_cannot_be_read_is_unknown(path: Path, stamp: object) -> None:
    path.write_text(line("Thought.", stamp=stamp))
    assert thoughts(str(path), 0, rules=RULES).thoughts == (Thought("Thought.", None),)


def test_what_is_no_regular_file_has_no_thoughts_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", tmp_path, tmp_path / "missing", Path("/dev/zero"), "a\0b"):
        assert thoughts(str(name), 5, rules=RULES) == Reading((), 5)
