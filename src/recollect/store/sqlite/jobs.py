"""Jobs and their failures in SQLite."""

from __future__ import annotations

import json

from recollect.model.job import Depth, Failure, Job, State, Task
from recollect.search.mention import mentions
from recollect.store.port.jobs import LARGEST, Means, Timing
from recollect.store.port.memories import Filter
from recollect.store.sqlite.connection import Connections, Row

NO_LIMIT = -1


class SqliteJobs:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

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
        row = self._connections.row(
            "add_job",
            session_id=session_id,
            event_id=event_id,
            task=task.value,
            prompt_number=prompt_number,
            dedupe_key=dedupe_key,
            at=at,
        )
        return None if row is None else int(row["id"])

    def has(self, session_id: str, task: Task, dedupe_key: str) -> bool:
        row = self._connections.row(
            "has_job", session_id=session_id, task=task.value, dedupe_key=dedupe_key
        )
        return row is not None

    def newest(self) -> int:
        row = self._connections.row("newest_job")
        assert row is not None
        return int(row[0])

    def is_due(self, now: int, *, is_read: bool, upto: int = LARGEST) -> bool:
        name = "due_read_job" if is_read else "due_unread_job"
        return self._connections.row(name, now=now, upto=upto) is not None

    def claim(self, now: int, limit: int, *, is_read: bool, upto: int = LARGEST) -> list[Job]:
        name = "claim_read_jobs" if is_read else "claim_unread_jobs"
        rows = self._connections.rows(name, now=now, limit=limit, upto=upto)
        ids = json.dumps([row["id"] for row in rows])
        return [_job(row) for row in self._connections.rows("jobs_by_id", ids=ids)]

    def read(self, job: Job, memory_id: int) -> bool:
        changed = self._connections.run(
            "read_job", id=job.id, claimed_at=job.claimed_at, memory_id=memory_id
        )
        return changed > 0

    def finish(
        self, job: Job, *, memory_id: int | None, at: int, model_ms: int, index_ms: int
    ) -> bool:
        changed = self._connections.run(
            "finish_job",
            id=job.id,
            claimed_at=job.claimed_at,
            memory_id=memory_id,
            at=at,
            model_ms=model_ms,
            index_ms=index_ms,
        )
        return changed > 0

    def fail(self, job: Job, *, at: int, due_at: int | None) -> bool:
        changed = self._connections.run(
            "fail_job", id=job.id, claimed_at=job.claimed_at, at=at, due_at=due_at
        )
        return changed > 0

    def is_stale(self, claimed_before: int) -> bool:
        return self._connections.row("stale_job", claimed_before=claimed_before) is not None

    def release(self, claimed_before: int, session_number: int | None = None) -> int:
        return self._connections.run(
            "release_jobs", claimed_before=claimed_before, session_number=session_number
        )

    def retry(self, session_number: int | None, *, at: int) -> int:
        return self._connections.run("retry_jobs", session_number=session_number, at=at)

    def depth(self, session_number: int | None = None) -> Depth:
        rows = self._connections.rows("job_depth", session_number=session_number)
        counts = {row["state"]: int(row["n"]) for row in rows}
        return Depth(
            pending=counts.get(State.PENDING, 0),
            processing=counts.get(State.PROCESSING, 0),
            failed=counts.get(State.FAILED, 0),
        )

    def busy_sessions(self) -> set[int]:
        return {int(row["number"]) for row in self._connections.rows("busy_sessions")}

    def ended(self, wanted: Timing, *, limit: int | None, after: Job | None = None) -> list[Job]:
        rows = self._connections.rows(
            "ended_jobs",
            **_meant(wanted),
            limit=_limit(limit),
            after_end=None if after is None else after.finished_at,
            after_id=None if after is None else after.id,
        )
        return [_job(row) for row in rows]

    def means(self, wanted: Timing) -> Means:
        row = self._connections.row("job_means", **_meant(wanted))
        assert row is not None
        return Means(
            count=row["n"],
            successes=row["successes"],
            queue_wait=row["queue_wait"],
            model=row["model"],
            index=row["indexing"],
            total=row["total"],
        )

    def note_failure(self, failure: Failure, *, most: int) -> None:
        self._connections.run(
            "add_failure",
            at=failure.at,
            job_id=failure.job_id,
            session_number=failure.session_number,
            task=failure.task.value,
            error_class=failure.error_class,
            error=failure.error,
        )
        self._connections.run("trim_failures", most=most)

    def failures(self, wanted: Timing, *, limit: int | None) -> list[Failure]:
        rows = self._connections.rows("failures", **_of_failures(wanted), limit=_limit(limit))
        return [
            Failure(
                at=row["at"],
                job_id=row["job_id"],
                session_number=row["session_number"],
                task=Task(row["task"]),
                error_class=row["error_class"],
                error=row["error"],
            )
            for row in rows
        ]

    def forget_failures(self, wanted: Filter) -> None:
        if wanted.words is not None:
            told = self._connections.rows("failure_errors")
            found = [row["id"] for row in told if mentions(wanted.words, row["error"])]
            self._connections.run("delete_failures", ids=json.dumps(found))
        elif wanted.type is None and wanted.id is None:
            self._connections.run(
                "forget_failures",
                project=wanted.project,
                session_id=wanted.session_id,
                before=wanted.before,
                older_than=wanted.older_than,
            )

    def failure_classes(self, wanted: Timing) -> list[tuple[str, int]]:
        rows = self._connections.rows("failure_classes", **_of_failures(wanted))
        return [(row["error_class"], int(row["n"])) for row in rows]


def _meant(wanted: Timing) -> dict[str, object]:
    return {
        "session_number": wanted.session_number,
        "task": None if wanted.task is None else wanted.task.value,
        "is_success": None if wanted.is_success is None else int(wanted.is_success),
        "since": wanted.since,
        "until": wanted.until,
    }


def _of_failures(wanted: Timing) -> dict[str, object]:
    meant = _meant(wanted)
    del meant["is_success"]
    return {**meant, "error_class": wanted.error_class}


def _limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else limit


def _job(row: Row) -> Job:
    return Job(
        id=row["id"],
        session_id=row["session_id"],
        session_number=row["number"],
        event_id=row["event_id"],
        task=Task(row["task"]),
        prompt_number=row["prompt_number"],
        state=State(row["state"]),
        tries=row["tries"],
        memory_id=row["memory_id"],
        created_at=row["created_at"],
        claimed_at=row["claimed_at"],
        finished_at=row["finished_at"],
        model_ms=row["model_ms"],
        index_ms=row["index_ms"],
    )
