"""What surrounds a request: the policy in force, and the Atlas of frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.model.frame import Frame
from recollect.model.workspace import Workspace
from recollect.policy.atlas import Atlas, neighbourhood
from recollect.policy.document import Policy
from recollect.service import modules

RADIUS = 1
"""Hops from a frame's modules to what is told around them."""


def with_atlases(workspace: Workspace, frames: Iterable[Frame]) -> list[tuple[Frame, Atlas]]:
    """Each frame with its own surroundings, by the policy of now."""
    policy = modules.policy_for(workspace)
    drawn: dict[tuple[str, ...], Atlas] = {}
    return [(frame, _drawn(drawn, policy, frame.module_scope)) for frame in frames]


def _drawn(
    drawn: dict[tuple[str, ...], Atlas], policy: Policy | None, scope: Sequence[str]
) -> Atlas:
    """Drawn once for all frames of the same modules."""
    seeds = tuple(scope)
    if seeds not in drawn:
        drawn[seeds] = neighbourhood(policy, seeds, RADIUS)
    return drawn[seeds]
