"""Arguments against a published schema: what is filled in, what is refused, in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.dialect.validate import LARGEST, checked
from recollect.model.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.dialect.spec import Json

SEARCH: dict[str, Json] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "project": {"type": ["string", "null"]},
        "obs_type": {"type": "string"},
        "limit": {"type": "integer", "default": 20},
        "threshold": {"type": "number", "minimum": 0, "maximum": 1},
        "order": {"type": "string", "enum": ["relevance", "blended"]},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "full": {"type": "boolean"},
        "source": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "tags": {"type": "array", "default": []}},
            "required": ["name"],
        },
        "anything": {"description": "no type: whatever it is"},
    },
    "required": ["query"],
}

ACCEPTED: list[tuple[dict[str, object], dict[str, object], str]] = [
    # extra arguments               what they become                    because
    ({}, {"limit": 20}, "an absent argument has its default"),
    ({"limit": 5}, {"limit": 5}, "a given one keeps its value"),
    ({"limit": -5}, {"limit": -5}, "the schema has no minimum: limits are the tool's business"),
    ({"limit": None}, {"limit": 20}, "null is absent"),
    ({"obs_type": None}, {"limit": 20}, "also without a default"),
    ({"project": None}, {"limit": 20, "project": None}, "where null is allowed, it says something"),
    ({"project": "web"}, {"limit": 20, "project": "web"}, "one of several types"),
    ({"colour": "red"}, {"limit": 20}, "extra arguments are ignored"),
    ({"threshold": 1}, {"limit": 20, "threshold": 1}, "a whole number is a number"),
    ({"threshold": 0.5}, {"limit": 20, "threshold": 0.5}, "a fraction is a number"),
    ({"ids": []}, {"limit": 20, "ids": []}, "an empty array is an array"),
    ({"ids": [3, 1, 3]}, {"limit": 20, "ids": [3, 1, 3]}, "items stay in their order"),
    ({"order": "blended"}, {"limit": 20, "order": "blended"}, "one of the choices"),
    (
        {"source": {"name": "x", "more": 1}},
        {"limit": 20, "source": {"name": "x", "tags": []}},
        "objects within are read the same way",
    ),
    ({"anything": {"a": [1]}}, {"limit": 20, "anything": {"a": [1]}}, "no type, no question"),
    ({"limit": 10**30}, {"limit": LARGEST}, "held to JSON's interoperable range"),
    ({"ids": [-(10**30)]}, {"limit": 20, "ids": [-LARGEST]}, "in both directions"),
]

REFUSED: list[tuple[dict[str, object], str, str, str]] = [
    # arguments                     name             problem                        because
    ({}, "query", "is required", "required and absent"),
    ({"query": None}, "query", "is required", "null is absent"),
    ({"query": 7}, "query", "must be a string, not an integer", "not converted"),
    ({"query": ""}, "query", "must not be empty", "the schema's minLength"),
    ({"limit": "5"}, "limit", "must be an integer, not a string", "not converted"),
    ({"limit": 5.0}, "limit", "must be an integer, not 5.0", "a fraction that looks whole"),
    ({"limit": 2.5}, "limit", "must be an integer, not 2.5", "a fraction"),
    ({"limit": True}, "limit", "must be an integer, not a boolean", "booleans are not numbers"),
    ({"threshold": True}, "threshold", "must be a number, not a boolean", "of neither sort"),
    ({"threshold": float("nan")}, "threshold", "must be a number, not NaN or infinity", "NaN"),
    ({"threshold": float("inf")}, "threshold", "must be a number, not NaN or infinity", "infinity"),
    ({"threshold": -0.1}, "threshold", "must be at least 0", "the schema says so"),
    ({"threshold": 2}, "threshold", "must be at most 1", "the schema says so"),
    ({"project": 3}, "project", "must be a string or null, not an integer", "neither of the two"),
    ({"order": "best"}, "order", 'must be one of "relevance", "blended"', "not a choice"),
    ({"full": 1}, "full", "must be a boolean, not an integer", "numbers are not booleans"),
    ({"ids": 3}, "ids", "must be an array, not an integer", "one is not a list of one"),
    ({"ids": [1, 2, "3"]}, "ids[2]", "must be an integer, not a string", "the item is named"),
    ({"ids": [None]}, "ids[0]", "must be an integer, not null", "null is no item"),
    ({"source": []}, "source", "must be an object, not an array", "an array is no object"),
    ({"source": {}}, "source.name", "is required", "the place within is named"),
    ({"source": {"name": 1}}, "source.name", "must be a string, not an integer", "also here"),
]


@pytest.mark.parametrize(("given_", "expected", "because"), ACCEPTED)
def test_arguments_become_what_the_schema_says(
    given_: dict[str, object], expected: dict[str, object], because: str
) -> None:
    assert checked(SEARCH, {"query": "auth", **given_}) == {"query": "auth", **expected}, because


@pytest.mark.parametrize(("arguments", "name", "problem", "because"), REFUSED)
def test_what_does_not_fit_is_refused_by_name(
    arguments: dict[str, object], name: str, problem: str, because: str
) -> None:
    given_ = arguments if "query" in arguments or not arguments else {"query": "x", **arguments}
    with pytest.raises(InvalidArgument) as refused:
        checked(SEARCH, given_)
    assert refused.value.message == f"{name} {problem}", because
    assert refused.value.context == {"name": name}


@pytest.mark.parametrize("arguments", [[], "query", 3, None, True])
def test_arguments_that_are_no_object_are_refused(arguments: Mapping[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=r"^arguments must be an object$"):
        checked(SEARCH, arguments)


def test_true_is_not_the_choice_one() -> None:
    schema: dict[str, Json] = {"properties": {"level": {"enum": [1, 2]}}}
    with pytest.raises(InvalidArgument, match=r"^level must be one of 1, 2$"):
        checked(schema, {"level": True})


def test_a_default_is_not_shared_between_calls() -> None:
    schema: dict[str, Json] = {"properties": {"tags": {"type": "array", "default": []}}}
    first = checked(schema, {})["tags"]
    assert isinstance(first, list)
    first.append("x")
    assert checked(schema, {}) == {"tags": []}


def test_the_arguments_themselves_are_left_alone() -> None:
    arguments: dict[str, object] = {"query": "auth", "colour": "red", "limit": 10**30}
    checked(SEARCH, arguments)
    assert arguments == {"query": "auth", "colour": "red", "limit": 10**30}


def test_depth_is_no_trouble() -> None:
    deep: object = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidArgument, match=r"^ids\[0\] must be an integer, not an array$"):
        checked(SEARCH, {"query": "auth", "ids": deep})
    assert checked(SEARCH, {"query": "auth", "anything": deep})["anything"] is deep


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


NAMES = ["query", "project", "limit", "threshold", "order", "ids", "full", "source", "anything"]


@given(st.sampled_from(NAMES), VALUES)
@settings(deadline=None, max_examples=400)
def test_any_value_is_taken_as_it_is_or_refused_by_name(name: str, value: object) -> None:
    try:
        result = checked(SEARCH, {"query": "auth", name: value})
    except InvalidArgument as refused:
        assert refused.message.startswith(name)  # noqa: PT017 - either is right
    else:
        assert result["query"]
        assert isinstance(result["limit"], int)
        assert not isinstance(result["limit"], bool)
