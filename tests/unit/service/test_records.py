"""What a line of an import may say, and the words in which it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from promises import last
from recollect.model.errors import InvalidArgument
from recollect.model.fact import Claim
from recollect.model.memory import Kind, Origin
from recollect.privacy.clean import Rules
from recollect.service import records
from recollect.service.records import Record

NOW = 1_790_000_000_000
SECRET = "ghp_" + "a1B2" * 9


def read(**line: object) -> Record:
    return records.read(line, rules=Rules(), project="here", now=NOW)


UNDERSTOOD: list[tuple[dict[str, Any], str, object, str]] = [
    # line                                    field           value              because
    ({}, "kind", Kind.OBSERVATION, "a line without a kind is something that was observed"),
    ({}, "type", "observation", "and says so"),
    ({}, "project", "here", "the folder's project is the default"),
    ({}, "created_at", NOW, "what has no date happened now"),
    ({}, "origin", Origin.IMPORT, "it came from a file"),
    ({"kind": "decision"}, "type", "decision", "a kind that is not ours is kept as it is"),
    ({"kind": "user_prompt"}, "kind", Kind.PROMPT, "a kind of ours is what it says"),
    ({"kind": "note"}, "kind", Kind.NOTE, "a note is a note"),
    ({"subject": "Emma"}, "kind", Kind.FACT, "who names a subject states a fact"),
    ({"project": "/code/lantern"}, "project", "lantern", "a project may be a path"),
    ({"session": 7}, "session_id", "7", "sessions may be numbered"),
    ({"created_at": "2024-01-15T10:30:00Z"}, "created_at", 1_705_314_600_000, "an ISO date"),
    ({"created_at": "2024-01-15"}, "created_at", 1_705_276_800_000, "a day is its midnight, UTC"),
    ({"created_at": 1_705_314_600}, "created_at", 1_705_314_600_000, "seconds since 1970"),
    ({"created_at": 1_705_314_600_000}, "created_at", 1_705_314_600_000, "milliseconds as well"),
    ({"tags": ["a", " a ", "", "b"]}, "tags", ("a", "b"), "labels are trimmed and occur once"),
    ({"title": "  "}, "title", None, "a blank title is none"),
    ({"pinned": True}, "is_pinned", True, "a pin is kept"),
    ({"colour": "blue"}, "text", "some words", "fields of somebody else are ignored"),
    ({"text": f"key {SECRET}"}, "text", "key [REDACTED]", "secrets do not come in"),
    ({"text": "a<private>b</private>c"}, "text", "ac", "nor does what is private"),
    ({"recollect": {"origin": "user"}}, "origin", Origin.USER, "an export says whose words"),
]


@pytest.mark.parametrize(("line", "field", "value", "because"), UNDERSTOOD, ids=last)
def test_a_line_is_understood(
    line: dict[str, Any], field: str, value: object, because: str
) -> None:
    assert getattr(read(**{"text": "some words", **line}).draft, field) == value


REFUSED: list[tuple[object, str]] = [
    ([], "the line is not a JSON object"),
    ({}, "text is required"),
    ({"text": " "}, "text must not be empty"),
    ({"text": 7}, "text must be a text"),
    ({"text": "x" * 1_000_001}, "text has 1000001 characters; at most 1000000"),
    ({"text": "x", "id": True}, "id must be a text or a whole number"),
    ({"text": "x", "id": 1.5}, "id must be a text or a whole number"),
    ({"text": "x", "kind": ["a"]}, "kind must be a text"),
    ({"text": "x", "project": "p" * 201}, "project has 201 characters; at most 200"),
    ({"text": "x", "created_at": "yesterday"}, "created_at must be an ISO 8601 date"),
    ({"text": "x", "created_at": float("nan")}, "created_at must be an ISO 8601 date"),
    ({"text": "x", "created_at": 1e300}, "created_at must be an ISO 8601 date"),
    ({"text": "x", "created_at": True}, "created_at must be an ISO 8601 date"),
    ({"text": "x", "tags": "a"}, "tags must be an array of texts"),
    ({"text": "x", "tags": [1]}, "tags must be an array of texts"),
    ({"text": "x", "tags": [f"t{n}" for n in range(1001)]}, "tags has 1001 entries"),
    ({"text": "x", "pinned": 1}, "pinned must be true or false"),
    ({"text": "x", "subject": "E", "category": "food"}, "category must be one of preference"),
    ({"text": "x", "subject": "E", "confidence": 1.01}, "confidence must be a number from 0"),
    ({"text": "x", "subject": "E", "confidence": True}, "confidence must be a number from 0"),
    ({"text": "x", "subject": "E", "confidence": float("nan")}, "confidence must be a number"),
    ({"text": "x", "recollect": []}, "recollect must be an object"),
    ({"text": "x", "recollect": {"origin": "god"}}, "recollect.origin must be one of user"),
]


@pytest.mark.parametrize(("line", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_a_line_is_refused_by_the_name_of_what_is_wrong(line: object, told: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        records.read(line, rules=Rules(), project="here", now=NOW)

    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ({"subject": " Emma  Reed "}, Claim(subject="Emma Reed", category="fact")),
        (
            {"subject": "Emma", "category": "restriction", "confidence": 0},
            Claim(subject="Emma", category="restriction", confidence=0.0),
        ),
        ({"kind": "note"}, Claim(subject="here", category="context")),
        ({}, None),
    ],
    ids=["a subject", "a confidence of 0 is kept", "a note is about its project", "no claim"],
)
def test_facts_and_notes_claim_something(line: dict[str, Any], claim: Claim | None) -> None:
    assert read(**{"text": "some words", **line}).claim == claim
