"""Processing: what was accepted becomes memories, by rules, as soon as anybody looks.

A claim and its outcome are two transactions, and an outcome counts only for the claim it was made
under; so a crash anywhere repeats the job, and never leaves two memories of one event. Where a
model is wanted as well, the job is pending again once rules have read it: it can be found
meanwhile, and `enrichment` takes it up.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.llm.port import Reader
from recollect.model import event
from recollect.model.clock import MINUTE, SECOND, Clock
from recollect.model.errors import EntryRefused, RecollectError, StoreError
from recollect.model.event import ToolUse, TurnEnd
from recollect.model.job import Failure, Job
from recollect.model.memory import Memory
from recollect.service import observe, sessions
from recollect.service.accepting import Tidied
from recollect.service.notices import Notices, Topic
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What processing works with. `wants_model` also where somebody else decides: jobs stay open
    then once rules have read them, for the worker to end."""

    store: Store
    reader: Reader
    clock: Clock
    notices: Notices
    wants_model: bool
    stale_ms: int = STALE


def process_waiting(bench: Workbench) -> int:
    """All that is due now; what is accepted meanwhile is left to the next. How many jobs."""
    total = 0
    newest = bench.store.jobs.newest() if is_due(bench) else 0
    for is_read in _kinds(bench):
        while done := _process_some(bench, upto=newest, is_read=is_read):
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


def _kinds(bench: Workbench) -> tuple[bool, ...]:
    """Without a model, what rules have read is ours to end as well."""
    return (False,) if bench.wants_model else (False, True)


def _process_some(bench: Workbench, *, upto: int, is_read: bool) -> int:
    store, now = bench.store, bench.clock()
    if not store.jobs.is_due(now, is_read=is_read, upto=upto):
        return 0
    tell_depth(bench)
    with store.transaction(is_lasting=False):  # a claim that a power cut takes is nobody's loss
        jobs = store.jobs.claim(now, BATCH, is_read=is_read, upto=upto)
    if not jobs:
        return 0
    sessions_told = {job.session_number for job in jobs}
    for session_number in sessions_told:
        tell_session(bench, session_number, "active")
    tell_depth(bench)
    try:
        done = _read_all(bench, jobs)
    except Exception:
        _give_back(bench, jobs)  # the store would not take them: they are nobody's failure
        raise
    if not bench.wants_model:
        for job in done:
            tell_result(bench, job, made_by=BY_RULES, is_success=True)
    tell_depth(bench)
    for session_number in sessions_told - store.jobs.busy_sessions():
        tell_session(bench, session_number, "idle")
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
    depth = bench.store.jobs.depth()
    bench.notices.tell(
        Topic.QUEUE_DEPTH,
        pending=depth.pending,
        processing=depth.processing,
        failed=depth.failed,
        queueDepth=depth.open,
    )


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
    document = store.events.documents([job.event_id]).get(job.event_id, "")
    if not document:
        return None
    happened = event.of(json.loads(document))
    assert isinstance(happened, ToolUse | TurnEnd), "only these are queued"
    return happened


def _read(bench: Workbench, job: Job) -> bool:
    """Inside the transaction; whether the claim was still ours."""
    store, began = bench.store, bench.clock()
    memory = store.memories.of_event(job.event_id) or _made(bench, job)
    memory_id = None if memory is None else memory.id
    if bench.wants_model and memory_id is not None:
        return store.jobs.read(job, memory_id)
    index_ms = max(bench.clock() - began, 0)
    return store.jobs.finish(
        job, memory_id=memory_id, at=bench.clock(), model_ms=0, index_ms=index_ms
    )


def _read_all(bench: Workbench, jobs: Sequence[Job]) -> list[Job]:
    """Those that were still ours, read."""
    try:
        with bench.store.transaction():
            return [job for job in jobs if _read(bench, job)]
    except Exception as error:  # told apart below
        if _is_of_the_store(error):
            raise
        return _read_each(bench, jobs)


def _made(bench: Workbench, job: Job) -> Memory | None:
    happened = event_of(bench.store, job)
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


def _read_each(bench: Workbench, jobs: Sequence[Job]) -> list[Job]:
    """One job spoils the batch: each alone, so that only that one is tried again."""
    done = []
    for job in jobs:
        try:
            with bench.store.transaction():
                if _read(bench, job):
                    done.append(job)
        except Exception as error:  # told apart below
            if _is_of_the_store(error):
                raise
            log.warning("job %s failed: %s", job.id, type(error).__name__)
            fail(bench, job, error, "processing")
    return done


def _give_back(bench: Workbench, jobs: Sequence[Job]) -> None:
    """Those that did not end; if the store refuses even that, they wait until they are stale."""
    try:
        with bench.store.transaction():
            for job in jobs:
                bench.store.jobs.give_back(job)
    except StoreError as error:
        log.warning("claimed jobs wait until they are stale: %s", error)


def _is_of_the_store(error: Exception) -> bool:
    return isinstance(error, StoreError | OSError) and not isinstance(error, EntryRefused)
