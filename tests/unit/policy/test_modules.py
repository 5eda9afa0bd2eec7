"""The module rule: exact ids pass, aliases become them, and what is neither is helped."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import promise
from recollect.model.errors import InvalidArgument
from recollect.model.policy_errors import UnknownModules
from recollect.policy import document, modules
from recollect.policy.document import Policy


def policy_of(*ids: str) -> Policy:
    read = document.read(json.dumps({"modules": {id_: {} for id_ in ids}}).encode())
    assert read.policy is not None
    return read.policy


SHOP = policy_of("services/auth-core", "ui/panel", "orphan-module", "auth/core", "auth/password")
ALIASES = {"auth": "services/auth-core", "gone": "services/gone", "ui/panel": "auth/core"}

RESOLVED = [
    # asked, resolved, because
    (["ui/panel"], ("ui/panel",), "exact"),
    (["ui/panel", "auth/core", "ui/panel"], ("ui/panel", "auth/core", "ui/panel"), "kept twice"),
    (["auth"], ("services/auth-core",), "an alias becomes its id"),
    (["auth", "ui/panel"], ("services/auth-core", "ui/panel"), "an exact id beats an alias"),
    ([], (), "nothing asked, nothing refused"),
]

REFUSED = [
    # asked, invalid, suggestions, because
    (
        ["servcies/auth-core"],
        ("servcies/auth-core",),
        ("services/auth-core", "auth/core"),
        "two letters the wrong way round",
    ),
    (
        ["AUTH/Core"],
        ("AUTH/Core",),
        ("auth/core", "auth/password", "ui/panel"),
        "case counts, but is helped",
    ),
    (["core"], ("core",), ("auth/core", "ui/panel"), "closest first"),
    (["x" * 40], ("x" * 40,), (), "too far from everything"),
    (["x" * 1_000_000], ("x" * 1_000_000,), (), "a million letters"),
    (["ui/panle", "auth/core", "zz"], ("ui/panle", "zz"), None, "all are told at once"),
    ([""], ("",), None, "an empty id is in no policy"),
    (["ui/panel "], ("ui/panel ",), None, "nothing is trimmed"),
]


@promise("lex:modules:resolved")
@pytest.mark.parametrize(("asked", "found", "because"), RESOLVED, ids=[row[-1] for row in RESOLVED])
def test_ids_and_aliases_become_ids_of_the_policy(
    asked: list[str], found: tuple[str, ...], because: str
) -> None:
    assert modules.resolved(SHOP, ALIASES, asked, is_strict=False) == found, because


@promise("lex:modules:suggestions")
@pytest.mark.parametrize(
    ("asked", "invalid", "suggested", "because"), REFUSED, ids=[row[-1] for row in REFUSED]
)
def test_what_is_not_in_the_policy_is_refused_with_help(
    asked: list[str], invalid: tuple[str, ...], suggested: tuple[str, ...] | None, because: str
) -> None:
    with pytest.raises(UnknownModules) as refused:
        modules.resolved(SHOP, {}, asked, is_strict=False)
    assert refused.value.invalid == invalid
    assert refused.value.available == SHOP.ids
    if suggested is not None:
        assert refused.value.suggested == suggested, because


@promise("lex:modules:suggestions")
def test_among_equally_near_ids_one_that_contains_what_was_typed_goes_first() -> None:
    policy = policy_of("abxx", "cdxx", "efxx", "xxab")
    assert modules.nearest(policy, "ab") == ("abxx", "xxab", "cdxx")


@promise("lex:modules:suggestions")
def test_a_shorthand_that_is_too_far_gets_no_suggestion() -> None:
    assert modules.nearest(policy_of("services/auth-core"), "auth") == ()


@promise("lex:modules:strict")
def test_strict_is_exact_without_aliases_and_without_help() -> None:
    assert modules.resolved(SHOP, ALIASES, ["ui/panel"], is_strict=True) == ("ui/panel",)
    with pytest.raises(UnknownModules) as refused:
        modules.resolved(SHOP, ALIASES, ["auth", "ui/panle"], is_strict=True)
    assert refused.value.invalid == ("auth", "ui/panle")
    assert refused.value.suggested == ()


def test_an_alias_of_what_is_gone_says_what_it_stood_for() -> None:
    with pytest.raises(UnknownModules) as refused:
        modules.resolved(SHOP, ALIASES, ["gone"], is_strict=False)
    assert refused.value.targets == {"gone": "services/gone"}


@promise("lex:modules:no-policy")
def test_without_a_policy_any_id_goes_that_is_not_blank() -> None:
    assert modules.resolved(None, {}, ["Any Thing", "x"], is_strict=True) == ("Any Thing", "x")
    with pytest.raises(InvalidArgument, match="module_scope"):
        modules.resolved(None, {}, ["x", "  "], is_strict=False)


def test_an_error_lists_a_hundred_ids_and_counts_them_all() -> None:
    many = policy_of(*(f"m/{number}" for number in range(1_000)))
    with pytest.raises(UnknownModules) as refused:
        modules.resolved(many, {}, [f"n/{number}" for number in range(500)], is_strict=False)
    assert len(refused.value.available) == 100
    assert refused.value.module_count == 1_000
    assert len(refused.value.invalid) == 500
    assert len(refused.value.suggestions) == modules.MOST_HELPED


def edits(one: str, other: str) -> int:
    """Levenshtein's distance, written as its definition says."""
    row = list(range(len(other) + 1))
    for done, letter in enumerate(one, start=1):
        above, row[0] = row[0], done
        for at, against in enumerate(other, start=1):
            above, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, above + (letter != against))
    return row[-1]


IDS = st.text("abc/-", min_size=1, max_size=16)


@given(st.lists(IDS, min_size=1, max_size=12, unique=True), IDS)
def test_suggestions_are_those_of_the_plain_definition(ids: list[str], typed: str) -> None:
    ranked = sorted(
        (edits(typed, id_), typed not in id_, position) for position, id_ in enumerate(ids)
    )
    expected = tuple(ids[position] for far, _, position in ranked if far <= 10)[:3]
    assert modules.nearest(policy_of(*ids), typed) == expected


def test_who_types_right_does_not_wait_for_the_library_of_distances() -> None:
    program = (
        "import sys; from recollect.service import modules, code_atlas, checking, proposing; "
        "heavy = {'rapidfuzz', 'pathspec', 'tree_sitter', 'numpy'}; "
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
