"""The desk of a handler: everything it may use to answer one request."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.model.clock import Clock
from recollect.store.port.store import Store


@dataclass(frozen=True, slots=True)
class Desk:
    """`project` is the current one: the project of the folder the server works for."""

    store: Store
    clock: Clock
    project: str
