"""What a turn came to, told by rules from its own events and the agent's last words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.llm import bounds
from recollect.llm.rules import Rules
from recollect.model.memory import Kind, Memory, Origin
from recollect.model.portrait import Recap
from recollect.model.session import Session

SESSION = Session(id="s1", project="app", platform="claude-code", started_at=1_000)
READER = Rules()
EMPTY = Recap(
    request="app",
    investigated="",
    learned="",
    completed="",
    next_steps="",
    notes=None,
    files_read=(),
    files_edited=(),
)


def memory(number: int, type_: str, text: str, **more: Any) -> Memory:
    is_prompt = type_ == "user_prompt"
    usual: dict[str, Any] = {
        "id": number,
        "kind": Kind.PROMPT if is_prompt else Kind.OBSERVATION,
        "type": type_,
        "text": text,
        "project": "app",
        "session_id": "s1",
        "created_at": 1_000 + number,
        "updated_at": 1_000 + number,
        "origin": Origin.USER if is_prompt else Origin.TOOL,
        "source_event": "PostToolUse",
    }
    return Memory(**(usual | more))


TURN = [
    memory(1, "user_prompt", "hello"),
    memory(2, "file_read", "Read /a/old.py", title="Read old.py", prompt_id=1),
    memory(3, "user_prompt", "Fix the login bug"),
    memory(4, "file_read", "Read /a/auth.py", title="Read auth.py", file_path="/a/auth.py",
           tool_name="Read", prompt_id=3),
    memory(5, "search", "token in /a", title="Searched for `token` in a", prompt_id=3),
    memory(6, "command_error", "pytest", prompt_id=3, detail={"failed": True}),
    memory(7, "file_edit", "Edit /a/auth.py: LEEWAY", tool_name="Edit", file_path="/a/auth.py",
           prompt_id=3),
    memory(8, "command", "pytest", prompt_id=3),
    memory(9, "command_error", "make docs", prompt_id=3, detail={"failed": True}),
    memory(10, "git_commit", "git commit", prompt_id=3, detail={"commit_message": "Allow skew"}),
]  # fmt: skip
SAID = """The clock of the server was a minute ahead.

**Next steps:**
- write a page about it
- [ ] release
"""


def test_a_turn_is_told_from_its_own_events_and_the_last_words() -> None:
    assert READER.recap(SESSION, TURN, SAID) == Recap(
        request="Fix the login bug",
        investigated="Read auth.py; Searched for `token` in a",
        learned="The clock of the server was a minute ahead.",
        completed="Commit: Allow skew; Edit /a/auth.py: LEEWAY; `pytest` passes",
        next_steps="write a page about it; release; `make docs` still fails",
        notes="7 actions: 2 command_error, 1 command, 1 file_edit, 1 file_read, 1 git_commit, "
        "1 search",
        files_read=("/a/auth.py",),
        files_edited=("/a/auth.py",),
    )


def test_without_last_words_what_was_learned_is_what_passed_after_it_failed() -> None:
    assert READER.recap(SESSION, TURN, "").learned == "`pytest` failed, then passed"


def test_where_nothing_was_changed_what_was_run_is_what_was_done() -> None:
    turn = [
        memory(1, "user_prompt", "Migrate the ledger"),
        memory(2, "command", "alembic upgrade head", title="Ran `alembic upgrade head`"),
        memory(3, "command_error", "make docs", title="make failed", detail={"failed": True}),
        memory(4, "tool_other", "Deploy: shop", title="Used Deploy: shop"),
    ]
    recap = READER.recap(SESSION, turn, "All is well.")
    assert recap.completed == "Ran `alembic upgrade head`; Used Deploy: shop"
    assert recap.next_steps == "`make docs` still fails"


def test_a_session_of_nothing_has_an_empty_recap() -> None:
    assert READER.recap(SESSION, [], "") == EMPTY


def test_the_memory_says_it_all() -> None:
    draft = READER.concluded(SESSION, TURN, READER.recap(SESSION, TURN, SAID), 2_000)
    assert draft.title == "Fix the login bug"
    assert draft.text.splitlines() == [
        "Fix the login bug",
        "The clock of the server was a minute ahead.",
        "Done: Commit: Allow skew; Edit /a/auth.py: LEEWAY; `pytest` passes",
        "Looked at: Read auth.py; Searched for `token` in a",
        "Next: write a page about it; release; `make docs` still fails",
    ]


NEXT = [
    # what the agent said               learned          next               because
    ("Done. All is well.", "Done. All is well.", "", "nothing is said of what comes next"),
    ("Done.\nNext: release it", "Done.", "release it", "on the same line"),
    ("Done.\n## Next steps\n1. a\n2. b", "Done.", "a; b", "a list under a heading"),
    ("Done.\n\nTODO:\n* a\n\nBye.", "Done. Bye.", "a", "what follows the list is not part of it"),
    ("- Remaining: docs", "", "docs", "a bullet that says so"),
    ("Next I looked at a.py", "Next I looked at a.py", "", "a sentence is no heading"),
    ("What's next?\nRelease.", "What's next? Release.", "", "a question is none either"),
    ("**Next**\nrelease", "", "release", "a heading alone, then a line"),
]


@pytest.mark.parametrize(
    ("said", "learned", "next_steps", "because"), NEXT, ids=[row[-1] for row in NEXT]
)
def test_what_comes_next_is_told_apart(
    said: str, learned: str, next_steps: str, because: str
) -> None:
    recap = READER.recap(SESSION, [], said)
    assert (recap.learned, recap.next_steps) == (learned, next_steps)


@given(st.text(max_size=5_000) | st.lists(st.sampled_from(SAID.split("\n"))).map("\n".join))
def test_whatever_was_said_fits(said: str) -> None:
    recap = READER.recap(SESSION, TURN, said)
    for text in (recap.investigated, recap.learned, recap.completed, recap.next_steps):
        assert len(text) <= bounds.POINT
        assert not any(ord(letter) < 32 for letter in text)
    assert READER.concluded(SESSION, TURN, recap, 2_000).text
