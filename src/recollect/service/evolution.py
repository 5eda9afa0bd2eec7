"""Evolution: what each frame of a ticket or branch changed, seen from the one before it.

How that is shown is a dialect's matter. The first frame brings all that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.model.frame import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Each list in the order in which its frame tells it, and nothing in it twice."""

    frame: Frame
    modules_added: tuple[str, ...]
    modules_removed: tuple[str, ...]
    blockers_added: tuple[str, ...]
    """Of blockers and merge blockers together: what moves from one to the other was there."""
    blockers_resolved: tuple[str, ...]


def steps(frames: Sequence[Frame]) -> list[Step]:
    """One for each frame; the frames oldest first."""
    found: list[Step] = []
    modules: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    for frame in frames:
        now = frame.status.all_blockers
        found.append(
            Step(
                frame=frame,
                modules_added=_only_in(frame.module_scope, modules),
                modules_removed=_only_in(modules, frame.module_scope),
                blockers_added=_only_in(now, blockers),
                blockers_resolved=_only_in(blockers, now),
            )
        )
        modules, blockers = frame.module_scope, now
    return found


def _only_in(some: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(each for each in dict.fromkeys(some) if each not in known)
