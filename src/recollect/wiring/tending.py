"""What a house does for its store now and then, beside answering."""

from __future__ import annotations

import logging

from recollect.model.errors import StoreBusy, StoreFull
from recollect.search.packed import DUE
from recollect.store.port.store import Store

log = logging.getLogger(__name__)


def tend(store: Store) -> None:
    """Keep the ranking index up to date, when there is enough to do."""
    if store.lexicon.state().waiting >= DUE:
        # Loads numpy, which a command that stores one event can do without.
        from recollect.service import segments

        try:
            segments.tend(store)
        except (StoreBusy, StoreFull) as error:
            log.warning("the ranking index is behind: %s", error)
