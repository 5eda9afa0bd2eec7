"""How relevance becomes a number, as data: what counts how much, and under which name it is told.

The arithmetic is `search.fuse`; a dialect that ranks in its own way brings a profile, not code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from recollect.model.memory import Draft, Kind


class Signal(StrEnum):
    """What speaks for a memory."""

    WORDS = "words"
    """The question's words in the memory itself."""
    WINDOW = "window"
    """The question's words in the memory and its neighbours of the same session."""
    MEANING = "meaning"
    """How near the memory's vector is to the question's."""
    ANSWER = "answer"
    """The memory before it is about the question: this may be the answer."""
    SESSION = "session"
    """How well the rest of its session answers."""
    SUBSTANCE = "substance"
    """It is long enough to say something."""
    SPEAKER = "speaker"
    """The question names the one who said it."""
    TIME = "time"
    """The question asks when, and the memory says when."""
    RECENCY = "recency"
    KIND = "kind_bonus"


ABOUT_THE_QUESTION = (
    Signal.WORDS,
    Signal.WINDOW,
    Signal.MEANING,
    Signal.ANSWER,
    Signal.SESSION,
    Signal.SUBSTANCE,
    Signal.SPEAKER,
    Signal.TIME,
)
"""The signals that `weights` is about. The others are about the memory alone."""
BY_VECTORS = (Signal.MEANING, Signal.ANSWER)
"""Those that are not known without vectors."""


@dataclass(frozen=True, slots=True)
class KindBonus:
    """What a memory gets for what it is; other kinds than those in the table get nothing."""

    table: Mapping[str, float]
    name_of: Callable[[Draft], str | None]

    def of(self, memory: Draft) -> float:
        return self.table.get(self.name_of(memory) or "", 0.0)

    @property
    def most(self) -> float:
        return max(self.table.values(), default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingProfile:
    """`groups`: each published component and the signals that are summed in it, in this order."""

    name: str
    weights: Mapping[Signal, float]
    groups: Mapping[str, tuple[Signal, ...]]
    scale: float = 1.0
    """What every signal about the question is multiplied by, so that the others stay small."""
    half_of_recency_after: float | None = None
    """Days after which recency, 1 at first, is one half: 1 / (1 + days / this). None: not told."""
    kinds: KindBonus | None = None
    candidates: int = 200
    """At least this many are taken from each list."""
    least_cosine: float = 0.15
    """Whatever has none of the question's words, around it included, must be at least this near."""

    def recency(self, age_in_days: int) -> float:
        assert self.half_of_recency_after is not None, f"{self.name} knows no recency"
        return 1.0 / (1.0 + max(age_in_days, 0) / self.half_of_recency_after)


WEIGHTS: Mapping[Signal, float] = MappingProxyType(
    {
        Signal.WORDS: 0.65,
        Signal.WINDOW: 1.5,
        Signal.MEANING: 0.8,
        Signal.ANSWER: 0.55,
        Signal.SESSION: 0.5,
        Signal.SUBSTANCE: 0.6,
        Signal.SPEAKER: 1.25,
        Signal.TIME: 0.2,
    }
)
"""Of what each signal can be at best (`search.fuse`); how they were chosen is told in ADR 0013."""

DEFAULT = RankingProfile(
    name="default",
    weights=WEIGHTS,
    groups=MappingProxyType({signal.value: (signal,) for signal in ABOUT_THE_QUESTION}),
)

CODEMEM_BONUS: Mapping[str, float] = MappingProxyType(
    {
        "session_summary": 0.25,
        "decision": 0.20,
        "feature": 0.18,
        "bugfix": 0.18,
        "refactor": 0.17,
        "note": 0.15,
        "change": 0.12,
        "discovery": 0.12,
        "observation": 0.10,
        "exploration": 0.10,
        "entities": 0.05,
    }
)
_CHANGES = frozenset({"file_edit", "file_write"})


def codemem_kind(memory: Draft) -> str | None:
    """What codemem calls a memory; None for what it does not show. An importer's kinds stay."""
    type_ = memory.type.strip().lower()
    if type_ in CODEMEM_BONUS:
        return type_
    match memory.kind:
        case Kind.OBSERVATION:
            return "change" if type_ in _CHANGES else "discovery"
        case Kind.SUMMARY:
            return "session_summary"
        case Kind.NOTE | Kind.FACT:
            return "note"
        case Kind.FRAME:
            return "decision"
        case _:
            return None


CODEMEM = RankingProfile(
    name="codemem",
    weights=WEIGHTS,
    groups=MappingProxyType(
        {
            "base": tuple(each for each in ABOUT_THE_QUESTION if each not in BY_VECTORS),
            "recency": (Signal.RECENCY,),
            "kind_bonus": (Signal.KIND,),
            "semantic_boost": BY_VECTORS,
        }
    ),
    scale=10.0,
    half_of_recency_after=7.0,
    kinds=KindBonus(CODEMEM_BONUS, codemem_kind),
)
