"""A portrait while it is drawn, and how its pieces are worded."""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.llm import bounds

CHANGE, EXECUTION, DISCOVERY = "change", "execution", "discovery"
MOST_SHOWN = 100


@dataclass(slots=True, kw_only=True)
class Sketch:
    type: str
    title: str
    told: list[str]
    """Sentences of the narrative."""
    subtitle: str | None = None
    facts: list[str] = field(default_factory=list)
    concepts: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    modified: list[str] = field(default_factory=list)


def shown(text: str, most: int = MOST_SHOWN) -> str:
    return bounds.line(text, most)


def short(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def names(paths: list[str]) -> str:
    first = short(paths[0])
    if len(paths) == 1:
        return first
    return (
        f"{first} and {len(paths) - 1} more" if len(paths) > 2 else f"{first} and {short(paths[1])}"
    )
