"""The module rule: what somebody typed becomes ids of the policy, or an error that helps.

Where the policy and its aliases come from is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.model.errors import InvalidArgument
from recollect.model.policy_errors import UnknownModules
from recollect.policy.document import Policy

FARTHEST = 10
"""Edits between what was typed and what is suggested."""
MOST_SUGGESTIONS = 3
MOST_HELPED = 20
"""Unknown ids of one call that get suggestions."""
MOST_AVAILABLE = 100
"""Ids of the policy that an error lists."""


def resolved(
    policy: Policy | None,
    aliases: Mapping[str, str],
    ids: Sequence[str],
    *,
    is_strict: bool,
    argument: str = "module_scope",
) -> tuple[str, ...]:
    """The ids as the policy has them, in the order asked; `UnknownModules` names all that are not.

    Without a policy any id is accepted that is not blank. Strict means exact: no alias counts.
    """
    if policy is None:
        if not all(id_.strip() for id_ in ids):
            raise InvalidArgument(argument, "must not contain an empty id")
        return tuple(ids)
    modules = policy.modules
    known = {} if is_strict else aliases
    found = tuple(id_ if id_ in modules else known.get(id_, id_) for id_ in ids)
    unknown = {typed: id_ for typed, id_ in zip(ids, found, strict=True) if id_ not in modules}
    if unknown:
        raise _error(policy, unknown, is_strict=is_strict)
    return found


def nearest(policy: Policy, typed: str) -> tuple[str, ...]:
    """The ids most like what was typed: fewest edits, then those that contain it, then the first.

    Whether letters are capital makes no difference.
    """
    from rapidfuzz import process  # only who mistyped waits for it
    from rapidfuzz.distance import Levenshtein

    folded, wanted = policy.folded_ids, typed.lower()
    best = process.extract(
        wanted,
        folded,
        scorer=Levenshtein.distance,
        score_cutoff=FARTHEST,
        limit=MOST_SUGGESTIONS,
    )
    if not best:
        return ()
    # Among equals, one that contains what was typed goes first: so all equals are needed.
    within = int(best[-1][1])
    candidates = process.extract(
        wanted, folded, scorer=Levenshtein.distance, score_cutoff=within, limit=None
    )
    ranked = sorted(
        (int(distance), wanted not in id_, position) for id_, distance, position in candidates
    )
    return tuple(policy.ids[position] for _, _, position in ranked[:MOST_SUGGESTIONS])


def _error(policy: Policy, unknown: Mapping[str, str], *, is_strict: bool) -> UnknownModules:
    helped = [] if is_strict else list(unknown.items())[:MOST_HELPED]
    return UnknownModules(
        invalid=tuple(unknown),
        suggestions={typed: nearest(policy, id_) for typed, id_ in helped},
        targets={typed: id_ for typed, id_ in unknown.items() if typed != id_},
        available=policy.ids[:MOST_AVAILABLE],
        module_count=len(policy.modules),
    )
