"""A timeline as text: what happened frame by frame, which modules, and which blockers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from recollect.model.frame import Status
from recollect.service.evolution import Step

INDENT = " " * 14
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PLACES = 60
"""Frames that the picture of a module shows; of a longer course, the last ones."""


def title(name: str, *, is_ticket: bool) -> str:
    return f"{name}: Timeline" if is_ticket else f"Branch {name}: Timeline"


def none_found(name: str) -> str:
    return f'🔍 No frames found for: "{name}"\n'


def none_between(name: str) -> str:
    return f'🔍 No frames found in the specified date range for: "{name}"\n'


def text(name: str, steps: Sequence[Step], *, is_ticket: bool) -> str:
    heading = title(name, is_ticket=is_ticket)
    rule = "═" * len(heading)
    told = ["", heading, rule, ""]
    for step in steps:
        told += [*_step(step), ""]
    told += [rule, "", "Module Scope Evolution:", *_modules(steps), ""]
    told += ["Blocker Tracking:", *_blockers(steps)]
    return "\n".join(told) + "\n"


def moment(milliseconds: int) -> str:
    """As people say it, in UTC; the year stands in the data."""
    at = _EPOCH + timedelta(milliseconds=milliseconds)
    half = "AM" if at.hour < 12 else "PM"
    return f"{_MONTHS[at.month - 1]} {at.day}, {at.hour % 12 or 12:02}:{at.minute:02} {half}"


def _step(step: Step) -> list[str]:
    frame, status = step.frame, step.frame.status
    return [
        f"{moment(frame.at)}  [Frame #{frame.id}]  {frame.summary_caption}",
        f"{INDENT}Modules: {', '.join(frame.module_scope)}",
        *([f"{INDENT}+ Added: {', '.join(step.modules_added)}"] if step.modules_added else ()),
        *(
            [f"{INDENT}- Removed: {', '.join(step.modules_removed)}"]
            if step.modules_removed
            else ()
        ),
        f"{INDENT}Status: {_status(status)}",
        *(
            f"{INDENT}{'+ ' if each in step.blockers_added else ''}⚠️ {each}"
            for each in status.all_blockers
        ),
        *(f"{INDENT}- ✅ Resolved: {each}" for each in step.blockers_resolved),
        *(f"{INDENT}❌ {each}" for each in status.tests_failing),
    ]


def _status(status: Status) -> str:
    if status.all_blockers:
        return "⚠️ Blocked"
    return "❌ Tests failing" if status.tests_failing else "✅ In progress"


def _modules(steps: Sequence[Step]) -> Iterable[str]:
    scopes = [frozenset(step.frame.module_scope) for step in steps]
    names = sorted(frozenset[str]().union(*scopes))
    width = max(map(len, names), default=0)
    for name in names:
        bars = "".join("█" if name in scope else " " for scope in scopes[-_PLACES:])
        count = sum(name in scope for scope in scopes)
        yield f"  {name:<{width}}  {bars}  ({count}/{len(scopes)} frames)"


def _blockers(steps: Sequence[Step]) -> list[str]:
    told: list[str] = []
    for number, step in enumerate(steps, 1):
        if step.blockers_added or step.blockers_resolved:
            told.append(f"  Frame {number}:")
            told += [f"    + {each}" for each in step.blockers_added]
            told += [f"    - {each} (resolved)" for each in step.blockers_resolved]
    return told or ["  No blockers"]
