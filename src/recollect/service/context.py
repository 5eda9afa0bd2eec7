"""Context: what the next session needs to know, chosen but not yet worded."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.service.recent import Scored, Side, recent_on
from recollect.store.port.memories import Intent
from recollect.store.port.store import Store

INTENTS = 10


@dataclass(frozen=True, slots=True)
class Budget:
    """How many rows a section may have."""

    within: int
    elsewhere: int


NORMAL = Budget(within=20, elsewhere=10)
RECOVERY = Budget(within=30, elsewhere=15)
"""After `compact` and `clear` the agent has lost its window: tell it more."""


@dataclass(frozen=True, slots=True)
class Context:
    project: str
    intents: tuple[Intent, ...]
    within: tuple[Scored, ...]
    elsewhere: tuple[Scored, ...]

    def is_empty(self) -> bool:
        return not (self.intents or self.within or self.elsewhere)


def budget_for(source: str, *, within: int | None = None, elsewhere: int | None = None) -> Budget:
    """The budget after a start of this kind; explicit limits are taken as they are."""
    default = RECOVERY if source in ("compact", "clear") else NORMAL
    return Budget(
        default.within if within is None else within,
        default.elsewhere if elsewhere is None else elsewhere,
    )


def gather(store: Store, *, project: str, now: int, budget: Budget) -> Context:
    def side(which: Side, limit: int) -> tuple[Scored, ...]:
        if limit == 0:
            return ()
        return tuple(recent_on(store, now=now, project=project, side=which, limit=limit))

    return Context(
        project=project,
        intents=tuple(store.memories.intents(project=project, limit=INTENTS)),
        within=side(Side.WITHIN, budget.within),
        elsewhere=side(Side.ELSEWHERE, budget.elsewhere),
    )
