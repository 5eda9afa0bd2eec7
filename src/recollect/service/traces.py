"""Traces: how a search went, kept for whoever looks after the worker."""

from __future__ import annotations

import logging
from dataclasses import replace

from recollect.model.errors import StoreBusy, StoreFull
from recollect.privacy.clean import Rules, clean_text
from recollect.store.port.operations import Trace
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

MOST = 10_000
LONGEST_QUERY = 2_000


def keep(store: Store, trace: Trace, rules: Rules) -> None:
    """Without what is private or secret in it. A search that could not be told of was still one."""
    query, _ = clean_text(trace.query[:LONGEST_QUERY], rules)
    project = None if trace.project is None else clean_text(trace.project, rules)[0]
    try:
        with store.transaction(is_lasting=False):
            store.operations.trace(replace(trace, query=query, project=project), most=MOST)
    except (StoreBusy, StoreFull) as error:
        log.warning("a search leaves no trace: %s", error)
