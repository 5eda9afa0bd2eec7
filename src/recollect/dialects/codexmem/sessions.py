"""The routes that hooks tell of a session: a prompt, a tool use, the end of a turn, the end.

Beside what is published they take, and do not need, what makes one host event one row whichever
way it comes: `prompt_id`, `tool_use_id` and `turn_id`; and what hooks know better than a worker:
`platform`, `marks`, `is_failed`, and of `summarize` `cwd` and `project`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.model.errors import InvalidArgument, InvalidRequest
from recollect.service.accepting import Outcome

PLATFORM = "http"
NOT_ACTIVE: dict[str, Json] = {"status": "skipped", "reason": "not_active"}
ANSWERS: Mapping[Outcome, dict[str, Json]] = {
    Outcome.QUEUED: {"status": "queued"},
    Outcome.DEDUPED: {"status": "deduped"},
    Outcome.EXCLUDED: {"status": "skipped", "reason": "tool_excluded"},
    Outcome.PRIVATE: {"status": "skipped", "reason": "private"},
}
SHA256 = re.compile("[0-9a-f]{64}")
KINDS: Mapping[type, str] = {str: "a string", bool: "a boolean", dict: "an object"}


def init(desk: Desk, request: Request) -> Response:
    given = _Given(request, "contentSessionId", "project", "prompt", may_be_blank="prompt")
    turn = desk.accepting.begin_turn(
        session_id=given.text("contentSessionId"),
        project=given.text("project"),
        prompt=given.text("prompt"),
        platform=given.text("platform", PLATFORM),
        identity=given.identity("prompt_id"),
    )
    answer: dict[str, Json] = {
        "sessionDbId": turn.session_number,
        "promptNumber": turn.prompt_number,
        "skipped": turn.is_private,
    }
    return Response(body=answer | ({"reason": "private"} if turn.is_private else {}))


def observations(desk: Desk, request: Request) -> Response:
    given = _Given(request, "contentSessionId", "tool_name", "cwd")
    outcome = desk.accepting.tool_use(
        session_id=given.text("contentSessionId"),
        tool=given.text("tool_name"),
        input_=given.anything("tool_input"),
        response=given.anything("tool_response"),
        cwd=given.text("cwd"),
        platform=given.text("platform", PLATFORM),
        identity=given.identity("tool_use_id"),
        is_failed=given.flag("is_failed", default=False),
        marks=given.marks(),
    )
    return Response(body=ANSWERS[outcome])


def summarize(desk: Desk, request: Request) -> Response:
    given = _Given(request, "contentSessionId")
    outcome = desk.accepting.turn_end(
        session_id=given.text("contentSessionId"),
        text=given.text("last_assistant_message", ""),
        cwd=given.text("cwd", ""),
        project=given.text("project", "") or None,
        platform=given.text("platform", PLATFORM),
        identity=given.identity("turn_id"),
    )
    return Response(body=ANSWERS[outcome])


def complete(desk: Desk, request: Request) -> Response:
    given = _Given(request, "contentSessionId")
    session = desk.accepting.complete(given.text("contentSessionId"))
    if session is None:
        return Response(body=NOT_ACTIVE)
    return Response(body={"status": "completed", "sessionDbId": session.number})


def end(desk: Desk, request: Request) -> Response:
    """`complete`, and nothing of the session is left lying unless that is not wanted."""
    given = _Given(request, "contentSessionId")
    session_id = given.text("contentSessionId")
    wants_cleanup = given.flag("cleanup", default=True)
    active = desk.accepting.active(session_id)
    # Before it ends, so that its summary knows everything.
    tidied = desk.tidy(active.number) if active and wants_cleanup else None
    session = desk.accepting.complete(session_id)
    if session is None:
        return Response(body=NOT_ACTIVE)
    cleanup: dict[str, Json] = {
        "enabled": wants_cleanup,
        "resetCount": tidied.given_back if tidied else 0,
        "pending": desk.store.jobs.depth(session.number).open,
    }
    return Response(body={"status": "ended", "sessionDbId": session.number, "cleanup": cleanup})


ROUTES: Mapping[str, RouteHandler] = {
    "POST /api/sessions/init": init,
    "POST /api/sessions/observations": observations,
    "POST /api/sessions/summarize": summarize,
    "POST /api/sessions/complete": complete,
    "POST /api/sessions/end": end,
}


class _Given:
    """The body of a request. What it must have is asked for in one sentence, as published; what
    else has the wrong type is refused by name."""

    def __init__(self, request: Request, *required: str, may_be_blank: str = "") -> None:
        self._body = request.body
        for name in required:
            value = self._body.get(name)
            if not isinstance(value, str) or not (value.strip() or name == may_be_blank):
                raise InvalidRequest(f"Missing {'/'.join(required)}")

    def text(self, name: str, default: str | None = None) -> str:
        value = self._of(str, name, default)
        assert isinstance(value, str), "what has no default is required"
        return value

    def identity(self, name: str) -> str | None:
        value = self._of(str, name, None)
        return value if isinstance(value, str) and value else None

    def flag(self, name: str, *, default: bool) -> bool:
        return self._of(bool, name, default) is True

    def marks(self) -> Mapping[str, object] | None:
        marks = self._of(dict, "marks", None)
        if not isinstance(marks, dict):
            return None
        digest, length = marks.get("content_sha256"), marks.get("content_length")
        if not (isinstance(digest, str) and SHA256.fullmatch(digest) and type(length) is int):
            raise InvalidArgument("marks", "must have a content_sha256 and a content_length")
        return {"content_sha256": digest, "content_length": length}

    def anything(self, name: str) -> object:
        value = self._body.get(name)
        return {} if value is None else value

    def _of(self, type_: type, name: str, default: object) -> object:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, type_):
            raise InvalidArgument(name, f"must be {KINDS[type_]}")
        return value
