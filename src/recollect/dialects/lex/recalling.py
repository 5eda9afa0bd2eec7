"""`lex.recall` finds frames, `lex.list_frames` tells the newest."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Picture, Told
from recollect.dialects.lex import shapes, texts
from recollect.dialects.lex.around import with_atlases
from recollect.dialects.lex.asked import Asked
from recollect.dialects.lex.refusals import Code, Refused
from recollect.model.frame import Frame, ImageNote
from recollect.service import frames

LIMIT = 10
MOST_BYTES = 32 * 1024 * 1024
"""Of images in one answer."""
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
    words = texts.found(surrounded)
    data: dict[str, Json] = {"frames": [shapes.with_atlas(*each) for each in surrounded]}
    if not has_images:
        return Told(words, data)
    kept, left_out = _kept(found)
    pictures = tuple(_picture(desk, frame, note) for frame, note in kept)
    if left_out:
        data["images_left_out"] = left_out
        words += f"\n✂️  Images left out: {left_out}; ask for fewer frames at once\n"
    return Told(words, data, pictures)


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


def _kept(found: list[Frame]) -> tuple[list[tuple[Frame, ImageNote]], int]:
    """The images of these frames, in their order, as many as fit; and how many do not."""
    kept: list[tuple[Frame, ImageNote]] = []
    notes = [(frame, note) for frame in found for note in frame.images]
    room = MOST_BYTES
    for frame, note in notes:
        room -= note.size
        if room < 0:
            break
        kept.append((frame, note))
    return kept, len(notes) - len(kept)


def _picture(desk: Desk, frame: Frame, note: ImageNote) -> Picture:
    image = frames.image(desk.store, frame.id, note.number)
    return Picture(image.mime_type, image.data)
