"""What a session is told when it starts: the store's words, within the limits that are set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recollect.dialects.nmem import wording
from recollect.service import context as contexts

if TYPE_CHECKING:
    from recollect.model.clock import Clock
    from recollect.settings import Settings
    from recollect.store.port.store import Store


class Owner(Protocol):
    settings: Settings
    store: Store
    clock: Clock


def injected(house: Owner, project: str, source: str) -> str:
    """The context that a session of this project is given when it starts."""
    chosen = house.settings.for_project(project)
    budget = contexts.budget_for(
        source,
        within=chosen.context_local_limit,
        elsewhere=0 if chosen.suppress_cross_project else chosen.context_cross_limit,
    )
    now = house.clock()
    return wording.context(
        contexts.gather(house.store, project=project, now=now, budget=budget), now
    )
