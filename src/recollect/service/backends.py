"""Backends: which vectors a search asks, those of the store, those of an outpost, or both.

The model in use is asked wherever its vectors are; while it follows another model, the store may
have that one asked instead, as `service.meanings` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.outpost.port import Outpost
from recollect.search.meaning import TEXT
from recollect.service.afar import BothNearness, OutpostNearness
from recollect.service.meanings import Meanings
from recollect.service.sources import Embedder, Meaning, Nearness


@dataclass(frozen=True, slots=True)
class Asked:
    """What embeds the question, and where it is looked for in this one search."""

    embedder: Embedder
    nearness: Nearness


def meaning(
    meanings: Meanings, outpost: Outpost, *, is_hybrid: bool
) -> Callable[[], Meaning | None]:
    """What a finder asks once for each question. Only texts are brought to outposts."""

    def asked() -> Meaning | None:
        if is_hybrid:
            here = meanings.of(TEXT)
            if here is None:
                return None
            afar = OutpostNearness(outpost, here.embedder.name)
            return Asked(here.embedder, BothNearness(here.nearness, afar))
        embedder = meanings.in_use
        return (
            None if embedder is None else Asked(embedder, OutpostNearness(outpost, embedder.name))
        )

    return asked
