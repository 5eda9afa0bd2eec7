"""A policy's bytes become a policy, or every problem with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import promise
from recollect.policy import document

GOOD = {
    "schemaVersion": "1.0.0",
    "$comment": "keys that nobody knows are ignored",
    "modules": {
        "web/checkout": {"coords": [0, 0.5], "owns_paths": ["web/**"], "allowed_callers": []},
        "svc/pricing": {"kill_patterns": ["a", {"pattern": "b", "description": "why"}]},
        "svc/orders": {"notes": None, "allowed_callers": None},
    },
    "global_kill_patterns": [{"pattern": "raw_sql", "description": "use the query layer"}, "x"],
}

WRONG = [
    # bytes, place, message, because
    (b"", "policy", "It is not JSON", "an empty file"),
    (b"{", "policy", "line 1, column 2", "it says where"),
    (b"not json", "policy", "It is not JSON", "words"),
    (b"\xff\xfe\x00", "policy", "It is not JSON", "bytes of no text"),
    (b"null", "policy", "not null", "no object"),
    (b"[]", "policy", "not an array", "no object"),
    (b"{}", "modules", "Missing required field 'modules'", "the one required field"),
    (b'{"modules": []}', "modules", "not an array", "modules are looked up by id"),
    (b'{"modules": null}', "modules", "not null", "null is not an empty policy"),
    (b'{"modules": {"a": 1}}', "modules.a", "not a number", "a module is an object"),
    (b'{"modules": {"": {}}}', "modules.", "must not be empty", "an id that nobody can type"),
    (b'{"modules": {"a": {}, "a": {}}}', "policy", "'a' is there twice", "which one is meant?"),
    (b'{"modules": {"a": {"coords": [NaN, 1]}}}', "policy", "NaN", "JSON has no NaN"),
    (b'{"modules": {"a": {"coords": [-Infinity, 1]}}}', "policy", "-Infinity", "nor infinity"),
    (b'{"modules": {"a": {"coords": [1e999, 1]}}}', "modules.a.coords", "finite", "too large"),
    (b'{"modules": {"a": {"coords": [1]}}}', "modules.a.coords", "two", "one number"),
    (b'{"modules": {"a": {"coords": [true, 1]}}}', "modules.a.coords", "two", "true is no 1"),
    (b'{"modules": {"a": {"coords": [1' + b"0" * 400 + b", 1]}}}", "modules.a.coords", "", "big"),
    (b'{"modules": {"a": {"coords": [1' + b"0" * 5000 + b", 1]}}}", "policy", "number", "bigger"),
    (b'{"modules": {"a": {"allowed_callers": "b"}}}', "modules.a.allowed_callers", "array", "text"),
    (b'{"modules": {"a": {"owns_paths": ["x", 1]}}}', "modules.a.owns_paths[1]", "string", "1"),
    (b'{"modules": {"a": {"notes": ["x"]}}}', "modules.a.notes", "string", "notes are a text"),
    (b'{"modules": {"a": {"notes": "\\ud800"}}}', "modules.a.notes", "surrogate", "half a letter"),
    (b'{"modules": {"\\ud800": {}}}', "modules.?", "surrogate", "half a letter as an id"),
    (b'{"modules": {"a": {"kill_patterns": [{}]}}}', "modules.a.kill_patterns[0].pattern", "", "-"),
    (b'{"modules": {}, "global_kill_patterns": [7]}', "global_kill_patterns[0]", "string", "7"),
    (b'{"modules": {}, "schemaVersion": 1}', "schemaVersion", "string", "a number"),
    (b'{"modules": ' * 100_000, "policy", "nested too deeply", "a bomb of braces"),
    (b"[" * 1_000_000, "policy", "nested too deeply", "a bomb of brackets"),
    (b" " * (document.LARGEST + 1), "policy", "larger than 64 MiB", "a bomb of bytes"),
]


@promise("lex:policy:document")
def test_a_policy_is_read_as_it_stands() -> None:
    policy = document.read(json.dumps(GOOD).encode()).policy
    assert policy is not None
    assert policy.ids == ("web/checkout", "svc/pricing", "svc/orders")
    checkout, pricing, orders = policy.modules.values()
    assert checkout == document.Module(
        id="web/checkout", coords=(0, 0.5), owns_paths=("web/**",), allowed_callers=()
    )
    assert pricing.kill_patterns == ("a", "b")
    assert orders.allowed_callers is None


def test_a_byte_order_mark_is_no_reason_to_refuse_a_policy() -> None:
    assert document.read(b'\xef\xbb\xbf{"modules": {"a": {}}}').policy is not None


@promise("lex:policy:refused")
@pytest.mark.parametrize(
    ("blob", "place", "message", "because"), WRONG, ids=[str(row[-1]) for row in WRONG]
)
def test_what_is_no_policy_says_where_and_why(
    blob: bytes, place: str, message: str, because: str
) -> None:
    read = document.read(blob)
    assert read.policy is None, because
    assert read.problems[0].place == place
    assert message in read.problems[0].message


def test_every_problem_is_told_at_once() -> None:
    read = document.read(b'{"modules": {"a": {"coords": 1, "notes": 1}, "b": 2}}')
    assert [problem.place for problem in read.problems] == [
        "modules.a.coords",
        "modules.a.notes",
        "modules.b",
    ]


def test_a_policy_of_nothing_but_problems_is_not_listed_to_its_end() -> None:
    body = {"modules": {f"m{number}": 1 for number in range(10_000)}}
    assert len(document.read(json.dumps(body).encode()).problems) == document.MOST_PROBLEMS + 1


def test_ten_megabytes_are_read() -> None:
    notes = "x" * 100
    body = {"modules": {f"m/{number}": {"notes": notes} for number in range(80_000)}}
    blob = json.dumps(body).encode()
    assert len(blob) > 10_000_000
    policy = document.read(blob).policy
    assert policy is not None
    assert len(policy.modules) == 80_000


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.dictionaries(
    st.sampled_from(("coords", "owns_paths", "allowed_callers", "kill_patterns", "notes")), VALUES
)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_policy_or_a_problem(blob: bytes) -> None:
    read = document.read(blob)
    assert (read.policy is None) == bool(read.problems)


@given(st.dictionaries(st.text(), FIELDS | VALUES, max_size=4))
def test_any_modules_are_a_policy_or_a_problem(modules: dict[str, object]) -> None:
    read = document.read(json.dumps({"modules": modules}).encode())
    assert (read.policy is None) == bool(read.problems)
    if read.policy is not None:
        assert read.policy.ids == tuple(modules)
