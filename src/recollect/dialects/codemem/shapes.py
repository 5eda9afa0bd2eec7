"""Nouns as codemem's JSON. Times are ISO 8601, UTC."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from recollect.dialect.spec import Json, as_json
from recollect.dialects.codemem.kinds import kind_of
from recollect.model.memory import Memory, Type
from recollect.model.question import Hit
from recollect.search import pack as packs
from recollect.search.pack import Line
from recollect.service.pack import Packed
from recollect.store.port.facts import Claimed

UNSTATED = 0.5
"""The confidence of what nobody has stated one for, as published."""
LONGEST_BODY = 4_000
"""Characters of a body in a list; `memory_get` has the whole."""
LONGEST_TITLE = 200
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
EDITS = frozenset({Type.FILE_EDIT, Type.FILE_WRITE})


def moment(milliseconds: int | None) -> str | None:
    if milliseconds is None:
        return None
    return (BEGINNING + timedelta(milliseconds=milliseconds)).isoformat()


def title(memory: Memory) -> str:
    """Its title, or the beginning of what it says."""
    return packs.single_line(packs.title_of(memory), LONGEST_TITLE)


def hit(found: Hit, claimed: Claimed | None) -> dict[str, Json]:
    memory = found.memory
    return {
        "id": memory.id,
        "title": title(memory),
        "kind": kind_of(memory),
        "body": _shortened(packs.body_of(memory)),
        "confidence": _confidence(memory, claimed),
        "score": found.total,
        "session_id": memory.session_id,
        "project": memory.project,
        "created_at": moment(memory.created_at),
        "metadata": _metadata(memory),
    }


def row(memory: Memory, claimed: Claimed | None, *, is_whole: bool) -> dict[str, Json]:
    """Everything there is to a memory. What Recollect does not know of it is null."""
    body = packs.body_of(memory)
    path = [memory.file_path] if memory.file_path else []
    is_edit = memory.type in EDITS
    return {
        "id": memory.id,
        "session_id": memory.session_id,
        "project": memory.project,
        "kind": kind_of(memory),
        "title": title(memory),
        "subtitle": None,
        "body_text": body if is_whole else _shortened(body),
        "confidence": _confidence(memory, claimed),
        "tags_text": " ".join(memory.tags),
        "active": int(memory.retired_at is None),
        "created_at": moment(memory.created_at),
        "updated_at": moment(memory.updated_at),
        "metadata_json": _metadata(memory),
        "actor_id": None,
        "actor_display_name": memory.speaker,
        "visibility": "private",
        "workspace_id": None,
        "workspace_kind": "personal",
        "origin_device_id": None,
        "origin_source": memory.origin.value,
        "trust_state": None,
        "facts": [],
        "narrative": None,
        "concepts": list(memory.concepts),
        "files_read": [*([] if is_edit else path), *memory.files],
        "files_modified": list(path) if is_edit else [],
        "user_prompt_id": memory.prompt_id,
        "prompt_number": None,
        "import_key": None,
        "deleted_at": moment(memory.retired_at),
        "rev": None,
    }


def prompt(memory: Memory) -> dict[str, Json]:
    return {
        "id": memory.id,
        "prompt_text": _shortened(memory.text),
        "created_at": moment(memory.created_at),
    }


def packed(
    context: str, project: str | None, limit: int, found: Packed, claims: Mapping[int, Claimed]
) -> dict[str, Json]:
    pack = found.pack
    return {
        "context": context,
        "project": project,
        "items": [_told(line, found.memories[line.id], claims.get(line.id)) for line in pack.lines],
        "item_ids": [line.id for line in pack.lines],
        "pack_text": pack.text,
        "metrics": {
            "total_items": len(pack.lines),
            "pack_tokens": pack.tokens,
            "token_budget": pack.budget,
            "limit": limit,
            "fallback": "recent" if found.is_recent else None,
            "used_vectors": found.used_vectors,
            "left_out": [{"id": each.id, "because": each.because} for each in pack.left_out],
            "query_id": found.query_id,
        },
    }


def pack_context(line: Line | None) -> dict[str, Json]:
    """What a pack does with a memory; `position` counts from 1 within the section."""
    return {
        "included": line is not None,
        "section": None if line is None else line.section.value,
        "position": None if line is None else line.position,
        "tokens": None if line is None else line.tokens,
    }


def _told(line: Line, memory: Memory, claimed: Claimed | None) -> dict[str, Json]:
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "title": title(memory),
        "body": _shortened(packs.body_of(memory)),
        "confidence": _confidence(memory, claimed),
        "section": line.section.value,
        "tokens": line.tokens,
        "created_at": moment(memory.created_at),
        "tags": " ".join(memory.tags),
        "metadata": _metadata(memory),
        "support_count": 1 + len(line.duplicates),
        "duplicate_ids": list(line.duplicates),
    }


def _confidence(memory: Memory, claimed: Claimed | None) -> Json:
    if claimed is not None:
        return claimed.claim.confidence
    stated = (memory.detail or {}).get("confidence")
    is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
    return as_json(stated) if is_number else UNSTATED


def _metadata(memory: Memory) -> Json:
    return as_json(memory.detail or {})


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_BODY else f"{text[: LONGEST_BODY - 1]}…"
