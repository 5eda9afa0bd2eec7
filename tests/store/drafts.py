"""Small memories to put into a store."""

from __future__ import annotations

from typing import Any

from recollect.model.memory import Draft, Kind, Memory, Origin
from recollect.model.session import Session
from recollect.store.port.store import Store


def draft(text: str, **more: Any) -> Draft:
    given: dict[str, Any] = {
        "kind": Kind.OBSERVATION,
        "type": "command",
        "project": "alpha",
        "session_id": "s1",
        "created_at": 1_000,
        "origin": Origin.TOOL,
        "source_event": "PostToolUse",
        **more,
    }
    return Draft(text=text, **given)


def put(store: Store, *drafts: Draft) -> list[Memory]:
    with store.transaction():
        for each in drafts:
            if each.session_id is not None:
                begin(store, each.session_id, each.project)
        return [store.memories.add(each) for each in drafts]


def begin(store: Store, session_id: str, project: str = "alpha") -> None:
    store.sessions.begin(
        Session(id=session_id, project=project, platform="claude-code", started_at=1_000)
    )
