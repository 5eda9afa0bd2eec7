"""The neighbourhood of modules: the same every time, with who may call whom and why not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import promise
from recollect.policy import atlas, document
from recollect.policy.atlas import neighbourhood
from recollect.policy.calls import FORBIDDEN, NOT_LISTED, Edge, calls_of
from recollect.policy.document import Policy


def policy_of(modules: dict[str, dict[str, object]]) -> Policy:
    read = document.read(json.dumps({"modules": modules}).encode())
    assert read.policy is not None, read.problems
    return read.policy


SHOP = policy_of(
    {
        "web/checkout": {"coords": [0, 0], "allowed_callers": []},
        "svc/pricing": {"coords": [1, 0], "allowed_callers": ["web/checkout", "svc/orders"]},
        "svc/orders": {"coords": [1, 1], "allowed_callers": ["web/*"]},
        "svc/ledger": {
            "coords": [2, 0],
            "allowed_callers": ["svc/orders", "no/such"],
            "forbidden_callers": ["web/*"],
        },
        "alone": {"allowed_callers": ["alone"]},
    }
)
CHECKOUT_TO_PRICING = Edge("web/checkout", "svc/pricing", is_allowed=True)
ORDERS_TO_PRICING = Edge("svc/orders", "svc/pricing", is_allowed=True)
CHECKOUT_TO_ORDERS = Edge("web/checkout", "svc/orders", is_allowed=True)
ORDERS_TO_LEDGER = Edge("svc/orders", "svc/ledger", is_allowed=True)
CHECKOUT_TO_LEDGER = Edge("web/checkout", "svc/ledger", is_allowed=False, reason=FORBIDDEN)

NEAR = [
    # seeds, radius, modules, edges, because
    (["svc/ledger"], 0, ["svc/ledger"], [], "no step"),
    (
        ["svc/ledger"],
        1,
        ["svc/ledger", "web/checkout", "svc/orders"],
        [CHECKOUT_TO_ORDERS, ORDERS_TO_LEDGER, CHECKOUT_TO_LEDGER],
        "callers, allowed and forbidden, and what is between them",
    ),
    (
        ["web/checkout"],
        1,
        ["web/checkout", "svc/pricing", "svc/orders", "svc/ledger"],
        [
            CHECKOUT_TO_PRICING,
            ORDERS_TO_PRICING,
            CHECKOUT_TO_ORDERS,
            ORDERS_TO_LEDGER,
            CHECKOUT_TO_LEDGER,
        ],
        "called ones as well, by name and by pattern",
    ),
    (["alone"], 3, ["alone"], [], "a module is not its own neighbour"),
    (["no/such", "alone", "alone"], 1, ["alone"], [], "what the policy has not is left out"),
    ([], 2, [], [], "no seed, nothing near"),
]


@promise("lex:atlas:neighbourhood")
@pytest.mark.parametrize(
    ("seeds", "radius", "modules", "edges", "because"), NEAR, ids=[str(row[-1]) for row in NEAR]
)
def test_an_atlas_is_the_neighbourhood_in_the_policy(
    seeds: list[str], radius: int, modules: list[str], edges: list[Edge], because: str
) -> None:
    drawn = neighbourhood(SHOP, seeds, radius)
    assert [module.id for module in drawn.modules] == modules, because
    assert list(drawn.edges) == edges, because
    assert drawn == neighbourhood(SHOP, seeds, radius)
    assert not drawn.is_cut


@promise("lex:atlas:coordinates")
def test_coordinates_are_those_of_the_policy() -> None:
    assert [module.coords for module in neighbourhood(SHOP, ["svc/ledger"], 0).modules] == [(2, 0)]


@promise("lex:atlas:no-policy")
def test_without_a_policy_an_atlas_holds_the_seeds() -> None:
    drawn = neighbourhood(None, ["b", "a", "b"], 3)
    assert [module.id for module in drawn.modules] == ["b", "a"]
    assert drawn.edges == ()


VERDICTS = [
    ("web/checkout", "svc/ledger", False, FORBIDDEN, "forbidden"),
    ("svc/pricing", "svc/ledger", False, NOT_LISTED, "not among those who may"),
    ("svc/pricing", "web/checkout", False, NOT_LISTED, "nobody may"),
    ("svc/orders", "svc/ledger", True, None, "may"),
    ("svc/orders", "no/such", None, None, "nothing is known of it"),
]


@pytest.mark.parametrize(
    ("caller", "called", "is_allowed", "reason", "because"),
    VERDICTS,
    ids=[row[-1] for row in VERDICTS],
)
def test_a_call_is_judged(
    caller: str, called: str, is_allowed: bool | None, reason: str | None, because: str
) -> None:
    verdict = calls_of(SHOP).verdict(caller, called)
    assert verdict == Edge(caller, called, is_allowed, reason), because


def test_forbidden_beats_allowed_and_absent_means_anybody() -> None:
    policy = policy_of({"a": {"allowed_callers": ["*"], "forbidden_callers": ["b"]}, "b": {}})
    assert calls_of(policy).verdict("b", "a").reason == FORBIDDEN
    assert calls_of(policy).verdict("a", "b").is_allowed is True


def test_a_star_is_the_only_sign_that_is_special() -> None:
    policy = policy_of({"a": {"allowed_callers": ["[xy]*", "?*"]}, "x1": {}, "[xy]1": {}, "?": {}})
    callers = [edge.caller for edge in neighbourhood(policy, ["a"], 1).edges]
    assert callers == ["[xy]1", "?"]


def test_cycles_end() -> None:
    ring = policy_of(
        {f"m{number}": {"allowed_callers": [f"m{(number + 1) % 50}"]} for number in range(50)}
    )
    drawn = neighbourhood(ring, ["m0"], 1_000_000)
    assert len(drawn.modules) == len(drawn.edges) == 50


@promise("lex:atlas:limits")
def test_everybody_may_call_everybody_among_many_and_it_says_that_it_is_cut() -> None:
    crowd = policy_of({f"m{number}": {"allowed_callers": ["*"]} for number in range(20_000)})
    drawn = neighbourhood(crowd, ["m7"], 3)
    assert drawn.is_cut
    assert len(drawn.modules) == atlas.MOST_MODULES
    assert len(drawn.edges) == atlas.MOST_EDGES
    assert drawn.modules[0].id == "m7"


IDS = st.sampled_from(["a", "b", "a/b", "a/c", "b/c"])
ENTRIES = st.none() | st.lists(IDS | st.sampled_from(["*", "a/*", "*c", "no"]), max_size=3)
BODIES = st.fixed_dictionaries({"allowed_callers": ENTRIES, "forbidden_callers": ENTRIES})


@given(st.dictionaries(IDS, BODIES, min_size=1), IDS, st.integers(0, 4))
def test_a_wider_radius_keeps_what_a_narrower_one_had(
    modules: dict[str, dict[str, object]], seed: str, radius: int
) -> None:
    policy = policy_of(modules)
    near, wider = (neighbourhood(policy, [seed], at) for at in (radius, radius + 1))
    assert wider.modules[: len(near.modules)] == near.modules
    assert set(near.edges) <= set(wider.edges)
    calls = calls_of(policy)
    assert all(edge == calls.verdict(edge.caller, edge.called) for edge in wider.edges)
