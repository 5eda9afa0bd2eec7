"""Rows of this engine as nouns, and nouns as parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from recollect.model.memory import Draft, Kind, Memory, Origin
from recollect.model.session import Session
from recollect.store.port.memories import Trace
from recollect.store.port.words import Preview
from recollect.store.sqlite.connection import Row


def memory(row: Row) -> Memory:
    return Memory(
        id=row["id"],
        kind=Kind(row["kind"]),
        type=row["type"],
        project=row["project"],
        session_id=row["session_id"],
        prompt_id=row["prompt_id"],
        prompt_number=row["prompt_number"],
        event_id=row["event_id"],
        source_event=row["source_event"],
        tool_name=row["tool_name"],
        file_path=row["file_path"],
        title=row["title"],
        text=row["text"],
        detail=None if row["detail"] is None else json.loads(row["detail"]),
        origin=Origin(row["origin"]),
        is_pinned=bool(row["is_pinned"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        retired_at=row["retired_at"],
        superseded_by=row["superseded_by"],
        speaker=row["speaker"],
        tags=labels(row["tags"]),
        concepts=labels(row["concepts"]),
        files=labels(row["files"]),
    )


def preview(row: Row) -> Preview:
    id_, type_, created_at, text, file_path, session_id, is_pinned = row
    return Preview(id_, type_, created_at, text, file_path, session_id, bool(is_pinned))


def trace(row: Row) -> Trace:
    return Trace(row["id"], row["type"], row["project"], row["file_path"], row["created_at"])


def session(row: Row) -> Session:
    signature = row["signature"]
    return Session(
        id=row["id"],
        project=row["project"],
        platform=row["platform"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        prompt_id=row["prompt_id"],
        is_private_turn=bool(row["is_private_turn"]),
        number=row["number"],
        prompts=row["prompts"],
        signature=None
        if signature is None
        else tuple((type_, count) for type_, count in json.loads(signature)),
    )


def parameters(draft: Draft) -> dict[str, object]:
    return {
        "kind": draft.kind.value,
        "type": draft.type,
        "project": draft.project,
        "session_id": draft.session_id,
        "prompt_id": draft.prompt_id,
        "prompt_number": draft.prompt_number,
        "event_id": draft.event_id,
        "source_event": draft.source_event,
        "tool_name": draft.tool_name,
        "file_path": draft.file_path,
        "title": draft.title,
        "text": draft.text,
        "detail": detail(draft.detail),
        "origin": draft.origin.value,
        "is_action": int(draft.is_action),
        "created_at": draft.created_at,
        "speaker": draft.speaker,
        "tags": json_list(draft.tags),
        "concepts": json_list(draft.concepts),
        "files": json_list(draft.files),
        "is_pinned": int(draft.is_pinned),
    }


def json_list(values: Sequence[str]) -> str | None:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else None


def labels(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(json.loads(text))


def detail(value: Mapping[str, object] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
