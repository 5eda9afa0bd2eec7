"""Lex's results as the published texts: a line for each thing, with its sign before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.dialects.lex import shapes
from recollect.model.frame import Frame
from recollect.policy.atlas import Atlas
from recollect.policy.calls import Edge

NONE_FOUND = "🔍 No matching Frames found.\n"
NONE_LISTED = "📋 No Frames found matching criteria.\n"
MOST_EDGES = 40
"""Edges that a text tells; the data has all."""


def stored(frame: Frame, around: Atlas) -> str:
    told = [
        f"✅ Frame stored: {frame.id}",
        f"📍 Reference: {frame.reference_point}",
        f"💬 Summary: {frame.summary_caption}",
        f"📦 Modules: {_list(frame.module_scope)}",
        f"🌿 Branch: {frame.branch}",
        *([f"🎫 Jira: {frame.jira}"] if frame.jira else ()),
        *([f"🖼️  Images: {len(frame.images)} attached"] if frame.images else ()),
        f"📅 Timestamp: {shapes.time(frame.at)}",
        "",
        atlas(around),
    ]
    return _lines(told)


def found(frames: Sequence[tuple[Frame, Atlas]]) -> str:
    """The frames of a recall, each with its surroundings."""
    if not frames:
        return NONE_FOUND
    told = [f"🎯 Found {len(frames)} Frame(s):", ""]
    for number, (frame, around) in enumerate(frames, 1):
        told += [f"--- Frame {number}/{len(frames)} ---", *_frame(frame), "", atlas(around), ""]
    return _lines(told[:-1])


def listed(frames: Sequence[tuple[Frame, Atlas]]) -> str:
    if not frames:
        return NONE_LISTED
    told = [f"📋 Recent Frames ({len(frames)}):", ""]
    for number, (frame, around) in enumerate(frames, 1):
        told += [
            f"{number}. {frame.reference_point}",
            f"   ID: {frame.id}",
            f"   💬 Summary: {frame.summary_caption}",
            f"   📦 Modules: {_list(frame.module_scope)}",
            f"   🌿 Branch: {frame.branch}",
            f"   📅 Timestamp: {shapes.time(frame.at)}",
            *(f"   {line}" for line in atlas(around).splitlines()),
            "",
        ]
    return _lines(told[:-1])


def atlas(around: Atlas) -> str:
    told = [
        f"📊 Atlas Frame (fold radius: {around.radius})",
        f"🌱 Seed modules: {_list(around.seeds)}",
        f"📦 Total modules in neighborhood: {len(around.modules)}",
    ]
    if around.edges:
        told.append("🔗 Edges:")
        told += [f"  {edge(each)}" for each in around.edges[:MOST_EDGES]]
        left = len(around.edges) - MOST_EDGES
        told += [f"  … and {left} more"] if left > 0 else []
    if around.is_cut:
        told.append("✂️  Only the nearest modules are shown: there are too many")
    return "\n".join(told)


def edge(given: Edge) -> str:
    reason = f" - {given.reason}" if given.reason else ""
    sign = _VERDICT[given.is_allowed]
    return f"{given.caller} → {given.called} [{sign}]{reason}"


def validated(
    errors: Sequence[tuple[str, str]],
    suggestions: Sequence[str],
    warnings: Sequence[tuple[str, str]],
) -> str:
    """Pairs of a field and what is said of it."""
    told = ["❌ Validation failed" if errors else "✅ Validation passed"]
    if errors:
        told += ["", "Errors:", *(f"  - {name}: {message}" for name, message in errors)]
    if suggestions:
        told += ["", f"Suggestions: {_list(suggestions)}"]
    if warnings:
        told += ["", "⚠️  Warnings:", *(f"  - {name}: {message}" for name, message in warnings)]
    return _lines(told)


def _frame(frame: Frame) -> list[str]:
    status = frame.status
    return [
        f"ID: {frame.id}",
        f"📍 Reference: {frame.reference_point}",
        f"💬 Summary: {frame.summary_caption}",
        f"📦 Modules: {_list(frame.module_scope)}",
        f"🌿 Branch: {frame.branch}",
        *([f"🎫 Jira: {frame.jira}"] if frame.jira else ()),
        f"📅 Timestamp: {shapes.time(frame.at)}",
        "Status:",
        f"  ⏭️  Next Action: {status.next_action}",
        _counted("🚫 Blockers", status.blockers),
        _counted("⛔ Merge Blockers", status.merge_blockers),
        _counted("❌ Tests Failing", status.tests_failing),
        *([f"🏷️  Keywords: {_list(frame.keywords)}"] if frame.keywords else ()),
        *([f"🖼️  Images: {len(frame.images)} attached"] if frame.images else ()),
        *([f"🗺️  Atlas: {frame.atlas_frame_id}"] if frame.atlas_frame_id else ()),
    ]


def _counted(label: str, entries: Sequence[str]) -> str:
    return f"  {label} ({len(entries)}): {_list(entries) if entries else 'none'}"


def _list(entries: Iterable[str]) -> str:
    return ", ".join(entries)


def _lines(told: Iterable[str]) -> str:
    return "\n".join(told) + "\n"


_VERDICT = {True: "✅ Allowed", False: "🚫 Forbidden", None: "❔ Unknown"}
