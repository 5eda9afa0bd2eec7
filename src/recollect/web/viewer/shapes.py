"""Memories as the page gets them. Text is what was stored; the page never takes it for HTML.

Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.dialect.spec import Json, as_json
from recollect.model.frame import Frame
from recollect.model.memory import Kind, Memory
from recollect.service.browse import Row
from recollect.store.port.facts import Claimed
from recollect.store.port.memories import Former
from recollect.store.port.portraits import Painted, Recapped
from recollect.store.port.store import Store

PREVIEW = 400
"""Characters of a text in a list."""


def items(store: Store, rows: Sequence[Row]) -> list[Json]:
    """Rows of a list, with what else is known of them asked for once."""
    memories = [row.memory for row in rows]
    ids = [memory.id for memory in memories]
    painted, names = store.portraits.of(ids), _public_ids(store, memories)
    sessions = {memory.session_id for memory in memories if memory.session_id is not None}
    numbers = store.sessions.numbers(sessions)
    return [
        _item(row.memory, painted.get(row.memory.id), names.get(row.memory.id), numbers)
        | ({} if row.total is None else {"score": _score(row)})
        for row in rows
    ]


def memories(store: Store, given: Sequence[Memory]) -> list[Json]:
    return items(store, [Row(memory) for memory in given])


def _item(
    memory: Memory, painted: Painted | None, public_id: str | None, numbers: Mapping[str, int]
) -> dict[str, Json]:
    title = memory.title or (painted.portrait.title if painted else None)
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "type": memory.type,
        "title": title or None,
        "text": memory.text[:PREVIEW],
        "is_cut": len(memory.text) > PREVIEW,
        "project": memory.project,
        "session": numbers.get(memory.session_id or ""),
        "created_at": memory.created_at,
        "origin": memory.origin.value,
        "file": memory.file_path,
        "is_pinned": memory.is_pinned,
        "is_outdated": memory.retired_at is not None,
        "public_id": public_id,
    }


def _public_ids(store: Store, memories: Sequence[Memory]) -> dict[int, str]:
    """What other doors call them, where they have names: a frame, or what claims something."""
    names = {id_: each.public_id for id_, each in store.facts.of([m.id for m in memories]).items()}
    framed = [memory.id for memory in memories if memory.kind is Kind.FRAME]
    frames = store.frames.get(framed) if framed else []
    return names | {frame.memory_id: frame.id for frame in frames}


def _score(row: Row) -> dict[str, Json]:
    return {"total": row.total, "components": dict(row.components or {}), "terms": list(row.terms)}


def about(memory: Memory) -> dict[str, Json]:
    """What only its own page says of a memory."""
    return {
        "text": memory.text,
        "is_cut": False,
        "updated_at": memory.updated_at,
        "outdated_at": memory.retired_at,
        "superseded_by": memory.superseded_by,
        "source_event": memory.source_event,
        "tool_name": memory.tool_name,
        "prompt_number": memory.prompt_number,
        "speaker": memory.speaker,
        "tags": list(memory.tags),
        "concepts": list(memory.concepts),
        "files": list(memory.files),
        "detail": None if memory.detail is None else as_json(memory.detail),
    }


def portrait(painted: Painted | None) -> dict[str, Json] | None:
    if painted is None:
        return None
    told = painted.portrait
    return {
        "type": told.type,
        "title": told.title,
        "subtitle": told.subtitle,
        "facts": list(told.facts),
        "narrative": told.narrative,
        "concepts": list(told.concepts),
        "files_read": list(told.files_read),
        "files_modified": list(told.files_modified),
        "made_by": painted.made_by,
    }


def recap(recapped: Recapped | None) -> dict[str, Json] | None:
    if recapped is None:
        return None
    told = recapped.recap
    return {
        "request": told.request,
        "investigated": told.investigated,
        "learned": told.learned,
        "completed": told.completed,
        "next_steps": told.next_steps,
        "notes": told.notes,
        "files_read": list(told.files_read),
        "files_edited": list(told.files_edited),
        "made_by": recapped.made_by,
    }


def claim(claimed: Claimed | None) -> dict[str, Json] | None:
    if claimed is None:
        return None
    return {
        "public_id": claimed.public_id,
        "subject": claimed.claim.subject,
        "category": claimed.claim.category,
        "confidence": claimed.claim.confidence,
        "reason": claimed.reason,
    }


def frame(given: Frame) -> dict[str, Json]:
    status = given.status
    return {
        "id": given.id,
        "memory": given.memory_id,
        "project": given.project,
        "at": given.at,
        "is_outdated": not given.is_live,
        "reference_point": given.reference_point,
        "summary_caption": given.summary_caption,
        "branch": given.branch,
        "jira": given.jira,
        "next_action": status.next_action,
        "blockers": list(status.blockers),
        "merge_blockers": list(status.merge_blockers),
        "tests_failing": list(status.tests_failing),
        "module_scope": list(given.module_scope),
        "keywords": list(given.keywords),
        "feature_flags": list(given.feature_flags),
        "permissions": list(given.permissions),
        "run_id": given.run_id,
        "plan_hash": given.plan_hash,
        "spend": None if given.spend is None else as_json(given.spend),
        "user_id": given.user_id,
        "images": [
            {"number": each.number, "mime_type": each.mime_type, "size": each.size}
            for each in given.images
        ],
    }


def history(former: Sequence[Former]) -> list[Json]:
    """Newest change first; each with what was said until then."""
    return [
        {
            "changed_at": each.until,
            "title": each.title,
            "text": each.text,
            "reason": each.reason,
        }
        for each in reversed(former)
    ]
