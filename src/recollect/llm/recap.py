"""What a turn came to, told without a model, and the memory that is made of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.llm.summary import TRUST, Points, points_of
from recollect.model.memory import Draft, Kind, Origin, Type
from recollect.model.portrait import Recap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.memory import Memory
    from recollect.model.session import Session


def recap(session: Session, memories: Sequence[Memory], said: str) -> Recap:
    """`memories` are the session's, in order of time."""
    prompts = [memory for memory in memories if memory.kind is Kind.PROMPT]
    actions = [memory for memory in memories if memory.kind is Kind.OBSERVATION]
    points = _points(prompts, actions)
    return Recap(
        request=prompts[-1].text if prompts else points.intent or session.project,
        investigated="; ".join(points.files_read),
        learned=said.strip() or "; ".join(points.learned),
        completed="; ".join(points.completed),
        next_steps="; ".join(points.next_steps),
        notes=points.notes or None,
        files_read=tuple(points.files_read),
        files_edited=tuple(points.files_edited),
    )


def concluded(session: Session, memories: Sequence[Memory], recap: Recap, at: int) -> Draft:
    """The recap as a memory; `detail` has the published keys of a summary."""
    prompts = [memory for memory in memories if memory.kind is Kind.PROMPT]
    actions = [memory for memory in memories if memory.kind is Kind.OBSERVATION]
    told = (recap.request, recap.investigated, recap.learned, recap.completed, recap.next_steps)
    origins = [Origin.ASSISTANT, *(memory.origin for memory in prompts + actions)]
    return Draft(
        kind=Kind.SUMMARY,
        type=Type.SESSION_SUMMARY,
        text="\n".join(part for part in told if part),
        project=session.project,
        session_id=session.id,
        created_at=at,
        origin=max(origins, key=TRUST.index),
        source_event="Stop",
        title=recap.request[:200],
        detail=asdict(_points(prompts, actions)),
    )


def _points(prompts: Sequence[Memory], actions: Sequence[Memory]) -> Points:
    if actions:
        return points_of(prompts, actions)
    intent = prompts[-1].text if prompts else ""
    return Points(intent, [], [], [], [], [], "")
