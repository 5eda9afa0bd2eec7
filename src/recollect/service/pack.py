"""Pack: a question in, what helps most with it out, as text within a budget of tokens.

Whoever wants a pack brings the question, a ranking and the names of things; how lines are chosen
and laid out is `search.pack`. Later the injected context and the viewer use the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.model.memory import Kind, Memory
from recollect.model.question import Dropped, Question
from recollect.search import pack as packs
from recollect.search.pack import LeftOut, Pack
from recollect.store.port.store import Store

if TYPE_CHECKING:  # loads numpy, which a command that is only parsed does without
    from recollect.search.profile import RankingProfile
    from recollect.service.find import Finder

LIMIT = 10
BUDGET = 2_000
MOST = 50
LARGEST_BUDGET = 100_000

SUMMARIES = frozenset({Kind.SUMMARY})
TOLD = frozenset({Kind.OBSERVATION, Kind.NOTE, Kind.FACT, Kind.FRAME})
"""What a pack tells besides summaries; prompts and lifecycle are context of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`limit`: at most so many memories, the summary included; `budget`: tokens of the text."""

    text: str
    project: str | None
    """A path stands for its last component; None is all projects."""
    limit: int = LIMIT
    budget: int = BUDGET


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    pack: Pack
    memories: Mapping[int, Memory]
    """Those in the pack, by id."""
    query_id: str
    """Of the answer that it was made from."""
    is_recent: bool
    """Nothing answers the question: these are the newest memories."""
    used_vectors: bool


def pack(
    store: Store,
    finder: Finder,
    wanted: Wanted,
    *,
    profile: RankingProfile,
    named: Callable[[Memory], str],
    now: int,
    is_kept: bool = True,
) -> Packed:
    """`named` says what the reader calls the kind of a memory; `is_kept`, whether the ledger is
    told of the question."""
    question = Question(text=wanted.text, project=wanted.project)
    about = finder.find(replace(question, kinds=SUMMARIES, limit=1), profile, is_kept=False)
    summary = [hit.memory for hit in about.hits]
    if not summary:
        summary = store.memories.newest(SUMMARIES, project=wanted.project, limit=1)
    limit = max(wanted.limit - len(summary), 1)
    found = finder.find(replace(question, kinds=TOLD, limit=limit), profile, is_kept=is_kept)
    memories = [hit.memory for hit in found.hits]
    is_recent = not (memories or about.hits)
    if is_recent:
        memories = store.memories.newest(TOLD, project=wanted.project, limit=limit)
    # Of one memory alone, what answers is worth more than what it was about.
    chosen = [*summary, *memories] if wanted.limit > 1 else [*memories, *summary][:1]
    filled = packs.fill(
        (
            packs.candidate(memory, rank=rank, name=named(memory), now=now)
            for rank, memory in enumerate(chosen)
        ),
        wanted.budget,
    )
    return Packed(
        pack=replace(filled, left_out=(*filled.left_out, *map(_left_out, found.dropped))),
        memories={each.id: each for each in chosen if filled.line_of(each.id) is not None},
        query_id=found.query_id,
        is_recent=is_recent,
        used_vectors=found.used_vectors,
    )


def held(limit: int, budget: int) -> tuple[int, int]:
    """Both within what a pack may be."""
    return min(max(limit, 1), MOST), min(max(budget, 0), LARGEST_BUDGET)


def _left_out(dropped: Dropped) -> LeftOut:
    return LeftOut(id=dropped.id, because=dropped.because)
