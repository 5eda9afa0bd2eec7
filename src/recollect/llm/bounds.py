"""How long what is written for people may be, and that it is one line of readable text each.

The bounds are the published ones; rules and models are held to the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.model.portrait import Portrait, Recap

TITLE = 240
SUBTITLE = 240
NARRATIVE = 4_000
REQUEST = 1_200
POINT = 3_000
NOTES = 1_200


@dataclass(frozen=True, slots=True)
class Items:
    most: int
    longest: int


FACTS = Items(12, 200)
CONCEPTS = Items(10, 80)
FILES = Items(20, 600)

_UNREADABLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")


def line(text: str, most: int) -> str:
    """The text on one line without control characters, an ellipsis where it is cut."""
    told = _UNREADABLE.sub(" ", text[: 4 * most]).strip()
    return told if len(told) <= most else told[: most - 1].rstrip() + "…"


def items(texts: Iterable[str], bound: Items) -> tuple[str, ...]:
    """Each once and in order, as many as may be."""
    found: dict[str, None] = {}
    for text in texts:
        if told := line(text, bound.longest):
            found[told] = None
            if len(found) == bound.most:
                break
    return tuple(found)


def paths(texts: Iterable[str]) -> tuple[str, ...]:
    return items((text.replace("\\", "/") for text in texts), FILES)


def portrait(drawn: Portrait) -> Portrait:
    """The same within its bounds."""
    return Portrait(
        type=drawn.type,
        title=line(drawn.title, TITLE),
        subtitle=line(drawn.subtitle, SUBTITLE) or None if drawn.subtitle else None,
        facts=items(drawn.facts, FACTS),
        narrative=line(drawn.narrative, NARRATIVE),
        concepts=items((concept.lower() for concept in drawn.concepts), CONCEPTS),
        files_read=paths(drawn.files_read),
        files_modified=paths(drawn.files_modified),
    )


def recap(told: Recap) -> Recap:
    """The same within its bounds."""
    return Recap(
        request=line(told.request, REQUEST),
        investigated=line(told.investigated, POINT),
        learned=line(told.learned, POINT),
        completed=line(told.completed, POINT),
        next_steps=line(told.next_steps, POINT),
        notes=line(told.notes, NOTES) or None if told.notes else None,
        files_read=paths(told.files_read),
        files_edited=paths(told.files_edited),
    )
