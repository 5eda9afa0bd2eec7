"""Numbers as they are told: published components, totals that add up, the words that matched."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.model.memory import Draft
from recollect.search.fuse import Numbers
from recollect.search.profile import Signal
from recollect.search.terms import question_terms, terms

DIGITS = 6
"""Of every published number; an order is by what is published, so nobody has to guess it."""

_WORD = re.compile(r"\S+")
_EDGES = "\"'`“”‘’.,;:!?()[]{}<>«»…-–—*"  # noqa: RUF001 — quotes and dashes as people type them


@dataclass(frozen=True, slots=True)
class Breakdown:
    """For each published component a column, NaN where nothing can be said; totals are their sums.

    A sum of rounded numbers is rounded once more only to take away what binary fractions add.
    """

    components: Mapping[str, Numbers]
    totals: Numbers

    def of(self, row: int) -> dict[str, float | None]:
        return {name: _told(column[row]) for name, column in self.components.items()}

    def total(self, row: int) -> float:
        return float(self.totals[row])


def breakdown(
    added: Mapping[Signal, Numbers], groups: Mapping[str, tuple[Signal, ...]], count: int
) -> Breakdown:
    """What is published of what each signal added."""
    components: dict[str, Numbers] = {}
    totals = np.zeros(count)
    for name, signals in groups.items():
        known = [added[signal] for signal in signals if signal in added]
        column = _summed(known) if known else np.full(count, np.nan)
        column = np.round(column, DIGITS) + 0.0  # or else -0.0 would be told as such
        components[name] = column
        totals = totals + np.nan_to_num(column, nan=0.0)
    return Breakdown(components, np.round(totals, DIGITS) + 0.0)


def _summed(columns: Sequence[Numbers]) -> Numbers:
    """NaN only where nothing at all can be said."""
    stacked = np.stack(columns)
    unknown = np.isnan(stacked).all(axis=0)
    summed: Numbers = np.where(unknown, np.nan, np.nan_to_num(stacked, nan=0.0).sum(axis=0))
    return summed


def _told(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def asked_words(question: str) -> dict[str, frozenset[str]]:
    """The question's words as typed, in order, each with the terms that are looked for."""
    wanted = frozenset(question_terms(question))
    found: dict[str, frozenset[str]] = {}
    for typed in _WORD.findall(question):
        word = typed.strip(_EDGES).lower()
        meant = frozenset(terms(word)) & wanted
        if word and meant:
            found.setdefault(word, meant)
    return found


def matched(asked: Mapping[str, frozenset[str]], memory: Draft) -> tuple[str, ...]:
    """The question's words that a memory holds, in the question's order."""
    said = frozenset(terms(searched(memory)))
    return tuple(word for word, meant in asked.items() if meant & said)


def searched(memory: Draft) -> str:
    """All that is searched of a memory."""
    labels = (*memory.tags, *memory.concepts, *memory.files)
    parts = (memory.speaker, memory.title, memory.text, memory.file_path, *labels)
    return "\n".join(part for part in parts if part)
