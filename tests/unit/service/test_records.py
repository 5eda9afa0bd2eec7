"""What a line of an import may say, and the words in which it is refused."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from promises import last
from recollect.model.errors import InvalidArgument
from recollect.model.fact import Claim
from recollect.model.memory import Kind, Origin
from recollect.privacy.clean import Rules
from recollect.service import fields, records
from recollect.service.records import Record

NOW = 1_790_000_000_000
SECRET = "ghp_" + "a1B2" * 9


TAGS = [f"t{number}" for number in range(10_000)]
NO_TIME = "must be an ISO 8601 date, or seconds or milliseconds since 1970"
SHARE = "must be a number from 0 to 1"
BEFORE_ALL_DATES = "0001-01-01T00:00:00+14:00"


def nested(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(levels - 1):
        made = {"a": made}
    return made


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
    ({"subject": "  "}, "kind", Kind.OBSERVATION, "a blank one is none"),
    ({"kind": "diet", "subject": "Emma"}, "kind", Kind.NOTE, "under another name it is a note"),
    ({"kind": "diet", "subject": "Emma"}, "type", "diet", "which keeps that name"),
    ({"kind": "diet", "category": "restriction"}, "kind", Kind.NOTE, "a category says as much"),
    ({"kind": "command", "confidence": 0}, "kind", Kind.OBSERVATION, "how sure it is does not"),
    ({"kind": "command", "confidence": 0}, "detail", {"confidence": 0.0}, "and is kept beside it"),
    (
        {"kind": "summary", "subject": "E", "recollect": {"detail": {"a": 1}}},
        *("detail", {"a": 1, "subject": "E"}, "a summary stays one, whatever it is about"),
    ),
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
    ({"kind": None, "title": None, "tags": None, "pinned": None}, "tags", (), "null is nothing"),
    ({"created_at": 0}, "created_at", 0, "the beginning of 1970 is a time"),
    ({"created_at": -1}, "created_at", -1_000, "and so is the second before"),
    ({"created_at": 1_705_314_600.123}, "created_at", 1_705_314_600_123, "a fraction is not cut"),
    ({"created_at": "0001-01-01"}, "created_at", fields.EARLIEST, "the first day that has a date"),
    ({"created_at": "9999-12-31T23:59:59.999Z"}, "created_at", fields.LATEST, "and the last"),
    ({"text": "half \ud800"}, "text", "half \ufffd", "half a character is mended"),
    ({"text": "nul\0l"}, "text", "null", "NUL, which C cuts at, is left out"),
    ({"text": "  as is\n"}, "text", "  as is\n", "blanks of a text are its own"),
    ({"tags": ["\ud800"]}, "tags", ("\ufffd",), "labels are mended as well"),
    ({"text": "x" * 1_000_000}, "text", "x" * 1_000_000, "a million characters are allowed"),
    ({"tags": TAGS[:1000]}, "tags", tuple(TAGS[:1000]), "and so are a thousand tags"),
    ({"recollect": {"detail": nested(190)}}, "detail", nested(190), "a deep detail comes back"),
]


@pytest.mark.parametrize(("line", "field", "value", "because"), UNDERSTOOD, ids=last)
def test_a_line_is_understood(
    line: dict[str, Any], field: str, value: object, because: str
) -> None:
    assert getattr(read(**{"text": "some words", **line}).draft, field) == value


ANY_TYPE: list[object] = [True, 1.5, ["a"], {"a": 1}]
TEXTS = ("title", "category", "recollect.file_path")
NAMES = ("kind", "project", "session", "speaker", "subject")
TIMES = ("created_at", "recollect.retired_at")
LABELS = ("tags", "concepts", "files")
NUMBERS: list[object] = [float("nan"), float("inf"), float("-inf"), 10**400, -(10**400), 1e300]
WRONG: list[tuple[tuple[str, ...], str, list[object]]] = [
    # fields              told                                      of all these
    (("text", *TEXTS), "must be a text", [7, *ANY_TYPE]),
    (NAMES, "must be a text", ANY_TYPE),
    (LABELS, "must be an array of texts", [1, {}, "a", [1], [["a"]], [None]]),
    (("id",), "must be a text or a whole number", ["", *ANY_TYPE]),
    (("pinned",), "must be true or false", [0, 1, "yes", []]),
    (("confidence",), SHARE, ["1", True, [], {}, -0.1, 2, *NUMBERS]),
    (TIMES, NO_TIME, ["", "now", "24:00", True, [], {}, BEFORE_ALL_DATES, -(10**14)]),
    (("created_at",), NO_TIME, NUMBERS),
    (("recollect.origin",), "must be one of user", [["user"], {}, 1, "god"]),
    (("recollect.kind",), "must be one of observation", [["note"], {}, 1, True, "dream"]),
    (("recollect", "recollect.detail"), "must be an object", [[], "x", 1]),
    (("recollect",), "holds a number that is not finite", [{"detail": {"a": NUMBERS[:1]}}]),
    (("recollect",), "is nested more than 200 deep", [{"detail": nested(900)}]),
    ((*NAMES, "id"), "has 201 characters; at most 200", ["n" * 201]),
    (("session",), "has 301 characters; at most 200", [10**300]),
    (TEXTS, "has 1000001 characters; at most 1000000", ["n" * 1_000_001]),
    (LABELS, "has 10000 entries; at most 1000", [TAGS]),
]


@pytest.mark.parametrize(("names", "told", "values"), WRONG, ids=[told for _, told, _ in WRONG])
def test_each_field_is_refused_in_its_own_words(
    names: tuple[str, ...], told: str, values: list[object]
) -> None:
    for field, value in itertools.product(names, values):
        name, _, inner = field.partition(".")
        line = {"text": "x", name: {inner: value} if inner else value}
        with pytest.raises(InvalidArgument) as refusal:
            records.read(line, rules=Rules(), project="here", now=NOW)

        assert str(refusal.value).startswith(f"{field} {told}")
        assert len(str(refusal.value)) < 200, "whatever came in is not repeated"


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
        ({"kind": "decision", "subject": "Emma"}, Claim(subject="Emma", category="context")),
        ({"confidence": 0.5}, Claim(subject="here", category="fact", confidence=0.5)),
        ({"kind": "thought", "subject": "Emma"}, None),
        ({"kind": "command", "confidence": 0.5}, None),
    ],
    ids=[
        "a subject",
        "a confidence of 0 is kept",
        "a note is about its project",
        "no claim",
        "whatever names a subject claims something about it",
        "who is sure of something states a fact",
        "what is never found claims nothing",
        "nor does what was only done",
    ],
)
def test_facts_and_notes_claim_something(line: dict[str, Any], claim: Claim | None) -> None:
    assert read(**{"text": "some words", **line}).claim == claim


SAME_KEY: list[tuple[dict[str, Any], dict[str, Any], bool, str]] = [
    ({"id": 6}, {"id": "6"}, True, "a number is known by its digits"),
    ({"id": "a", "text": "one"}, {"id": "a", "text": "two"}, True, "an id is enough"),
    ({}, {}, True, "without an id the whole line is"),
    ({}, {"text": "other"}, False, "another text is another memory"),
    ({}, {"created_at": 5}, False, "and so is the same text at another time"),
    ({"created_at": 4}, {"created_at": 5}, False, "as often as it was said"),
    ({}, {"files": ["a.py"]}, False, "or about another file"),
    ({"subject": "E"}, {"subject": "E", "confidence": 0}, False, "or with another confidence"),
    ({"id": "\ud800"}, {"id": "\udfff"}, False, "two broken ids are two"),
    ({"id": SECRET}, {"id": SECRET[:-1] + "9"}, False, "two ids like secrets are two"),
    ({"id": SECRET}, {"id": SECRET}, True, "and each is known again"),
]


@pytest.mark.parametrize(("one", "other", "same", "because"), SAME_KEY, ids=last)
def test_a_line_is_known_by_its_id_or_by_all_it_says(
    one: dict[str, Any], other: dict[str, Any], same: bool, because: str
) -> None:
    first, second = read(**{"text": "x", **one}), read(**{"text": "x", **other})

    assert (first.key == second.key) is same
    assert SECRET not in first.key


def test_a_line_without_an_id_is_of_the_project_that_it_is_brought_to() -> None:
    one, two = (
        records.read({"text": "x"}, rules=Rules(), project=project, now=NOW)
        for project in ("one", "two")
    )
    assert one.key != two.key
