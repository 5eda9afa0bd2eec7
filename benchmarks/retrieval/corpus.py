"""What every question set becomes: items that can be found, and questions that know their gold.

Readers of published formats make these (`sets`); ways to search are given them (`searches`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime


class UnreadableSet(Exception):
    """A file is not the question set that it was taken for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One memory, by the fields of the import format."""

    id: str
    text: str
    session: str | None = None
    speaker: str | None = None
    created_at: str | None = None
    """ISO 8601. Items of a session are in order of this and in order of the corpus."""
    title: str | None = None
    project: str | None = None
    kind: str | None = None
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    id: str
    text: str
    category: str
    gold: frozenset[str]
    """Ids of the items that answer it; never empty."""
    scope: str | None
    """The project that is searched; None is all of them."""
    gold_sessions: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Corpus:
    name: str
    items: Sequence[Item]
    questions: Sequence[Question]
    groups: Mapping[str, frozenset[str] | None] = field(default_factory=lambda: {"overall": None})
    """Means that are reported, by name, and the categories that they are of; None is all."""
    notes: tuple[str, ...] = ()

    @property
    def scopes(self) -> list[str]:
        """The projects of its items, in order."""
        return list(dict.fromkeys(item.project for item in self.items if item.project is not None))

    def narrowed(self, *, only: Sequence[str] = (), without: Sequence[str] = ()) -> Corpus:
        """The corpus of some of its scopes; for choosing settings on one part, judging on another.

        A question that is asked of all projects has no part that it belongs to, so it stays out.
        """
        if not only and not without:
            return self
        unknown = [name for name in (*only, *without) if name not in self.scopes]
        if unknown:
            known = ", ".join(self.scopes[:20])
            raise UnreadableSet(f"{self.name} has no part {unknown[0]!r}; there are {known}")
        kept = {name for name in only or self.scopes if name not in without}
        return replace(
            self,
            items=[item for item in self.items if item.project in kept],
            questions=[each for each in self.questions if each.scope in kept],
        )


def checked(corpus: Corpus) -> Corpus:
    """The same corpus, if it can be measured at all."""
    ids = {item.id for item in corpus.items}
    if len(ids) != len(corpus.items):
        raise UnreadableSet(f"{corpus.name}: two items have the same id")
    if not corpus.questions:
        raise UnreadableSet(f"{corpus.name}: no question has gold")
    for question in corpus.questions:
        if not question.gold or question.gold - ids:
            raise UnreadableSet(f"{corpus.name}: the gold of {question.id} is not in the corpus")
    return corpus


def lines(items: Iterable[Item]) -> Iterator[str]:
    """The import format: one memory a line, fields that say nothing left out."""
    for item in items:
        known = {
            "id": item.id,
            "kind": item.kind,
            "title": item.title,
            "text": item.text,
            "project": item.project,
            "session": item.session,
            "speaker": item.speaker,
            "created_at": item.created_at,
            "tags": list(item.tags),
            "files": list(item.files),
            "concepts": list(item.concepts),
        }
        said = {name: value for name, value in known.items() if value not in (None, [])}
        yield json.dumps(said, ensure_ascii=False) + "\n"


def iso(moment: datetime) -> str:
    """To the second and in UTC, as an import reads it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
