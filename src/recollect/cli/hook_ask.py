"""The one hook that is answered: a session starts, and is told what happened before.

Imported by the hook only for this event, because it opens the store.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping

from recollect import wiring
from recollect.service import retention
from recollect.settings import Settings
from recollect.wiring.telling import injected

PATIENCE_MS = 100
"""A session must start: whoever holds the store for longer than this leaves it without context."""


def answer(settings: Settings, document: Mapping[str, object]) -> str:
    """The context, after everything that waited is stored and what is over its time is swept."""
    logging.basicConfig(
        stream=sys.stderr, level=settings.log.upper(), format="recollect: %(message)s"
    )
    house = wiring.open_house(settings, patience_ms=PATIENCE_MS)
    try:
        house.try_to_catch_up()
        if settings.retention_enabled:
            retention.sweep(house.store, settings.retention_days, now=house.clock())
        return injected(house, str(document["project"]), str(document["source"]))
    finally:
        house.close()
