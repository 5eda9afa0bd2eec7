"""What stands around a store: the spool, who may read the files, what makes vectors."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Protocol

from recollect.capture import spool
from recollect.dialect.desk import Premises
from recollect.wiring import choosing

if TYPE_CHECKING:
    from recollect.embed.port import Chosen
    from recollect.settings import Settings


class Owner(Protocol):
    settings: Settings

    def chosen(self) -> Chosen: ...


def premises(house: Owner) -> Premises:
    settings, chosen = house.settings, house.chosen()
    waiting = spool.waiting(settings.spool_dir)
    return Premises(
        waiting=len(waiting),
        oldest_at=spool.accepted_at(waiting[0]) if waiting else None,
        put_aside=tuple(spool.quarantined(settings.spool_dir)),
        embedder=None if chosen.embedder is None else chosen.embedder.name,
        because=chosen.reason,
        is_encrypted=settings.key is not None,
        problems=(
            *permission_problems(settings),
            *embedder_problems(settings, chosen),
            *spool_problems(settings),
        ),
    )


def permission_problems(settings: Settings) -> list[str]:
    """Memories are for their owner only."""
    problems = []
    for path in (settings.store, f"{settings.store}-wal", settings.spool_dir):
        if os.path.exists(path):
            mode = stat.S_IMODE(os.stat(path).st_mode)
            if mode & 0o077:
                problems.append(f"others can read {path} (mode {mode:o}); run chmod go= on it")
    return problems


def embedder_problems(settings: Settings, chosen: Chosen) -> list[str]:
    """Not having built a model is a choice, which the embedder's line tells; all else is not."""
    if settings.embedder == "auto" and choosing.model(settings).state == "missing":
        return []
    return list(chosen.problems)


def spool_problems(settings: Settings) -> list[str]:
    aside = [
        f"put aside: {name}: {reason}" for name, reason in spool.quarantined(settings.spool_dir)
    ]
    return aside + [
        f"left half written by a hook that was killed: {name}; it may be removed"
        for name in spool.stale(settings.spool_dir)
    ]
