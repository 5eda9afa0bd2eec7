"""What reaches the disk of an event: cut, and without what is private or secret."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.capture import gate
from recollect.capture.platforms.claude_code import document_of
from recollect.capture.scrub import scrubbed
from recollect.model import event
from recollect.privacy.clean import Rules

RULES = Rules()
AWS = "AKIAIOSFODNN7EXAMPLE"
GITHUB = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def kept(event_name: str, **fields: Any) -> dict[str, Any] | None:
    host = {"session_id": "s1", "cwd": "/code/shop", "hook_event_name": event_name, **fields}
    document = document_of(host, at=1, fresh_key=lambda: "f" * 32, size_of=lambda _: 7)
    assert document is not None
    return scrubbed({**document, "project": "shop"}, RULES)


def used(tool: str, given_input: object, **fields: Any) -> dict[str, Any]:
    document = kept("PostToolUse", tool_name=tool, tool_input=given_input, **fields)
    assert document is not None
    return document


def prompted(text: str) -> dict[str, Any] | None:
    return kept("UserPromptSubmit", prompt=text)


CONTENT = "import os\n\ndef ship(order):\n    return order.total * 1.19\n"


def test_a_write_leaves_its_path_its_gist_and_a_fingerprint() -> None:
    found = used("Write", {"file_path": "/code/shop/ship.py", "content": CONTENT})
    assert {name: found[name] for name in ("tool", "input", "response", "marks")} == {
        "tool": "Write",
        "input": {"file_path": "/code/shop/ship.py", "gist": "def ship(order):"},
        "response": "",
        "marks": {
            "content_sha256": hashlib.sha256(CONTENT.encode()).hexdigest(),
            "content_length": len(CONTENT),
        },
    }
    assert "is_redacted" not in found


def test_the_model_reads_every_kept_document() -> None:
    documents = [
        kept("SessionStart", source="clear", transcript_path="/home/me/.claude/t.jsonl"),
        prompted("Fix the login bug"),
        used("Bash", {"command": "make"}, tool_response={"stdout": "", "exit_code": 2}),
        used("Write", {"file_path": "/f", "content": CONTENT}),
        kept("SessionEnd", reason="logout"),
    ]
    read = [event.of(json.loads(json.dumps(document))) for document in documents]
    assert [type(happened).__name__ for happened in read] == [
        "SessionStart",
        "Prompt",
        "ToolUse",
        "ToolUse",
        "SessionStop",
    ]


TEXTS = st.text(max_size=40) | st.sampled_from([CONTENT, AWS, "<private>diary", "\ud800", "\0"])
SECRET_LINES = st.lists(
    st.text(alphabet="abcdefghij {}();=\n", min_size=30, max_size=200), min_size=2, max_size=5
)


@settings(max_examples=60, deadline=None)
@given(SECRET_LINES, st.sampled_from(["Write", "Edit", "MultiEdit", "NotebookEdit"]), TEXTS)
def test_no_content_of_a_file_is_in_a_document_beyond_one_short_line(
    pieces: list[str], tool: str, response: str
) -> None:
    content = "".join(f"\nzq{number} {piece}" for number, piece in enumerate(pieces))
    document = used(
        tool,
        {
            "file_path": "/f",
            "content": content,
            "new_source": content,
            "old_string": content,
            "new_string": content,
            "edits": [{"old_string": content, "new_string": content}],
        },
        tool_response={"content": content, "originalFile": content, "text": response},
    )
    text = json.dumps(document)
    assert text.count("zq") <= 1
    assert len(document["input"]["gist"]) <= 80
    assert document["response"] == ""


def test_a_failed_edit_does_not_quote_what_it_did_not_find() -> None:
    error = f"String to replace not found in file.\nString: {CONTENT}"
    found = kept(
        "PostToolUseFailure",
        tool_name="Edit",
        tool_input={"file_path": "/f", "old_string": CONTENT, "new_string": "x"},
        error=error,
    )
    assert found is not None
    assert found["response"] == "String to replace not found in file."
    assert found["is_failed"] is True


PROMPTS: list[tuple[str, dict[str, Any] | None, str]] = [
    ("Fix it", {"text": "Fix it"}, "a prompt is kept"),
    ("Fix <private>my diary</private>it", {"text": "Fix it"}, "without its private part"),
    ("<private>diary</private> Fix it <private>x", {"text": "Fix it"}, "and the blanks around it"),
    (
        "<private>diary</private>",
        {"text": "", "is_private": True},
        "a wholly private one is marked",
    ),
    (" <PRIVATE>diary</PRIVATE>\n", {"text": "", "is_private": True}, "however it is written"),
    ("<private>never closed", {"text": "", "is_private": True}, "or left open"),
    ("", None, "nothing is nothing"),
    ("<system-reminder>x</system-reminder>", None, "the host is not the user"),
    ("<nmem-context>old</nmem-context>", None, "nor is what a memory injected"),
    ("\ud800\0", {"text": "\ufffd"}, "broken characters are mended"),
    ("a" * 1_900 + " " + "b " * 5_000, {"text": "a" * 1_900 + " " + "b " * 49 + "b"}, "2,000"),
    (
        f"<private>{'long ' * 20_000}</private>Fix it",
        {"text": "Fix it"},
        "a private part may be longer than all that is kept",
    ),
]


@pytest.mark.parametrize(("text", "expected", "because"), PROMPTS, ids=[r[-1] for r in PROMPTS])
def test_a_prompt_is_kept_without_what_is_private(
    text: str, expected: dict[str, Any] | None, because: str
) -> None:
    found = prompted(text)
    if expected is None or found is None:
        assert found is expected
    else:
        assert {name: found[name] for name in ("text", "is_private") if name in found} == expected


EVERYWHERE: list[tuple[dict[str, Any], str]] = [
    ({"tool_input": {"command": f"curl -H 'Authorization: token {GITHUB}'"}}, "a command"),
    ({"tool_input": {"a": [{"b": GITHUB}]}}, "deep in the input"),
    ({"tool_input": {GITHUB: 1}}, "a name in the input"),
    ({"tool_response": {"stdout": f"token {GITHUB}"}}, "an output"),
    ({"tool_response": {"other": {"token": GITHUB}}}, "a structured answer"),
    ({"tool_name": f"mcp__{GITHUB}"}, "the tool's name"),
    ({"cwd": f"/code/{GITHUB}"}, "the folder"),
    ({"transcript_path": f"/code/{GITHUB}.jsonl"}, "the transcript's path"),
    ({"session_id": f"user token={GITHUB}"}, "a session id that is no id"),
    ({"error": f"Exit code 1\n{GITHUB}"}, "an error"),
    ({"tool_input": {"file_path": f"/w/{GITHUB}", "content": "x"}, "tool_name": "Write"}, "a path"),
    ({"tool_input": {"file_path": "/f", "content": f"k={GITHUB}"}, "tool_name": "Write"}, "a gist"),
]


@pytest.mark.parametrize(("fields", "where"), EVERYWHERE, ids=[row[-1] for row in EVERYWHERE])
def test_a_secret_is_taken_out_wherever_it_stands(fields: dict[str, Any], where: str) -> None:
    found = kept("PostToolUse", **{"tool_name": "Bash", **fields})
    assert found is not None
    assert GITHUB not in json.dumps(found)
    assert GITHUB[4:24] not in json.dumps(found)


PRIVATE: list[tuple[dict[str, Any], str]] = [
    ({"tool_input": {"command": "echo <private>diary</private>"}}, "a command"),
    ({"tool_input": {"a": [{"<private>diary</private>b": "x"}]}}, "a name"),
    ({"tool_response": "<private>diary</private>"}, "an answer"),
    (
        {
            "tool_input": {"file_path": "/f", "content": "<private>\ndiary\n</private>\nx = 1"},
            "tool_name": "Write",
        },
        "the first lines of a file",
    ),
]


@pytest.mark.parametrize(("fields", "where"), PRIVATE, ids=[row[-1] for row in PRIVATE])
def test_a_private_block_is_taken_out_wherever_it_stands(
    fields: dict[str, Any], where: str
) -> None:
    found = kept("PostToolUse", **{"tool_name": "Bash", **fields})
    assert found is not None
    assert "diary" not in json.dumps(found)


def test_a_structured_answer_becomes_json_with_every_letter_as_it_is() -> None:
    answer = {"files": ["caf\u00e9.py"], "count": 1}
    found = used("Bash", {"command": "git status"}, tool_response=answer)
    assert found["response"] == '{"files":["caf\u00e9.py"],"count":1}'


def test_a_redaction_is_marked() -> None:
    assert used("Bash", {"command": f"export K={GITHUB}"})["is_redacted"] is True
    assert "is_redacted" not in used("Bash", {"command": "make"})


LIMITS = [
    # a secret that stands across the place where a text is cut
    (gate.TEXT, {"tool_input": {"command": "{}"}}),
    (gate.RESPONSE, {"tool_response": "{}"}),
    (gate.WINDOW, {"tool_input": {"command": "{}"}}),
    (gate.WINDOW, {"tool_response": "{}"}),
]


@pytest.mark.parametrize("overlap", [1, 8, 20, 39])
@pytest.mark.parametrize(("limit", "fields"), LIMITS)
def test_no_half_of_a_secret_passes_where_a_text_is_cut(
    limit: int, fields: dict[str, Any], overlap: int
) -> None:
    before = ("word " * limit)[: limit - overlap - 1] + " "
    text = before + GITHUB + " word" * 100
    filled = json.loads(json.dumps(fields).replace("{}", text))
    found = used("Bash", filled.pop("tool_input", {}), **filled)
    assert "ghp" not in json.dumps(found)


def test_an_ordinary_session_id_stays_whatever_it_looks_like() -> None:
    for ordinary in ("d4f8a2b1-5c3e-4f6a-9b7d-1e2f3a4b5c6d", GITHUB, "a/b:c@d_1.2", "s"):
        found = kept("Stop", session_id=ordinary)
        assert found is not None
        assert found["session_id"] == ordinary


def test_other_session_ids_stay_distinguishable() -> None:
    odd = ["my session", "password=hunter2", "password=hunter3", "x" * 10_000, "x" * 10_001, "\0"]
    ids = []
    for session_id in odd:
        found = kept("Stop", session_id=session_id)
        assert found is not None
        ids.append(found["session_id"])
    assert ids[0] == "my session"
    assert len(set(ids)) == len(odd)
    assert max(map(len, ids)) <= 200
    assert not any("hunter" in session_id or "\0" in session_id for session_id in ids)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4), TEXTS, VALUES)
def test_cleaning_what_is_clean_changes_nothing(
    given_input: dict[str, Any], tool: str, response: object
) -> None:
    document = used(tool or "Bash", given_input, tool_response=response)
    again = scrubbed({**document}, RULES)
    assert again is not None
    assert again["response"] == document["response"]
    assert again["cwd"] == document["cwd"]
    if "marks" not in document:
        assert again["input"] == document["input"]
    text = json.dumps(document)
    assert text.isascii()
    text.encode("utf-8")
    assert "\\u0000" not in text
    assert len(text) < 64 * 1024
    event.of(json.loads(text))
