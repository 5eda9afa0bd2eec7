"""`lex.recall` finds frames, `lex.list_frames` tells the newest."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Picture, Told
from recollect.dialects.lex import shapes, texts
from recollect.dialects.lex.around import with_atlases
from recollect.dialects.lex.asked import Asked
from recollect.dialects.lex.refusals import Code, Refused
from recollect.model.frame import Frame
from recollect.service import frames

LIMIT = 10
SEARCHED = ("reference_point", "jira", "branch")


def recall(desk: Desk, arguments: Arguments) -> Told:
    asked = Asked(arguments)
    text, jira, branch = (asked.optional(name) for name in SEARCHED)
    limit, has_images = asked.number("limit", LIMIT), asked.flag("include_images")
    asked.refuse()
    if text is None and jira is None and branch is None:
        raise _nothing_to_look_for(arguments)
    found = frames.recall(
        desk.store, text=text, jira=jira, branch=branch, project=desk.frames_of, limit=limit
    )
    surrounded = with_atlases(desk.workspace(), found)
    pictures = _pictures(desk, found) if has_images else ()
    data: dict[str, Json] = {"frames": [shapes.with_atlas(*each) for each in surrounded]}
    return Told(texts.found(surrounded), data, pictures)


def list_frames(desk: Desk, arguments: Arguments) -> Told:
    asked = Asked(arguments)
    branch, module = asked.optional("branch"), asked.optional("module")
    since, limit = asked.moment("since"), asked.number("limit", LIMIT)
    asked.refuse()
    found = frames.newest(
        desk.store,
        branch=branch,
        module=module,
        since=since,
        project=desk.frames_of,
        limit=limit,
    )
    surrounded = with_atlases(desk.workspace(), found)
    data: dict[str, Json] = {"frames": [shapes.with_atlas(*each) for each in surrounded]}
    return Told(texts.listed(surrounded), data)


def _nothing_to_look_for(arguments: Arguments) -> Refused:
    wanted: list[Json] = list(SEARCHED)
    given: list[Json] = [str(name) for name in arguments]
    told = f"At least one search parameter required: {', '.join(SEARCHED)}"
    details: dict[str, Json] = {"missingFields": wanted, "providedParams": given}
    return Refused(Code.REQUIRED_FIELD, SEARCHED[0], told, details)


def _pictures(desk: Desk, found: list[Frame]) -> tuple[Picture, ...]:
    """In the order in which the data names them."""
    kept = [
        frames.image(desk.store, frame.id, note.number) for frame in found for note in frame.images
    ]
    return tuple(Picture(each.mime_type, each.data) for each in kept)
