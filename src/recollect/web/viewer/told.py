"""What the next session of a project would be told, as it would be told it."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Request, Response
from recollect.search.tokens import tokens
from recollect.store.port.store import Store
from recollect.web.viewer.asked import Asked

SOURCES = {name: name for name in ("startup", "resume", "compact", "clear")}


def told(desk: Desk, request: Request) -> Response:
    """Of the project that somebody worked in last, where none is named."""
    asked = Asked(request.query)
    source = asked.choice("source", SOURCES) or "startup"
    named = asked.project()
    project = named or _latest(desk.store) or desk.project
    text = desk.told(project, source)
    if named is not None:
        because = "this project was asked for"
    else:
        because = f"{project} is the project of the newest session"
    return Response(
        body={
            "text": text,
            "tokens": tokens(text),
            "lines": len(text.splitlines()),
            "project": project,
            "source": source,
            "because": because if text else f"nothing is remembered that {project} could be told",
        }
    )


def _latest(store: Store) -> str | None:
    session = store.sessions.newest()
    return None if session is None else session.project
