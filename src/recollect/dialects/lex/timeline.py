"""`lex.timeline`: the frames of a ticket or of a branch, with what each of them changed."""

from __future__ import annotations

import json

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Told
from recollect.dialects.lex import course, shapes
from recollect.dialects.lex.asked import Asked
from recollect.service import evolution, frames

NAME = "ticketOrBranch"


def timeline(desk: Desk, arguments: Arguments) -> Told:
    """What a frame changed is seen from the one before it, also when that one is filtered out."""
    asked = Asked(arguments)
    asked.needed(NAME)
    name, form = asked.text(NAME), asked.text("format")
    since, until = asked.moment("since"), asked.moment("until", is_end=True)
    asked.refuse()
    found = frames.of_ticket_or_branch(desk.store, name, project=desk.frames_of)
    steps = [
        step
        for step in evolution.steps(found.frames)
        if (since is None or step.frame.at >= since) and (until is None or step.frame.at <= until)
    ]
    told = shapes.steps(steps)
    data: dict[str, Json] = {
        "ticketOrBranch": name,
        "kind": ("ticket" if found.is_ticket else "branch") if found.frames else None,
        "frames": told,
    }
    if form == "json":
        return Told(json.dumps(told, ensure_ascii=False, indent=2), data)
    if not steps:
        words = course.none_between(name) if found.frames else course.none_found(name)
        return Told(words, data)
    return Told(course.text(name, steps, is_ticket=found.is_ticket), data)
