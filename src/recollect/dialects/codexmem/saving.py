"""Keeping a remark on purpose, for the route and the tool alike."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response, RouteHandler
from recollect.dialects.codexmem import shapes
from recollect.dialects.codexmem.asked import Asked
from recollect.model.errors import InvalidArgument, InvalidRequest
from recollect.model.memory import Origin
from recollect.privacy.clean import clean_text
from recollect.service import fields, remember
from recollect.service.remember import Remark

LONGEST_TITLE = 1_000
LONGEST_NAME = 200
LONGEST_TEXT = fields.MOST_CHARACTERS
"""Of title and text together: what is exported can be imported again."""


def save(desk: Desk, request: Request) -> Response:
    return Response(body=saved(desk, request.body))


def saved(desk: Desk, values: Mapping[str, object]) -> dict[str, Json]:
    """Private parts and secrets are taken out first; what is left must still say something."""
    asked = Asked(values)
    project = asked.project() or desk.saves_to
    _check_length("project", project, LONGEST_NAME)
    rules = desk.rules(project)
    text, is_redacted = clean_text(_text(values), rules)
    title, is_title_redacted = clean_text(_line(asked.text("title") or ""), rules)
    text, title, project = text.strip(), title.strip(), clean_text(project, rules)[0]
    if not text:
        raise InvalidRequest("text is required and must be non-empty")
    _check_length("title", title, LONGEST_TITLE)
    _check_length("text", text, LONGEST_TEXT - len(title) - 1)
    remark = Remark(
        text=f"{title}\n{text}" if title else text,
        title=title or None,
        project=project or desk.saves_to,
        at=desk.clock(),
        origin=Origin.USER,
        source_event="save_memory",
        is_redacted=is_redacted or is_title_redacted,
    )
    memory = remember.keep(desk.store, remark, public_id=desk.new_id())
    return {
        "success": True,
        "id": memory.id,
        "title": shapes.title_of(memory),
        "project": memory.project,
        "message": f"Memory saved as observation #{memory.id}",
    }


def _text(values: Mapping[str, object]) -> str:
    text = values.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InvalidRequest("text is required and must be non-empty")
    return text


def _line(title: str) -> str:
    return " ".join(title.split())


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidArgument(name, f"has {len(text)} characters; at most {most}")


ROUTES: Mapping[str, RouteHandler] = {"POST /api/memory/save": save}
