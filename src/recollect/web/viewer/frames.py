"""Frames for the page: listed, and each with the modules around it and its images."""

from __future__ import annotations

import re

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response
from recollect.dialects.lex.frames import EXTENSIONS
from recollect.dialects.lex.problems import HARDENED
from recollect.dialects.lex.shapes import edge, module
from recollect.model.errors import InvalidArgument, RecollectError
from recollect.model.frame import Frame
from recollect.policy.atlas import neighbourhood
from recollect.service import frames, modules
from recollect.store.port.frames import Wanted
from recollect.web.viewer import shapes
from recollect.web.viewer.asked import Asked, cursor_of

RADIUS, FARTHEST = 1, 5


def listed(desk: Desk, request: Request) -> Response:
    """Newest first; with words those that have them, best match first."""
    asked = Asked(request.query)
    text, project = asked.text("q"), asked.project()
    wanted = Wanted(
        projects=None if project is None else (project,),
        branch=asked.text("branch"),
        jira=asked.text("jira"),
        module=asked.text("module"),
        since=asked.moment("since"),
    )
    offset, limit = asked.rank(), asked.limit()
    end = offset + limit
    store = desk.store
    with store.reading():
        if text is None:
            ids = store.frames.newest(wanted, limit + 1, offset)
            total = store.frames.count(wanted)
        else:
            words = frames.words_of(text)
            ids = store.frames.search(words, wanted, end + 1)[offset:] if words else []
            total = None
        shown = store.frames.get(ids[:limit])
    return Response(
        body={
            "items": [shapes.frame(each) for each in shown],
            "next": cursor_of(end if len(ids) > limit else None),
            "total": total,
        }
    )


def one(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    radius = asked.within("radius", RADIUS, 0, FARTHEST)
    frame = frames.get(desk.store, request.path.get("id", ""))
    return Response(body=shapes.frame(frame) | {"atlas": _atlas(desk, frame, radius)})


def image(desk: Desk, request: Request) -> Response:
    """The bytes as they came. A page may show them as an image; opened alone they are saved."""
    number = request.path.get("number", "")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", number):
        raise InvalidArgument("number", "must be a whole number from 1 up")
    found = frames.image(desk.store, request.path.get("id", ""), int(number))
    name = f"image-{number}.{EXTENSIONS[found.mime_type]}"
    return Response(
        data=found.data,
        media_type=found.mime_type,
        headers={**HARDENED, "Content-Disposition": f'attachment; filename="{name}"'},
    )


def _atlas(desk: Desk, frame: Frame, radius: int) -> dict[str, Json]:
    """Around the frame's modules as far as the policy of the worker's folder knows them; the seeds
    alone without one. A policy that cannot be read says why."""
    problem = None
    try:
        policy = modules.policy_for(desk.workspace())
    except RecollectError as error:
        policy, problem = None, error.message
    found = neighbourhood(policy, frame.module_scope, radius)
    known = {each.id for each in found.modules}
    return {
        "has_policy": policy is not None,
        "problem": problem,
        "radius": radius,
        "seeds": list(found.seeds),
        "unknown": [seed for seed in found.seeds if seed not in known],
        "modules": [module(each) for each in found.modules],
        "edges": [edge(each) for each in found.edges],
        "is_cut": found.is_cut,
    }
