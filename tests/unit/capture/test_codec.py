"""The hook's JSON: it reads what `json` reads, refuses what is none, writes what `json` reads."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.capture.codec import compact, parse, readable
from recollect.model.errors import MalformedEvent

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(10**40), max_value=10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)

READ = [
    # text                                value                          because
    ('{"a": 1, "a": 2}', {"a": 2}, "the last of two equal names counts, as in json"),
    (r'"\ud83d\ude00"', "\U0001f600", "a surrogate pair is one character"),
    (r'"\ud83d"', "\ud83d", "half a pair is read, and mended later"),
    (r'"\u0000"', "\0", "an escaped NUL is JSON"),
    (
        "123456789012345678901234567890",
        123456789012345678901234567890,
        "whole numbers have no limit",
    ),
    ("-0.5e-3", -0.0005, "a fraction with an exponent"),
    ("1e999", math.inf, "too large a fraction is infinity, as in json"),
    (' \t\r\n{"a":[]}\n', {"a": []}, "blanks around the value mean nothing"),
    ("\ufeff{}", {}, "a byte order mark means nothing"),
    ("[]", [], "the value need not be an object here"),
    ('"\u65e5\u672c"', "\u65e5\u672c", "text beyond ASCII"),
]

REFUSED = [
    # bytes                     because
    (b"", "nothing at all"),
    (b" \n", "only blanks"),
    (b"{", "it stops in the middle"),
    (b'{"a": 1', "it stops before the brace"),
    (b'{"a": 1,}', "a comma too many"),
    (b"{'a': 1}", "single quotes"),
    (b"{} {}", "two values"),
    (b'{"a": NaN}', "NaN is no JSON"),
    (b"[Infinity]", "nor is infinity"),
    (b"[-Infinity]", "in either direction"),
    (b'"a\nb"', "a line break within a text"),
    (b'"a\x00b"', "a NUL within a text"),
    (b"{}\x00", "a NUL after the value"),
    (b'{"a": "\xff"}', "not UTF-8"),
    (b'"\xed\xa0\x80"', "a surrogate in UTF-8"),
    (b"[" * 100_000 + b"]" * 100_000, "nested deeper than Python goes"),
    (b'{"a":' * 100_000, "nested and unfinished"),
]


@pytest.mark.parametrize(("text", "value", "because"), READ, ids=[row[-1] for row in READ])
def test_reads_what_json_reads(text: str, value: object, because: str) -> None:
    assert parse(text.encode("utf-8")) == value
    assert json.loads(text.encode("utf-8")) == value


@pytest.mark.parametrize(("blob", "because"), REFUSED, ids=[row[-1] for row in REFUSED])
def test_refuses_what_is_no_json_in_one_readable_line(blob: bytes, because: str) -> None:
    with pytest.raises(MalformedEvent) as refusal:
        parse(blob)
    assert refusal.value.message.startswith("the input ")
    assert "\n" not in refusal.value.message


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_a_value_survives_being_written_and_read(value: object) -> None:
    assert parse(compact(value).encode("ascii")) == value
    assert json.loads(compact(value)) == value
    assert compact(value) == json.dumps(value, separators=(",", ":"))
    assert readable(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='{}[]",:0123456789.eE+-ntfalsru \\\ud800\u00e9\x00\n', max_size=30))
def test_agrees_with_json_about_what_is_json(text: str) -> None:
    blob = text.encode("utf-8", "replace")
    try:
        expected: object = json.loads(blob.decode("utf-8").removeprefix("\ufeff"))
    except ValueError:
        with pytest.raises(MalformedEvent):
            parse(blob)
    else:
        assert parse(blob) == expected


def test_infinity_is_written_as_null_for_which_json_has_a_word() -> None:
    assert compact([math.inf, -math.inf, math.nan]) == "[null,null,null]"


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        compact({"a": b"raw"})


def test_works_the_same_without_the_private_parts_of_cpython() -> None:
    program = """
import sys
sys.modules["_json"] = None
from recollect.capture.codec import compact, parse, readable
from recollect.model.errors import MalformedEvent
assert parse(b'{"a": [1, 2.5, "x", null, true]}') == {"a": [1, 2.5, "x", None, True]}
assert compact({"a": ["\\u00e9", None]}) == '{"a":["\\\\u00e9",null]}'
for bad in (b'[NaN]', b'{', b'[' * 100_000):
    try:
        parse(bad)
    except MalformedEvent:
        continue
    raise SystemExit(f"{bad[:9]!r} was read")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(
    "blob", ["{", '"a\\n', "[1,]", "nul"], ids=["object", "text", "list", "word"]
)
def test_says_what_is_wrong_also_where_json_was_never_imported(blob: str) -> None:
    # The C scanner wants to raise json's error and fails over itself if nobody imported json.
    program = f"""
import sys
from recollect.capture.codec import parse
from recollect.model.errors import MalformedEvent
assert "json" not in sys.modules
try:
    parse({blob.encode()!r})
except MalformedEvent as problem:
    print(problem.message)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=60, capture_output=True, text=True
    )
    assert done.stdout.startswith("the input is not JSON")


def test_a_number_that_python_would_not_read_stays_its_digits() -> None:
    digits = "1" * 100_000
    assert parse(f'{{"n": {digits}, "m": 7}}'.encode()) == {"n": digits, "m": 7}
