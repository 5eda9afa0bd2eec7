"""How the worker is doing, kept over restarts: traces of searches, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from recollect.store.port.memories import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How one search went. `detail` is what a dialect tells about it, as JSON."""

    at: int
    query: str
    project: str | None
    mode: str
    took_ms: float
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFilter:
    """None is any. `text` is looked for in the query and in the project, whatever the case."""

    text: str | None = None
    project: str | None = None
    mode: str | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Bucket:
    """What happened in one stretch of time, by its number from the first stretch on."""

    number: int
    count: int
    mean_ms: float


class Operations(Protocol):
    def trace(self, trace: Trace, *, most: int) -> None:
        """Keep it; of all traces the newest `most` stay."""

    def traces(self, wanted: TraceFilter, *, limit: int | None) -> list[Trace]:
        """Newest first."""

    def count_traces(self, wanted: TraceFilter) -> int: ...

    def forget_searches(self, wanted: Filter) -> None:
        """Those of a project or a time, and those that asked for these words. A search belongs to
        no session and no type, so a filter by these means none."""

    def count(self, names: Mapping[str, int]) -> None:
        """Add to each of these counters."""

    def counters(self, prefix: str) -> dict[str, int]:
        """Those that were ever counted."""

    def reset(self, prefix: str) -> None: ...

    def search_buckets(self, since: int, until: int, width: int) -> list[Bucket]:
        """Searches, and how long they took; stretches without any are left out, as below."""

    def job_buckets(self, since: int, until: int, width: int) -> list[Bucket]:
        """Jobs that ended, and how long they took from their claim on."""

    def failure_buckets(self, since: int, until: int, width: int) -> list[Bucket]: ...
