"""The baseline: SQLite's FTS5 with porter stems, the content words of the question joined by OR."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator, Sequence

from sqlcipher3 import dbapi2 as sqlite

from benchmarks.retrieval.corpus import Item

SCHEMA = """
create virtual table items using fts5 (
    title, text, id unindexed, project unindexed, tokenize='porter unicode61 remove_diacritics 2'
)
"""
ASK = """
select id from items where items match ?1 and (?2 is null or project = ?2) order by rank limit ?3
"""
_WORD = re.compile(r"[^\W_]+")
# Contractions come apart at the apostrophe, as in the index.
_STOP_WORDS = """
a about after again all also am an and any are as at be because been before being between both
but by can could d did do does doing done during each either ever few for from further get gets
getting got had has have having he her here hers herself him himself his how i if in into is it
its itself just let ll m many may me might more most much must my myself no nor not now of off
on once one only or other our ours ourselves out over own per re s same shall she should so some
still such t than that the their theirs them themselves then there these they this those through
to too under until up upon us use used uses using ve very was we were what when where whether
which while who whom whose why will with within without would yes yet you your yours yourself
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def content_words(text: str) -> list[str]:
    """Lower-case words without stop words, each once; all words when nothing else is there."""
    words = list(dict.fromkeys(_WORD.findall(text.lower())))
    return [word for word in words if word not in STOP_WORDS] or words


class Fts5:
    """One table for everything, the scope a condition; the title is searched as well."""

    def __init__(self) -> None:
        self._connection = sqlite.connect(":memory:")
        self._connection.execute(SCHEMA)

    def index(self, items: Sequence[Item]) -> float:
        began = time.perf_counter()
        rows = [(_headed(item), item.text, item.id, item.project) for item in items]
        self._connection.executemany("insert into items values (?, ?, ?, ?)", rows)
        return time.perf_counter() - began

    def ask(self, question: str, scope: str | None, k: int) -> Sequence[str]:
        words = content_words(question)
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        return [id_ for (id_,) in self._connection.execute(ASK, (query, scope, k))]

    def close(self) -> None:
        self._connection.close()


def _headed(item: Item) -> str:
    return " ".join(part for part in (item.speaker, item.title) if part)


@contextlib.contextmanager
def fts5() -> Iterator[Fts5]:
    search = Fts5()
    try:
        yield search
    finally:
        search.close()
