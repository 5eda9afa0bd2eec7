"""Whatever an argument is, a call is answered, or refused under a code that is not our fault."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from contract.lex.conftest import FRAME, Lex
from promises import promise
from recollect.dialect.spec import Json
from recollect.dialects.lex.dialect import dialect
from recollect.dialects.lex.refusals import Code

DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]
NASTY: list[object] = [
    *("", " ", "\0", "\n", "\x1b[31m", "'; drop table frames; --", "*", '"', "OR", "NEAR(", "a*b"),
    *("../../../etc/passwd", "/etc/passwd", "~", "C:\\x", "%2e%2e", "file:///etc", "a" * 5000),
    *("日本", "שלום", "🙂", "\u202e", "\ufeff", "e\u0301", "-1", "1e309", "NaN", "null", "[]"),
    *("2025-02-30", "0000-00-00", "9999-12-31T23:59:59.999999999Z", "2025-W01-1", "+10000-01-01"),
    *(0, -1, 1, 2**63, -(2**63), 10**40, 0.5, -0.0, 1e308, float("inf"), float("nan")),
    *(True, False, None, [], {}, [None], [[]], [{}], [""], ["a"] * 2000, {"a": None}, DEEP),
    [{"data": "", "mime_type": ""}],
    [{"data": "====", "mime_type": "image/png"}],
    [{"data": 7}],
    [{"data": base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()}],
    [{"data": base64.b64encode(b"<svg " + b"x" * 1000).decode(), "mime_type": "image/svg+xml"}],
]
VALID: dict[str, dict[str, Any]] = {
    "lex.remember": FRAME,
    "lex.validate_remember": FRAME,
    "lex.recall": {"jira": "TICKET-123"},
    "lex.timeline": {"ticketOrBranch": "TICKET-123"},
}
STATUS = ("next_action", "blockers", "merge_blockers", "tests_failing")


def spoiled(tool: str, schema: dict[str, Json]) -> Iterator[dict[str, Any]]:
    """A valid call with one argument, or one member of the status, replaced."""
    valid = VALID.get(tool, {})
    names = schema["properties"]
    assert isinstance(names, dict)
    for name in names:
        for value in NASTY:
            yield {**valid, name: value}
    if "status_snapshot" in names:
        for name in STATUS:
            for value in NASTY:
                yield {**valid, "status_snapshot": {**FRAME["status_snapshot"], name: value}}


@promise("lex:tools:bad-input")
@pytest.mark.parametrize("tool", [tool.name for tool in dialect().tools])
def test_no_argument_makes_a_call_fail_otherwise_than_by_a_code(
    lex: Lex, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(lex.world.home))  # what `~` stands for
    lex.remember()

    for arguments in spoiled(tool, dialect().tool(tool).input_schema):
        reply = lex.reply(tool, **arguments)

        assert reply.structured is not None
        if reply.is_error:
            error = reply.structured["error"]
            assert isinstance(error, dict)
            code = Code(str(error["code"]))
            assert code not in (Code.INTERNAL_ERROR, Code.READ_FAILED, Code.WRITE_FAILED), arguments
        else:
            assert reply.text.strip()
