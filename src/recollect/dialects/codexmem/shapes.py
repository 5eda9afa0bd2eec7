"""Nouns as CodexMem's JSON. Lists within a row are JSON texts, as its clients expect."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from recollect.dialect.spec import Json
from recollect.dialects.codexmem.kinds import OBSERVATIONS, PROMPTS, SESSIONS, type_of
from recollect.dialects.codexmem.moments import iso
from recollect.model.memory import Kind, Memory, Type
from recollect.model.portrait import Portrait, Recap
from recollect.search import pack
from recollect.store.port.portraits import Painted
from recollect.store.port.store import Store

LONGEST_TITLE = 200
FIRST_WORDS = 60
"""Characters of a remark that stand for the title that it has not got."""
BY_HAND = "Manual memory"


def observations(store: Store, memories: Sequence[Memory]) -> list[Json]:
    painted = store.portraits.of([memory.id for memory in memories])
    numbers = _numbers(store, memories)
    return [_observation(each, painted.get(each.id), numbers) for each in memories]


def summaries(store: Store, memories: Sequence[Memory]) -> list[Json]:
    recapped = store.portraits.recaps_of([memory.id for memory in memories])
    numbers = _numbers(store, memories)
    recaps = {id_: each.recap for id_, each in recapped.items()}
    return [_summary(each, recaps.get(each.id) or _recap(each), numbers) for each in memories]


def prompts(_: Store, memories: Sequence[Memory]) -> list[Json]:
    return [_prompt(memory) for memory in memories]


ROWS: Mapping[str, Callable[[Store, Sequence[Memory]], list[Json]]] = {
    OBSERVATIONS: observations,
    SESSIONS: summaries,
    PROMPTS: prompts,
}


def title_of(memory: Memory, painted: Painted | None = None) -> str:
    """What a memory is called; what nobody gave a title begins with its first words."""
    if painted is not None and painted.portrait.title:
        return painted.portrait.title
    most = FIRST_WORDS if memory.kind is Kind.NOTE and not memory.title else LONGEST_TITLE
    return pack.single_line(pack.title_of(memory), most)


def _observation(
    memory: Memory, painted: Painted | None, numbers: Mapping[str, int]
) -> dict[str, Json]:
    portrait = painted.portrait if painted else _portrait(memory)
    return {
        "id": memory.id,
        "memory_session_id": _session(memory, numbers),
        "project": memory.project,
        "type": type_of(memory, painted),
        "title": title_of(memory, painted),
        "subtitle": portrait.subtitle,
        "facts": _list(portrait.facts),
        "narrative": portrait.narrative,
        "concepts": _list(portrait.concepts),
        "files_read": _list(portrait.files_read),
        "files_modified": _list(portrait.files_modified),
        **_end(memory),
    }


def _summary(memory: Memory, recap: Recap, numbers: Mapping[str, int]) -> dict[str, Json]:
    return {
        "id": memory.id,
        "memory_session_id": _session(memory, numbers),
        "project": memory.project,
        "request": recap.request,
        "investigated": recap.investigated,
        "learned": recap.learned,
        "completed": recap.completed,
        "next_steps": recap.next_steps,
        "files_read": _list(recap.files_read),
        "files_edited": _list(recap.files_edited),
        "notes": recap.notes,
        **_end(memory),
    }


def _prompt(memory: Memory) -> dict[str, Json]:
    return {
        "id": memory.id,
        "content_session_id": memory.session_id,
        "prompt_number": memory.prompt_number or 0,
        "prompt_text": memory.text,
        "created_at": iso(memory.created_at),
        "created_at_epoch": memory.created_at,
    }


def _end(memory: Memory) -> dict[str, Json]:
    """Tokens are not counted here, and nothing is deleted that is shown."""
    return {
        "prompt_number": memory.prompt_number or 0,
        "discovery_tokens": 0,
        "created_at": iso(memory.created_at),
        "created_at_epoch": memory.created_at,
        "last_accessed_at_epoch": None,
        "deleted_at_epoch": None,
    }


def _portrait(memory: Memory) -> Portrait:
    """Of what nobody painted: a remark, a fact, what was imported."""
    path = (memory.file_path,) if memory.file_path else ()
    is_change = memory.type in {Type.FILE_EDIT, Type.FILE_WRITE}
    return Portrait(
        type="",
        title="",
        subtitle=BY_HAND if memory.type == Type.MARKER else None,
        facts=(),
        narrative=pack.body_of(memory),
        concepts=memory.concepts,
        files_read=memory.files if is_change else (*path, *memory.files),
        files_modified=path if is_change else (),
    )


def _recap(memory: Memory) -> Recap:
    """Of a summary that was kept without one: its detail has the published keys."""
    detail = memory.detail or {}
    return Recap(
        request=_told(detail.get("intent")) or pack.single_line(memory.text, LONGEST_TITLE),
        investigated=_told(detail.get("files_read")),
        learned=_told(detail.get("learned")),
        completed=_told(detail.get("completed")),
        next_steps=_told(detail.get("next_steps")),
        notes=_told(detail.get("notes")) or None,
        files_read=_texts(detail.get("files_read")),
        files_edited=_texts(detail.get("files_edited")),
    )


def _numbers(store: Store, memories: Iterable[Memory]) -> dict[str, int]:
    return store.sessions.numbers({each.session_id for each in memories if each.session_id})


def _session(memory: Memory, numbers: Mapping[str, int]) -> str | None:
    """None for what belongs to no session."""
    number = numbers.get(memory.session_id or "")
    return None if number is None else f"cmem-{number}"


def _list(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


def _told(value: object) -> str:
    return value if isinstance(value, str) else "; ".join(_texts(value))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
