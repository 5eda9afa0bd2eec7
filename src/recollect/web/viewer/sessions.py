"""Sessions for the page: listed, each told from prompt to prompt, and what became of a file."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response
from recollect.model.errors import InvalidArgument, SessionNotFound
from recollect.model.memory import Memory, Type
from recollect.model.session import Session
from recollect.search.pack import single_line
from recollect.service import browse, sessions
from recollect.store.port.browsing import Place, SessionLine, Wanted
from recollect.store.port.store import Store
from recollect.web.viewer import shapes
from recollect.web.viewer.asked import Asked, cursor_of, id_in
from recollect.web.viewer.memories import SHOWN, listing, page_of

WIDEST, NARROWEST, USUAL = 400, 1, 60
"""Stretches of a timeline."""
LONGEST_LINE = 300
"""Characters of a prompt or a summary in a list."""


def listed(desk: Desk, request: Request) -> Response:
    asked = Asked(request.query)
    limit = asked.limit()
    found = desk.store.browsing.sessions(
        asked.project(),
        since=asked.moment("since"),
        until=asked.moment("until", is_end=True),
        after=asked.place(),
        limit=limit + 1,
    )
    shown = found[:limit]
    last = shown[-1].session if len(found) > limit else None
    behind = None if last is None else Place(last.started_at, last.number)
    return Response(body={"items": [_line(each) for each in shown], "next": cursor_of(behind)})


def one(desk: Desk, request: Request) -> Response:
    named = request.path.get("number", "")
    with desk.store.reading():
        session = desk.store.sessions.numbered(id_in(request.path, "number"))
        if session is None:
            raise SessionNotFound(f"there is no session {named[:40]}", number=named)
        return Response(body=_whole(desk.store, session))


def of_file(desk: Desk, request: Request) -> Response:
    """What is known of one file, newest first."""
    asked = Asked(request.query)
    path = asked.text("path")
    if path is None:
        raise InvalidArgument("path", "is required")
    wanted = Wanted(
        kinds=SHOWN,
        project=asked.project(),
        file=path,
        is_retired=False,
    )
    found = browse.listed(desk.store, wanted, after=asked.place(), limit=asked.limit())
    return Response(body=page_of(desk.store, found))


def timeline(desk: Desk, request: Request) -> Response:
    """How much of each kind there is in each of so many stretches, which are all of one width."""
    asked = Asked(request.query)
    number = asked.within("buckets", USUAL, NARROWEST, WIDEST)
    project = asked.project()
    kinds = listing(asked).kinds
    since, until = asked.moment("since"), asked.moment("until", is_end=True)
    with desk.store.reading():
        span = desk.store.browsing.span(project) or (desk.clock(), desk.clock())
        since = span[0] if since is None else since
        until = max(span[1] if until is None else until, since)
        width = (until - since) // number + 1
        counts = desk.store.browsing.counts(kinds, project, since=since, until=until, width=width)
    buckets: list[Json] = [
        {
            "at": since + stretch * width,
            "counts": {kind.value: n for kind, n in counts.get(stretch, {}).items()},
        }
        for stretch in range((until - since) // width + 1)
    ]
    return Response(body={"buckets": buckets, "since": since, "until": until, "width": width})


def _line(line: SessionLine) -> dict[str, Json]:
    return {
        **_session(line.session),
        "memories": line.memories,
        "first_prompt": _short(line.first_prompt),
        "summary_title": _short(line.summary_title),
    }


def _session(session: Session) -> dict[str, Json]:
    return {
        "number": session.number,
        "id": session.id,
        "project": session.project,
        "platform": session.platform,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "prompts": session.prompts,
    }


def _short(text: str | None) -> str | None:
    return None if text is None else single_line(text, LONGEST_LINE)


def _whole(store: Store, session: Session) -> dict[str, Json]:
    turns = sessions.trace(store, session.id).turns
    shown: list[Memory] = []
    for turn in turns:
        shown += [*([turn.prompt] if turn.prompt else []), *turn.observations]
    items = dict(zip((each.id for each in shown), shapes.memories(store, shown), strict=True))
    summary = _summary(store, session)
    is_apart = summary is not None and summary["id"] not in items
    return {
        **_session(session),
        "memories": len(shown) + is_apart,
        "turns": [
            {
                "prompt": items[turn.prompt.id] if turn.prompt else None,
                "items": [items[each.id] for each in turn.observations],
            }
            for turn in turns
        ],
        "summary": summary,
    }


def _summary(store: Store, session: Session) -> dict[str, Json] | None:
    memory = store.memories.newest_in(session.id, Type.SESSION_SUMMARY)
    if memory is None:
        return None
    (item,) = shapes.memories(store, [memory])
    assert isinstance(item, dict)
    recap = shapes.recap(store.portraits.recaps_of([memory.id]).get(memory.id))
    return {**item, "text": memory.text, "is_cut": False, "recap": recap}
