"""What the worker keeps about itself, as CodexMem's JSON, and as rows of its exports."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.spec import Json, as_json
from recollect.dialects.codexmem.moments import iso
from recollect.dialects.codexmem.sheets import Cell
from recollect.model.job import Failure, Job, State
from recollect.service.operations import Stretch
from recollect.store.port.jobs import Means
from recollect.store.port.operations import Trace

LEXICAL = ("observations", "sessions", "prompts")
VECTORS = ("sqliteObservations", "chromaObservations", "chromaSummaries", "chromaPrompts")

TRACE_COLUMNS = (
    *("ts", "query", "project", "mode", "durationMs"),
    *("lexicalObservations", "lexicalSessions", "lexicalPrompts"),
    *VECTORS,
    *("resultObservations", "resultSessions", "resultPrompts"),
)
TIMING_COLUMNS = (
    *("ts", "sessionDbId", "messageId", "messageType", "success"),
    *("queueWaitMs", "modelMs", "indexMs", "totalMs"),
)
FAILURE_COLUMNS = ("ts", "sessionDbId", "messageId", "messageType", "errorClass", "error")


def trace(found: Trace) -> dict[str, Json]:
    """A search; what it counted stands in its detail under the published names."""
    project: dict[str, Json] = {} if found.project is None else {"project": found.project}
    return {
        "ts": iso(found.at),
        "query": found.query,
        **project,
        **{str(name): as_json(value) for name, value in found.detail.items()},
        "mode": found.mode,
        "durationMs": round(found.took_ms, 2),
    }


def trace_row(found: Trace) -> list[Cell]:
    return [
        iso(found.at),
        found.query,
        found.project,
        found.mode,
        round(found.took_ms, 2),
        *_counts(found.detail.get("lexicalCounts"), LEXICAL),
        *_counts(found.detail.get("vectorHits"), VECTORS),
        *_counts(found.detail.get("resultCounts"), LEXICAL),
    ]


def timing(job: Job) -> dict[str, Json]:
    """A job that ended; the total begins with its claim."""
    claimed_at, finished_at = job.claimed_at or 0, job.finished_at or 0
    return {
        "ts": iso(finished_at),
        "sessionDbId": job.session_number,
        "messageId": job.id,
        "messageType": job.task.value,
        "queueWaitMs": max(claimed_at - job.created_at, 0),
        "modelMs": job.model_ms or 0,
        "indexMs": job.index_ms or 0,
        "totalMs": max(finished_at - claimed_at, 0),
        "success": job.state is State.DONE,
    }


def timing_row(job: Job) -> list[Cell]:
    told = timing(job)
    return [_cell(told[column]) for column in TIMING_COLUMNS]


def means(found: Means) -> dict[str, Json]:
    return {
        "count": found.count,
        "successCount": found.successes,
        "avgQueueWaitMs": round(found.queue_wait, 2),
        "avgModelMs": round(found.model, 2),
        "avgIndexMs": round(found.index, 2),
        "avgTotalMs": round(found.total, 2),
    }


def failure(found: Failure) -> dict[str, Json]:
    return {
        "ts": iso(found.at),
        "sessionDbId": found.session_number,
        "messageId": found.job_id,
        "messageType": found.task.value,
        "errorClass": found.error_class,
        "error": found.error,
    }


def failure_row(found: Failure) -> list[Cell]:
    told = failure(found)
    return [_cell(told[column]) for column in FAILURE_COLUMNS]


def stretch(found: Stretch) -> dict[str, Json]:
    return {
        "from": found.since,
        "to": found.until,
        "ts": iso(found.since),
        "searchCount": found.searches.count,
        "avgSearchMs": round(found.searches.mean_ms, 2),
        "queueCount": found.jobs.count,
        "avgQueueTotalMs": round(found.jobs.mean_ms, 2),
        "failureCount": found.failures.count,
    }


def _counts(counted: object, names: tuple[str, ...]) -> list[Cell]:
    """Of a search that did not count something, 0."""
    known = counted if isinstance(counted, Mapping) else {}
    return [_cell(known.get(name, 0)) for name in names]


def _cell(value: object) -> Cell:
    assert value is None or isinstance(value, bool | int | float | str)
    return value
