"""The neighbourhood of modules in a policy: who is near the seeds, and who may call whom there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.policy.calls import Calls, Edge, calls_of
from recollect.policy.document import Module, Policy

MOST_MODULES = 500
MOST_EDGES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Atlas:
    """`modules` nearest first, then as the policy has them; `edges` allowed first.

    It is cut when it would have more than `MOST_MODULES` or `MOST_EDGES`.
    """

    seeds: tuple[str, ...]
    radius: int
    modules: tuple[Module, ...]
    edges: tuple[Edge, ...]
    is_cut: bool = False


def neighbourhood(policy: Policy | None, seeds: Sequence[str], radius: int) -> Atlas:
    """The same policy, seeds and radius give the same Atlas.

    Without a policy there is nothing but the seeds; a seed that the policy does not have is left
    out, because nothing is known of it.
    """
    distinct = tuple(dict.fromkeys(seeds))
    if policy is None:
        alone = tuple(Module(id=id_) for id_ in distinct)
        return Atlas(seeds=distinct, radius=radius, modules=alone, edges=())
    calls = calls_of(policy)
    found, has_more = _found(calls, [id_ for id_ in distinct if id_ in policy.modules], radius)
    edges, has_more_edges = _edges(calls, found)
    return Atlas(
        seeds=distinct,
        radius=radius,
        modules=tuple(policy.modules[id_] for id_ in found),
        edges=edges,
        is_cut=has_more or has_more_edges,
    )


def _found(calls: Calls, seeds: list[str], radius: int) -> tuple[list[str], bool]:
    found = dict.fromkeys(seeds)
    rim = seeds
    for _ in range(radius):
        near: set[str] = set()
        for id_ in rim:
            near |= calls.near(id_)
            if len(near) + len(found) > 2 * MOST_MODULES:  # enough to know that it will be cut
                break
        rim = sorted(near - found.keys(), key=calls.position)
        found.update(dict.fromkeys(rim))
        if not rim or len(found) > MOST_MODULES:
            break
    return list(found)[:MOST_MODULES], len(found) > MOST_MODULES


def _edges(calls: Calls, found: list[str]) -> tuple[tuple[Edge, ...], bool]:
    inside = set(found)
    edges: list[Edge] = []
    for called in sorted(found, key=calls.position):
        edges += calls.into(called, among=inside)
        if len(edges) > MOST_EDGES:
            break
    is_cut = len(edges) > MOST_EDGES
    return tuple(sorted(edges[:MOST_EDGES], key=lambda edge: not edge.is_allowed)), is_cut
