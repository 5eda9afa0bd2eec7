"""Frames over HTTP: taken in, listed, read, and their images given back as they were attached.

A route lets nobody in without the key. What a frame must say is `frame_asked`'s, as for the tools;
what HTTP alone takes, and how its problems are told apart, stands here and in `problems`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.dialect.validate import LARGEST
from recollect.dialects.lex import refusals, shapes
from recollect.dialects.lex.asked import Asked
from recollect.dialects.lex.frame_asked import frame_asked
from recollect.dialects.lex.problems import HARDENED, limits, root
from recollect.dialects.lex.refusals import Refused
from recollect.model.errors import InvalidRequest, Unauthorized
from recollect.model.frame import FrameDraft
from recollect.model.memory import Origin
from recollect.model.picture import SVG
from recollect.privacy.clean import clean_text
from recollect.service import frames, modules
from recollect.service.fields import EARLIEST, LATEST

NAME = "lex"
ORDER = ("reference_point", "summary_caption", "module_scope", "status_snapshot")
"""In which what is wrong with a frame is told over HTTP: the first of it only."""
USER = "system-default"
"""Who keeps a frame with the key, as published: it is one for all."""
DEFAULT_LIMIT, MOST = 10, 100
LARGEST_OFFSET = 1_000_000
SPENT = ("prompts", "tokens_estimated")
NO_KEY = (
    "No API key is configured, so nobody is let in. Set LEX_API_KEY in the environment of "
    "`recollect up` and start it again."
)
EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    SVG: "svg",
}


def gate(desk: Desk, request: Request) -> Mapping[str, str]:
    """Who comes too often is told so, and only then who has no key: guessing costs as well."""
    room = desk.admit(NAME, request.client)
    if not desk.keys:
        raise Unauthorized(NO_KEY, room=room)
    if not request.authorization:
        raise Unauthorized("Missing Authorization header: send `Bearer KEY` in it", room=room)
    if not desk.keys.open(request.authorization):
        raise Unauthorized("Invalid API key", room=room)
    return {**HARDENED, **limits(room)}


def create(desk: Desk, request: Request) -> Response:
    found = frame_asked(request.body)
    more = More(request.body)
    refuse([*found.problems, *more.problems])
    workspace = desk.workspace()
    policy = modules.policy_for(workspace)
    scope = modules.scope_for(workspace, found.module_scope)
    branch = modules.branch_for(workspace, found.branch)
    images = found.pictures()
    draft = found.draft(desk, scope, branch=branch, has_policy=policy is not None)
    draft = more.added(desk, draft)
    frame = frames.remember(
        desk.store,
        draft,
        project=desk.saves_to,
        origin=Origin.TOOL,
        frame_id=more.id or desk.new_frame_id(draft.at),
        is_once=True,
        images=images,
    )
    return Response(status=201, body={"id": frame.id, "status": "created"})


def listed(desk: Desk, request: Request) -> Response:
    asked = Asked({name: values[-1] for name, values in request.query.items()})
    since, project = asked.moment("since"), asked.optional("project")
    branch, module = asked.optional("branch"), asked.optional("module")
    limit = _within(request, "limit", DEFAULT_LIMIT, 1, MOST)
    offset = _within(request, "offset", 0, 0, LARGEST_OFFSET)
    asked.refuse()
    total = frames.count(desk.store, branch=branch, module=module, since=since, project=project)
    some = frames.newest(
        desk.store,
        branch=branch,
        module=module,
        since=since,
        project=project,
        limit=limit,
        offset=offset,
    )
    body: dict[str, Json] = {
        "frames": [shapes.frame(each) for each in some],
        "total": total,
        "hasMore": offset + len(some) < total,
    }
    return Response(body=body)


def read(desk: Desk, request: Request) -> Response:
    return Response(body=shapes.frame(frames.get(desk.store, request.path["id"])))


def image(desk: Desk, request: Request) -> Response:
    """The bytes as they came. A browser saves them and shows nothing: an SVG is a program."""
    number = request.path["number"]
    if not re.fullmatch(r"[1-9][0-9]{0,8}", number):
        raise refusals.malformed("number", "must be a whole number from 1 up")
    found = frames.image(desk.store, request.path["id"], int(number))
    name = f"image-{number}.{EXTENSIONS[found.mime_type]}"
    return Response(
        data=found.data,
        media_type=found.mime_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


class More:
    """What a frame may say over HTTP besides."""

    def __init__(self, body: Mapping[str, object]) -> None:
        asked = Asked(body)
        self.id = asked.optional("id")
        self.at = asked.moment("timestamp")
        self.flags, self.permissions = asked.texts("feature_flags"), asked.texts("permissions")
        self.run_id, self.plan_hash = asked.optional("runId"), asked.optional("planHash")
        self.problems: list[InvalidRequest] = list(asked.wrong())
        if self.at is not None and not EARLIEST <= self.at <= LATEST:
            # In its own zone it may be in the calendar, and in UTC before its beginning.
            self.problems.append(refusals.malformed("timestamp", "is beyond the calendar"))
        self.spend = self._spend(asked.value("spend"))

    def _spend(self, given: object) -> dict[str, int] | None:
        if given is None:
            return None
        if not isinstance(given, Mapping):
            self.problems.append(refusals.malformed("spend", "must be an object"))
            return None
        told: dict[str, int] = {}
        for name in SPENT:
            value = given.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST:
                told[name] = value
            elif value is not None:
                problem = "must be a whole number from 0 up"
                self.problems.append(refusals.malformed(f"spend.{name}", problem))
        return told

    def added(self, desk: Desk, draft: FrameDraft) -> FrameDraft:
        """Without what is private; an id that holds something of that kind is none."""
        rules = desk.rules(desk.saves_to)

        def clean(text: str | None) -> str | None:
            return None if text is None else clean_text(text, rules)[0].strip() or None

        def all_clean(texts: Sequence[str]) -> tuple[str, ...]:
            return tuple(kept for text in texts if (kept := clean(text)))

        if self.id is not None and clean(self.id) != self.id:
            raise refusals.malformed("id", "must not hold blanks around it, or what is private")
        return replace(
            draft,
            at=draft.at if self.at is None else self.at,
            feature_flags=all_clean(self.flags),
            permissions=all_clean(self.permissions),
            run_id=clean(self.run_id),
            plan_hash=clean(self.plan_hash),
            spend=self.spend,
            user_id=USER,
        )


def refuse(problems: Sequence[InvalidRequest]) -> None:
    """Raise the first of the problems, in the published order of the fields."""
    apart = [each for problem in problems for each in _apart(problem)]
    for problem in sorted(apart, key=_place):
        raise problem


def _apart(problem: InvalidRequest) -> list[InvalidRequest]:
    """Each missing field as a problem of its own: only the first is told."""
    names = problem.metadata.get("missingFields") if isinstance(problem, Refused) else None
    return [refusals.missing(str(name)) for name in names] if isinstance(names, list) else [problem]


def _place(problem: InvalidRequest) -> int:
    name = root(problem.field) if isinstance(problem, Refused) else ""
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _within(request: Request, name: str, default: int, lowest: int, highest: int) -> int:
    """A number out of range is held to the range."""
    text = request.query.get(name, [""])[-1].strip()
    if not text:
        return default
    if not re.fullmatch(r"[+-]?[0-9]{1,999}", text):
        raise refusals.malformed(name, "must be an integer")
    return max(lowest, min(int(text), highest))


ROUTES: Mapping[str, RouteHandler] = {
    "POST /api/frames": create,
    "GET /api/frames": listed,
    "GET /api/frames/{id}": read,
    "GET /api/frames/{id}/images/{number}": image,
}
