"""What CodexMem calls memories: three sorts of them, and the types of observations."""

from __future__ import annotations

from collections.abc import Collection

from recollect.model.memory import Kind, Memory, Type
from recollect.store.port.portraits import Painted

OBSERVATIONS = "observations"
SESSIONS = "sessions"
"""Their summaries."""
PROMPTS = "prompts"

KINDS = {
    OBSERVATIONS: frozenset({Kind.OBSERVATION, Kind.NOTE, Kind.FACT, Kind.FRAME}),
    SESSIONS: frozenset({Kind.SUMMARY}),
    PROMPTS: frozenset({Kind.PROMPT}),
}
NAMES = {name: kinds for kinds in KINDS for name in (kinds, kinds.removesuffix("s"))}
"""Each sort by the names that a filter may give it."""

_CHANGES = frozenset({Type.FILE_EDIT, Type.FILE_WRITE})
_RUNS = frozenset({Type.COMMAND, Type.COMMAND_ERROR, Type.GIT_COMMIT, Type.GIT_PUSH, Type.GITHUB})
_DECISIONS = frozenset({Type.FRAME})
_OURS = frozenset(Type)
_BEHIND: dict[str, frozenset[str]] = {
    "change": frozenset(_CHANGES),
    "execution": frozenset(_RUNS),
    "discovery": frozenset(_OURS - _CHANGES - _RUNS - _DECISIONS),
    "decision": frozenset(_DECISIONS),
}


def is_observation(memory: Memory) -> bool:
    return memory.retired_at is None and memory.kind in KINDS[OBSERVATIONS]


def type_of(memory: Memory, painted: Painted | None) -> str:
    """Of an observation: what its portrait says, else by what happened; an importer's own stays."""
    if painted is not None:
        return painted.portrait.type
    if memory.kind is Kind.FRAME:
        return "decision"
    if memory.type in _CHANGES:
        return "change"
    if memory.type in _RUNS:
        return "execution"
    return "discovery" if memory.type in _OURS else memory.type


def types_behind(types: Collection[str]) -> frozenset[str]:
    """Under which types those memories are stored that have no portrait."""
    return frozenset(types).union(*(_BEHIND.get(type_, frozenset()) for type_ in types))
