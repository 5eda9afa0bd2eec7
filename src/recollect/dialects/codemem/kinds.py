"""codemem's kinds: the eleven names, which memories it shows, and how a kind is looked for.

What a memory is called is decided by `search.profile`, because the ranking needs it too.
"""

from __future__ import annotations

from dataclasses import dataclass

from recollect.model.errors import InvalidArgument
from recollect.model.memory import Kind, Memory, Type
from recollect.search.profile import CODEMEM_BONUS, codemem_kind

KINDS = tuple(CODEMEM_BONUS)
SHOWN = frozenset({Kind.OBSERVATION, Kind.SUMMARY, Kind.NOTE, Kind.FACT, Kind.FRAME})
"""Prompts are context of these; what starts and ends a session is nothing to remember."""

_CHANGES = frozenset({Type.FILE_EDIT, Type.FILE_WRITE})
_NAMED = frozenset(KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Memories of these kinds, by what happened; None is whatever."""

    kinds: frozenset[Kind]
    types: frozenset[str] | None = None
    but_types: frozenset[str] = frozenset()


def selections(kind: str | None) -> tuple[Selection, ...]:
    """Where all memories of a kind are, and no others; None is any kind."""
    if kind is None:
        return (Selection(kinds=SHOWN),)
    named = Selection(kinds=SHOWN, types=frozenset({kind}))
    rest = {
        "change": Selection(kinds=frozenset({Kind.OBSERVATION}), types=_CHANGES),
        "discovery": Selection(kinds=frozenset({Kind.OBSERVATION}), but_types=_NAMED | _CHANGES),
        "session_summary": Selection(kinds=frozenset({Kind.SUMMARY}), but_types=_NAMED),
        "note": Selection(kinds=frozenset({Kind.NOTE, Kind.FACT}), but_types=_NAMED),
        "decision": Selection(kinds=frozenset({Kind.FRAME}), but_types=_NAMED),
    }
    return (named, rest[kind]) if kind in rest else (named,)


def is_shown(memory: Memory) -> bool:
    return memory.retired_at is None and memory.kind in SHOWN


def kind_of(memory: Memory) -> str:
    """Of a memory that is shown."""
    kind = codemem_kind(memory)
    assert kind is not None, f"a {memory.kind} is not shown"
    return kind


def kind_named(given: object) -> str:
    """The kind that somebody means; case and spaces around it do not matter."""
    if not isinstance(given, str):
        raise InvalidArgument("kind", "must be a string" if given is not None else "is required")
    kind = given.strip().lower()
    if kind not in KINDS:
        hint = "; what a project decided is a decision" if kind == "project" else ""
        raise InvalidArgument("kind", f"must be one of {', '.join(KINDS)}{hint}")
    return kind


def type_of(kind: str) -> str:
    """What a remembered kind is in the store: a note is a mark, the others keep their names."""
    return Type.MARKER if kind == "note" else kind
