"""Claude Code's hook JSON, as the client documents it and as it may also arrive."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.capture.platforms.claude_code import document_of
from recollect.model.errors import MalformedEvent

NOW = 1_700_000_000_000
FRESH = "f" * 32


def document(event: str, **fields: Any) -> dict[str, Any] | None:
    host = {"session_id": "s1", "cwd": "/code/shop", "hook_event_name": event, **fields}
    return document_of(host, at=NOW, fresh_key=lambda: FRESH, size_of=lambda _: 7)


def body(event: str, **fields: Any) -> dict[str, Any]:
    """What the event says beyond the head that all events have."""
    found = document(event, **fields)
    assert found is not None
    head = {"v", "key", "session_id", "cwd", "platform", "at", "source_event"}
    return {name: value for name, value in found.items() if name not in head}


def used(**fields: Any) -> dict[str, Any]:
    return body("PostToolUse", **{"tool_name": "Bash", **fields})


def test_a_document_carries_the_whole_head() -> None:
    assert document("SessionStart", source="resume", transcript_path="/t.jsonl") == {
        "v": 1,
        "key": FRESH,
        "session_id": "s1",
        "cwd": "/code/shop",
        "platform": "claude-code",
        "at": NOW,
        "source_event": "SessionStart",
        "transcript_path": "/t.jsonl",
        "transcript_size": 7,
        "kind": "session_start",
        "source": "resume",
    }


BODIES = [
    # event              fields                    body
    ("SessionStart", {}, {"kind": "session_start", "source": "startup"}),
    ("SessionStart", {"source": "compact"}, {"kind": "session_start", "source": "compact"}),
    ("SessionStart", {"source": "fork"}, {"kind": "session_start", "source": "startup"}),
    ("SessionStart", {"source": ["x"]}, {"kind": "session_start", "source": "startup"}),
    ("UserPromptSubmit", {"prompt": "Fix it"}, {"kind": "prompt", "text": "Fix it"}),
    ("Stop", {"reason": "x"}, {"kind": "session_stop", "reason": "stop"}),
    ("SessionEnd", {"reason": "logout"}, {"kind": "session_stop", "reason": "logout"}),
    ("SessionEnd", {"reason": 3}, {"kind": "session_stop", "reason": "other"}),
]


@pytest.mark.parametrize(("event", "fields", "expected"), BODIES)
def test_each_kept_event_becomes_its_document(
    event: str, fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert body(event, **fields) == expected


NOTHING = [
    # event               fields                         because
    ("PreToolUse", {"tool_name": "Bash"}, "nothing has happened yet"),
    ("PreCompact", {}, "not ours"),
    ("Notification", {}, "not ours"),
    ("SubagentStop", {}, "the session goes on"),
    ("SomethingNew", {}, "unknown events are ignored"),
    ("", {}, "an event without a name is unknown"),
    ("PostToolUse", {}, "no tool is named"),
    ("PostToolUse", {"tool_name": ""}, "the tool's name is empty"),
    ("PostToolUse", {"tool_name": 7}, "the tool's name is no text"),
    ("UserPromptSubmit", {}, "there is no prompt"),
    ("UserPromptSubmit", {"prompt": None}, "the prompt is null"),
    ("UserPromptSubmit", {"prompt": "hello", "session_id": ""}, "an empty session is ignored"),
]


@pytest.mark.parametrize(("event", "fields", "because"), NOTHING, ids=[r[-1] for r in NOTHING])
def test_what_is_not_kept_gives_nothing(event: str, fields: dict[str, Any], because: str) -> None:
    assert document(event, **fields) is None


GOOD = {"session_id": "s1", "cwd": "/", "hook_event_name": "Stop"}
MALFORMED: list[tuple[object, str]] = [
    ([], "the input is not a JSON object"),
    ("text", "the input is not a JSON object"),
    (None, "the input is not a JSON object"),
    ({**GOOD, "session_id": None}, "session_id is not a text"),
    ({**GOOD, "session_id": 7}, "session_id is not a text"),
    ({**GOOD, "cwd": ["/"]}, "cwd is not a text"),
    ({**GOOD, "hook_event_name": True}, "hook_event_name is not a text"),
    *(
        ({name: value for name, value in GOOD.items() if name != missing}, f"{missing} is missing")
        for missing in GOOD
    ),
]


@pytest.mark.parametrize(("host", "words"), MALFORMED)
def test_a_required_field_that_is_missing_is_named(host: object, words: str) -> None:
    with pytest.raises(MalformedEvent) as refusal:
        document_of(host, at=NOW, fresh_key=lambda: FRESH, size_of=lambda _: 7)
    assert refusal.value.message == words


def key(event: str, **fields: Any) -> str:
    found = document(event, **{"tool_name": "Bash", "prompt": "yes", **fields})
    assert found is not None
    return str(found["key"])


def test_two_deliveries_of_one_host_event_have_one_key() -> None:
    delivered = key("PostToolUse", tool_use_id="toolu_1")
    assert key("PostToolUse", tool_use_id="toolu_1", cwd="/elsewhere") == delivered
    assert key("PostToolUseFailure", tool_use_id="toolu_1") == delivered
    assert len(delivered) == 32
    assert set(delivered) <= set("0123456789abcdef")
    assert delivered != FRESH


def test_different_host_events_have_different_keys() -> None:
    keys = [
        key("PostToolUse", tool_use_id="toolu_1"),
        key("PostToolUse", tool_use_id="toolu_2"),
        key("PostToolUse", tool_use_id="toolu_1", session_id="s2"),
        key("UserPromptSubmit", prompt_id="toolu_1"),
        key("UserPromptSubmit", turn_id="turn_1"),
    ]
    assert len(set(keys)) == len(keys)


NAMELESS = [
    ("UserPromptSubmit", {}, "a user may say yes twice"),
    ("PostToolUse", {"tool_use_id": ""}, "an empty id names nothing"),
    ("PostToolUse", {"tool_use_id": 7}, "nor does a number"),
    ("PostToolUse", {"prompt_id": "p1"}, "a turn has many tool uses"),
    ("Stop", {"prompt_id": "p1"}, "and may stop more than once"),
]


@pytest.mark.parametrize(("event", "fields", "because"), NAMELESS, ids=[r[-1] for r in NAMELESS])
def test_an_event_without_an_identity_gets_a_fresh_key(
    event: str, fields: dict[str, Any], because: str
) -> None:
    assert key(event, **fields) == FRESH


INPUTS = [
    ({"tool_input": {"command": "ls"}}, {"command": "ls"}),
    ({"tool_input": None}, {}),
    ({}, {}),
    ({"tool_input": "patch"}, {"value": "patch"}),
]


@pytest.mark.parametrize(("fields", "expected"), INPUTS)
def test_a_tools_input_is_an_object_whatever_arrives(
    fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert used(**fields)["input"] == expected


RESPONSES = [
    # tool_response                                              what it says     because
    ("done", "done", "a plain text is itself"),
    (None, "", "null says nothing"),
    ({"stdout": "out", "stderr": "err"}, "out\nerr", "a shell has two streams"),
    ({"stdout": "", "stderr": "err"}, "err", "of which one may be silent"),
    ({"stdout": "", "stderr": ""}, "", "or both"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb", "content blocks"),
    ({"content": [{"type": "text", "text": "a"}]}, "a", "content blocks in an object"),
    ([{"type": "image", "data": "AAAA"}], "", "a picture has no text"),
    ({"content": "plain"}, "plain", "content may be a text"),
    ({"matches": 3}, {"matches": 3}, "another structure is cleaned before it becomes a text"),
    ([1, 2], [1, 2], "a list as well"),
    (True, True, "and a single word"),
]


@pytest.mark.parametrize(("response", "text", "because"), RESPONSES, ids=[r[-1] for r in RESPONSES])
def test_a_response_becomes_the_text_that_a_person_would_have_read(
    response: object, text: object, because: str
) -> None:
    assert used(tool_response=response)["response"] == text


def test_a_long_output_leaves_room_for_the_errors_that_explain_it() -> None:
    text = used(tool_response={"stdout": "line\n" * 10_000, "stderr": "no such table"})["response"]
    assert text.endswith("\nno such table")
    assert len(text) < 4_000


OUTCOMES = [
    # fields                                                failed exit   because
    ({"tool_response": {"stdout": "x"}}, False, None, "nothing says that it failed"),
    ({"tool_response": {"exit_code": 0}}, False, 0, "zero is success"),
    ({"tool_response": {"exit_code": 2}}, True, 2, "anything else is not"),
    ({"tool_response": {"exitCode": -9}}, True, -9, "a signal is not"),
    ({"tool_response": {"returncode": 1}}, True, 1, "another spelling"),
    ({"tool_response": {"stdout": "", "code": 101}}, True, 101, "a shell's code"),
    ({"tool_response": {"exit_code": True}}, False, None, "a truth value is no code"),
    ({"tool_response": {"exit_code": "2"}}, False, None, "nor is a text"),
    ({"tool_response": {"exit_code": 10**30}}, True, None, "nor what no system returns"),
    ({"tool_response": {"is_error": True}}, True, None, "a flag in the response"),
    ({"tool_response": {"isError": True, "content": "x"}}, True, None, "as MCP writes it"),
    ({"tool_response": {"is_error": "no"}}, False, None, "a text is no flag"),
    ({"is_error": True}, True, None, "a flag beside the response"),
    ({"tool_response": "Exit code 2\nno rule"}, True, 2, "told in words"),
    ({"tool_response": "Error: Exit code 127\nx"}, True, 127, "with a word in front"),
    ({"tool_response": "Exit code 0"}, False, 0, "zero in words"),
    ({"tool_response": "The Exit code 2 of it"}, False, None, "words in the middle tell nothing"),
    ({"tool_response": "Exit code red"}, False, None, "nor do words without a number"),
]


@pytest.mark.parametrize(
    ("fields", "is_failed", "exit_code", "because"), OUTCOMES, ids=[r[-1] for r in OUTCOMES]
)
def test_a_failure_is_seen_wherever_the_host_tells_it(
    fields: dict[str, Any], is_failed: bool, exit_code: int | None, because: str
) -> None:
    found = used(**fields)
    assert (found["is_failed"], found.get("exit_code")) == (is_failed, exit_code)


def test_the_status_of_a_web_page_is_no_exit_code() -> None:
    found = used(tool_name="WebFetch", tool_response={"code": 200, "result": "page"})
    assert (found["is_failed"], found.get("exit_code")) == (False, None)


def test_a_failure_event_carries_its_error() -> None:
    found = body(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "make"},
        error="Exit code 2\nmake: *** No rule",
    )
    assert found == {
        "kind": "tool_use",
        "tool": "Bash",
        "input": {"command": "make"},
        "response": "Exit code 2\nmake: *** No rule",
        "is_failed": True,
        "exit_code": 2,
    }
