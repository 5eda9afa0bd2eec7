"""A job: what an accepted event still asks for, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Task(StrEnum):
    OBSERVATION = "observation"
    SUMMARIZE = "summarize"


class State(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    DONE = "done"
    FAILED = "failed"
    """Given up; it can be asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`claimed_at` tells one claim from another: only who holds the newest may end the job."""

    id: int
    session_id: str
    session_number: int
    event_id: int
    task: Task
    prompt_number: int
    state: State
    tries: int
    memory_id: int | None
    """The memory that rules have made of the event, once they have."""
    created_at: int
    claimed_at: int | None = None
    finished_at: int | None = None
    model_ms: int | None = None
    index_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One try that went wrong."""

    at: int
    job_id: int
    session_number: int
    task: Task
    error_class: str
    error: str


@dataclass(frozen=True, slots=True)
class Depth:
    """How many jobs are in each state that is not done."""

    pending: int = 0
    processing: int = 0
    failed: int = 0

    @property
    def open(self) -> int:
        return self.pending + self.processing
