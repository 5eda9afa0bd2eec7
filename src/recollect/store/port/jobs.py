"""Jobs: the queue between what was accepted and what was read, and what went wrong in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from recollect.model.job import Depth, Failure, Job, Task
from recollect.store.port.memories import Filter

LARGEST = 2**63 - 1
"""The largest id, or time, that there can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Which jobs are meant by a list of times or failures; None is any."""

    session_number: int | None = None
    task: Task | None = None
    is_success: bool | None = None
    error_class: str | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """Of all jobs that are meant; times in milliseconds."""

    count: int
    successes: int
    queue_wait: float
    model: float
    index: float
    total: float


class Jobs(Protocol):
    def add(
        self,
        *,
        session_id: str,
        event_id: int,
        task: Task,
        prompt_number: int,
        dedupe_key: str | None,
        at: int,
    ) -> int | None:
        """The new job's id; None when the session has one with this task and key already."""

    def has(self, session_id: str, task: Task, dedupe_key: str) -> bool:
        """Whether `add` would find one."""

    def newest(self) -> int:
        """The id of the newest job; 0 before the first. Whoever reads what waits reads up to this
        one, or would never end while more is accepted."""

    def is_due(self, now: int, *, is_read: bool, upto: int = LARGEST) -> bool:
        """Whether `claim` may find something; asked before every answer, so it is cheap."""

    def claim(self, now: int, limit: int, *, is_read: bool, upto: int = LARGEST) -> list[Job]:
        """Pending jobs that are due, oldest first, now processing and ours: two claimers never get
        the same one. `is_read`: those that rules have read already, and of a session none before
        an earlier one that is under way or waits for its time; otherwise those that nobody read.
        """

    def read(self, job: Job, memory_id: int) -> bool:
        """Rules have made this memory of the job's event; it is pending again, for a model. False
        when the claim is not ours any more, as in the next two."""

    def finish(
        self, job: Job, *, memory_id: int | None, at: int, model_ms: int, index_ms: int
    ) -> bool:
        """Done."""

    def fail(self, job: Job, *, at: int, due_at: int | None) -> bool:
        """To be tried again when it is due, or given up with None."""

    def is_stale(self, claimed_before: int) -> bool:
        """Whether `release` would find something."""

    def release(self, claimed_before: int, session_number: int | None = None) -> int:
        """Give back what was claimed before this and never ended, of all sessions or of one; how
        many that were."""

    def retry(self, session_number: int | None, *, at: int) -> int:
        """Let failed jobs be tried anew; how many that were."""

    def depth(self, session_number: int | None = None) -> Depth: ...

    def busy_sessions(self) -> set[int]:
        """The numbers of the sessions whose jobs have not all ended."""

    def ended(self, wanted: Timing, *, limit: int | None, after: Job | None = None) -> list[Job]:
        """Jobs that are done or were given up, newest end first; with `after`, from there on."""

    def means(self, wanted: Timing) -> Means: ...

    def note_failure(self, failure: Failure, *, most: int) -> None:
        """Keep it; of all failures the newest `most` stay."""

    def failures(self, wanted: Timing, *, limit: int | None) -> list[Failure]:
        """Newest first."""

    def forget_failures(self, wanted: Filter) -> None:
        """Those of a session, a project or a time, and those whose error holds these words; to be
        asked while the sessions are still there."""

    def failure_classes(self, wanted: Timing) -> list[tuple[str, int]]:
        """How many of each class, most frequent first."""
