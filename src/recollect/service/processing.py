"""Processing: what was accepted becomes memories, by rules, as soon as anybody looks.

Rules are quick, so that a job is claimed and ended in one transaction: a crash anywhere leaves it
pending, for whoever comes by next. Where a model is wanted as well, the job is pending again once
rules have read it: it can be found meanwhile, and `enrichment` takes it up. A model is slow, and
its claim and outcome are two transactions; there an outcome counts only for the claim it was made
under, and what was claimed by somebody who died is given back.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.llm.port import Reader
from recollect.llm.scribe import FALLBACK
from recollect.model import event
from recollect.model.clock import MINUTE, SECOND, Clock
from recollect.model.errors import EntryRefused, RecollectError, StoreError
from recollect.model.event import ToolUse, TurnEnd
from recollect.model.job import Failure, Job, Task
from recollect.model.memory import Memory
from recollect.service import observe, sessions
from recollect.service.accepting import Tidied
from recollect.service.notices import Notices, Topic, depth_facts
from recollect.store.port.jobs import LARGEST
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

BATCH = 64
"""Jobs in one transaction; whoever wants to write something waits for no more than these."""
MOST_TRIES = 3
PAUSES = (5 * SECOND, 30 * SECOND, MINUTE)
"""Before the second try, the third, and any after."""
MOST_FAILURES = 10_000
"""Failures that are remembered."""
STALE = 5 * MINUTE
"""How old a claim may grow before its holder is taken for dead."""
BY_RULES = "rule-based"
STORE_ERRORS = (StoreError, OSError)
COUNTED = {Task.OBSERVATION: "observation", Task.SUMMARIZE: "summary"}
"""What the published counters are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What processing works with. `agent` is who reads, as it is published. `wants_model` also
    where somebody else decides: jobs stay open then once rules have read them, for the worker to
    end."""

    store: Store
    reader: Reader
    clock: Clock
    notices: Notices
    wants_model: bool
    agent: str = BY_RULES
    stale_ms: int = STALE


def process_waiting(bench: Workbench, *, upto: int | None = None) -> int:
    """All that is due, up to a job or to the newest there is now, or it would never end while more
    is accepted. How many jobs."""
    total = 0
    last = bench.store.jobs.newest() if upto is None else upto
    for is_read in _kinds(bench):
        while done := _process_some(bench, upto=last, is_read=is_read):
            total += done
    return total


def is_due(bench: Workbench) -> bool:
    """Nearly free: every door asks."""
    jobs, now = bench.store.jobs, bench.clock()
    return any(jobs.is_due(now, is_read=is_read) for is_read in _kinds(bench))


def is_stale(bench: Workbench) -> bool:
    return bench.store.jobs.is_stale(bench.clock() - bench.stale_ms)


def release(bench: Workbench, *, older_than: int | None, session_number: int | None = None) -> int:
    """Give back what was claimed so many milliseconds ago and never ended, or None for whenever;
    how many jobs."""
    if not bench.store.jobs.depth(session_number).processing:
        return 0
    before = LARGEST if older_than is None else bench.clock() - older_than
    with bench.store.transaction():
        return bench.store.jobs.release(before, session_number)


def tidy(bench: Workbench, session_number: int) -> Tidied:
    """Give back what went stale in a session, and read what waits."""
    given_back = release(bench, older_than=bench.stale_ms, session_number=session_number)
    process_waiting(bench)
    return Tidied(given_back, bench.store.jobs.depth(session_number).open)


def retry(bench: Workbench, session_number: int | None) -> int:
    """Let what was given up be tried anew, of a session or of all; how much that was."""
    with bench.store.transaction():
        retried = bench.store.jobs.retry(session_number, at=bench.clock())
    if retried:
        tell_depth(bench)
    return retried


def _kinds(bench: Workbench) -> tuple[bool, ...]:
    """Without a model, what rules have read is ours to end as well."""
    return (False,) if bench.wants_model else (False, True)


def _process_some(bench: Workbench, *, upto: int, is_read: bool) -> int:
    store, now = bench.store, bench.clock()
    if not store.jobs.is_due(now, is_read=is_read, upto=upto):
        return 0
    tell_depth(bench)
    try:
        jobs, done = _read_next(bench, BATCH, upto=upto, is_read=is_read)
    except Exception as error:  # told apart below
        if _is_of_the_store(error):
            raise
        jobs, done = _read_each(bench, upto=upto, is_read=is_read)
    if not jobs:
        return 0
    if not bench.wants_model:
        for job in done:
            tell_result(bench, job, made_by=bench.agent, is_success=True)
    tell_depth(bench)
    for session_number in _sessions_of(jobs) - store.jobs.busy_sessions():
        tell_session(bench, session_number, "idle")
    tell_depth(bench)  # the order that clients know ends with it
    return len(jobs)


def fail(bench: Workbench, job: Job, error: Exception, error_class: str) -> None:
    """Another try later, or none any more; either way it can be seen."""
    text = str(error) if isinstance(error, RecollectError) else f"fault: {type(error).__name__}"
    at = bench.clock()
    tries = job.tries + 1
    due_at = None if tries >= MOST_TRIES else at + PAUSES[min(tries, len(PAUSES)) - 1]
    with bench.store.transaction():
        if not bench.store.jobs.fail(job, at=at, due_at=due_at):
            return
        failure = Failure(
            at=at,
            job_id=job.id,
            session_number=job.session_number,
            task=job.task,
            error_class=error_class,
            error=text,
        )
        bench.store.jobs.note_failure(failure, most=MOST_FAILURES)
    if due_at is None:
        bench.notices.tell(
            Topic.QUEUE_FAILED, sessionDbId=job.session_number, messageId=job.id, error=text
        )


def tell_depth(bench: Workbench) -> None:
    bench.notices.tell_present(Topic.QUEUE_DEPTH, lambda: depth_facts(bench.store.jobs.depth()))


def tell_session(bench: Workbench, session_number: int, status: str) -> None:
    bench.notices.tell(Topic.SESSION_STATUS, sessionDbId=session_number, status=status)


def tell_result(bench: Workbench, job: Job, *, made_by: str, is_success: bool) -> None:
    bench.notices.tell(
        Topic.MODEL_RESULT,
        sessionDbId=job.session_number,
        messageType=job.task.value,
        status="success" if is_success else "failed",
        model=made_by,
    )


def event_of(store: Store, job: Job) -> ToolUse | TurnEnd | None:
    """What the job is about; None when nothing of it is kept any more."""
    return _happened(store.events.documents([job.event_id]).get(job.event_id, ""))


def _happened(document: str) -> ToolUse | TurnEnd | None:
    if not document:
        return None
    happened = event.of(json.loads(document))
    assert isinstance(happened, ToolUse | TurnEnd), "only these are queued"
    return happened


def _read(bench: Workbench, job: Job, document: str) -> bool:
    """Inside the transaction; whether the claim was still ours."""
    store, began = bench.store, bench.clock()
    memory = store.memories.of_event(job.event_id) or _made(bench, job, _happened(document))
    memory_id = None if memory is None else memory.id
    if bench.wants_model and memory_id is not None:
        return store.jobs.read(job, memory_id)
    if bench.agent != BY_RULES and not bench.wants_model:
        store.operations.count({f"{COUNTED[job.task]}.{FALLBACK}": 1})  # its key is missing
    index_ms = max(bench.clock() - began, 0)
    return store.jobs.finish(
        job, memory_id=memory_id, at=bench.clock(), model_ms=0, index_ms=index_ms
    )


def _read_next(
    bench: Workbench, limit: int, *, upto: int, is_read: bool
) -> tuple[list[Job], list[Job]]:
    """So many jobs, and those of them that are done."""
    store = bench.store
    with store.transaction():
        jobs = store.jobs.claim(bench.clock(), limit, is_read=is_read, upto=upto)
        if jobs:
            for session_number in _sessions_of(jobs):
                tell_session(bench, session_number, "active")
            tell_depth(bench)
        documents = store.events.documents([job.event_id for job in jobs])
        done = [job for job in jobs if _read(bench, job, documents.get(job.event_id, ""))]
    return jobs, done


def _read_each(bench: Workbench, *, upto: int, is_read: bool) -> tuple[list[Job], list[Job]]:
    """The same one by one, for one job spoils the batch: only that one is tried again."""
    jobs: list[Job] = []
    done: list[Job] = []
    for _ in range(BATCH):
        try:
            next_jobs, next_done = _read_next(bench, 1, upto=upto, is_read=is_read)
        except Exception as error:  # told apart below
            if _is_of_the_store(error):
                raise
            next_jobs, next_done = _blame_next(bench, error, upto=upto, is_read=is_read), []
        if not next_jobs:
            break
        jobs += next_jobs
        done += next_done
    return jobs, done


def _blame_next(bench: Workbench, error: Exception, *, upto: int, is_read: bool) -> list[Job]:
    """The job that has just failed is the next one still; should another process have taken it,
    that one is blamed which is, and is tried again like any."""
    with bench.store.transaction():
        jobs = bench.store.jobs.claim(bench.clock(), 1, is_read=is_read, upto=upto)
    for job in jobs:
        log.warning("job %s failed: %s", job.id, type(error).__name__)
        fail(bench, job, error, "processing")
    return jobs


def _sessions_of(jobs: Sequence[Job]) -> set[int]:
    return {job.session_number for job in jobs}


def _made(bench: Workbench, job: Job, happened: ToolUse | TurnEnd | None) -> Memory | None:
    if happened is None:
        return None
    prompt_id = bench.store.memories.prompt_of(job.session_id, job.prompt_number)
    if isinstance(happened, TurnEnd):
        session = bench.store.sessions.find(job.session_id)
        assert session is not None, "jobs go with their session"
        # Read later than it was said: by now the session may have a newer prompt.
        session = replace(session, prompt_id=prompt_id, prompts=job.prompt_number)
        return sessions.conclude(bench.store, bench.reader, session, happened, job.event_id)
    return observe.read(
        bench.store,
        bench.reader,
        happened,
        event_id=job.event_id,
        prompt_id=prompt_id,
        prompt_number=job.prompt_number,
    )


def _is_of_the_store(error: Exception) -> bool:
    return isinstance(error, STORE_ERRORS) and not isinstance(error, EntryRefused)
