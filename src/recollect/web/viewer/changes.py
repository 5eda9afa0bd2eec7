"""What the page changes: a memory pinned, said otherwise, outdated, wanted back, or removed.

Whatever is written is cleaned by the privacy rules of the memory's project first.
"""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Request, Response
from recollect.model.errors import InvalidArgument
from recollect.model.fact import LONGEST_CONTENT
from recollect.privacy.clean import clean_text
from recollect.service import correcting, fields, remember
from recollect.web.viewer.memories import memory_of, one

LONGEST_TITLE = 500
LONGEST_REASON = 2_000


def pin(desk: Desk, request: Request) -> Response:
    if request.body.get("pinned") is None:
        raise InvalidArgument("pinned", "is required")
    is_pinned = fields.flag(request.body, "pinned")
    memory = memory_of(desk.store, request)
    remember.pin(desk.store, memory.id, is_pinned=is_pinned)
    return one(desk, request)


def edit(desk: Desk, request: Request) -> Response:
    """A title that is not named stays as it is; an empty one is none."""
    memory = memory_of(desk.store, request)
    given = fields.required_text(request.body, "text").strip()
    text = _clean(desk, memory.project, "text", given, LONGEST_CONTENT)
    if not text:
        raise InvalidArgument("text", "holds nothing but what is private")
    title = memory.title
    if "title" in request.body:
        named = fields.string(request.body, "title")
        title = _clean(desk, memory.project, "title", named, LONGEST_TITLE)
    reason = _reason(desk, memory.project, request)
    correcting.reword(desk.store, memory.id, text=text, title=title, at=desk.clock(), reason=reason)
    return one(desk, request)


def outdate(desk: Desk, request: Request) -> Response:
    memory = memory_of(desk.store, request)
    reason = _reason(desk, memory.project, request)
    correcting.outdate(desk.store, memory.id, at=desk.clock(), reason=reason)
    return one(desk, request)


def restore(desk: Desk, request: Request) -> Response:
    memory = memory_of(desk.store, request)
    correcting.restore(desk.store, memory.id, at=desk.clock())
    return one(desk, request)


def purge(desk: Desk, request: Request) -> Response:
    memory = memory_of(desk.store, request)
    desk.purge(memory.id)
    return Response(body={"id": memory.id, "purged": True})


def _reason(desk: Desk, project: str, request: Request) -> str | None:
    given = fields.string(request.body, "reason")
    return _clean(desk, project, "reason", given, LONGEST_REASON)


def _clean(desk: Desk, project: str, name: str, given: str | None, most: int) -> str | None:
    """None for what is blank, before or after."""
    if given is None:
        return None
    if len(given) > most:
        raise InvalidArgument(name, f"has {len(given)} characters; at most {most}")
    return clean_text(given, desk.rules(project))[0].strip() or None
