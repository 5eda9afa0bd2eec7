"""Nouns as nmem's JSON. Times are Unix seconds."""

from __future__ import annotations

from recollect.dialect.spec import Json, as_json
from recollect.model.memory import Kind, Memory
from recollect.service.recall import FileInSession, Surroundings
from recollect.service.recent import Scored
from recollect.service.sessions import Trace, Turn
from recollect.store.port.memories import Touch
from recollect.store.port.words import Preview

PREVIEW = 120
SOURCES = {Kind.PROMPT: "user", Kind.THOUGHT: "agent"}


def seconds(milliseconds: int) -> int:
    return milliseconds // 1000


def hit(found: Preview) -> dict[str, Json]:
    """An entry of a search: enough to judge it, cheap on tokens."""
    return {
        "id": found.id,
        "timestamp": seconds(found.created_at),
        "obs_type": found.type,
        "content_preview": found.text,
        "file_path": found.file_path,
        "session_id": found.session_id,
        "is_pinned": found.is_pinned,
    }


def observation(memory: Memory) -> dict[str, Json]:
    """A full observation."""
    return {
        "id": memory.id,
        "timestamp": seconds(memory.created_at),
        "session_id": memory.session_id,
        "project": memory.project,
        "obs_type": memory.type,
        "source_event": memory.source_event,
        "tool_name": memory.tool_name,
        "content": memory.text,
        "file_path": memory.file_path,
        "metadata": as_json(memory.detail),
        "is_pinned": memory.is_pinned,
    }


def scored(found: Scored) -> dict[str, Json]:
    return {**observation(found.memory), "score": found.score}


def surroundings(found: Surroundings) -> dict[str, Json]:
    return {
        "anchor": observation(found.anchor),
        "before": [observation(memory) for memory in found.before],
        "after": [observation(memory) for memory in found.after],
    }


def trace(found: Trace) -> dict[str, Json]:
    session = found.session
    return {
        "session_id": session.id,
        "project": session.project,
        "started_at": seconds(session.started_at),
        "ended_at": None if session.ended_at is None else seconds(session.ended_at),
        "summary": as_json(found.summary),
        "prompts": [_turn(turn) for turn in found.turns],
    }


def file_history(path: str, sessions: list[tuple[FileInSession, str | None]]) -> dict[str, Json]:
    """Each session's touches, with the intent of its summary where there is one."""
    return {
        "file_path": path,
        "sessions": [
            {
                "session_id": found.session.id,
                "project": found.session.project,
                "started_at": seconds(found.session.started_at),
                "summary_intent": intent,
                "touches": [_touch(touch) for touch in found.touches],
            }
            for found, intent in sessions
        ],
    }


def preview(memory: Memory) -> str:
    return memory.text[:PREVIEW]


def _turn(turn: Turn) -> dict[str, Json]:
    prompt = turn.prompt
    first = turn.observations[0] if prompt is None else prompt
    return {
        "prompt_id": None if prompt is None else prompt.id,
        "timestamp": seconds(first.created_at),
        "source": "system" if prompt is None else SOURCES[prompt.kind],
        "content": None if prompt is None else prompt.text,
        "observation_count": len(turn.observations),
        "observations": [
            {
                "id": memory.id,
                "timestamp": seconds(memory.created_at),
                "obs_type": memory.type,
                "file_path": memory.file_path,
                "content_preview": preview(memory),
                "is_pinned": memory.is_pinned,
            }
            for memory in turn.observations
        ],
    }


def _touch(touch: Touch) -> dict[str, Json]:
    memory = touch.memory
    return {
        "observation_id": memory.id,
        "timestamp": seconds(memory.created_at),
        "obs_type": memory.type,
        "content_preview": preview(memory),
        "prompt_content": touch.prompt_text,
        "is_pinned": memory.is_pinned,
    }
