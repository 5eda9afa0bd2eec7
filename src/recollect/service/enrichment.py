"""Enrichment: a language model reads again what rules have read, and what it writes takes the place
of theirs.

A job is claimed, the model asked while nothing is locked, and the outcome stored in one
transaction with the job's end, if the claim still holds; so a crash repeats the question and never
the outcome. A model that fails costs nothing but its failure: what rules have made stays.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum

from recollect.llm import scribe
from recollect.llm.port import Provider
from recollect.llm.scribe import Scribe, Written
from recollect.model.clock import SECOND
from recollect.model.errors import ProviderFailed
from recollect.model.event import ToolUse, TurnEnd
from recollect.model.job import Failure, Job
from recollect.model.memory import Kind
from recollect.model.portrait import Portrait, Recap
from recollect.service import processing
from recollect.service.processing import COUNTED, MOST_FAILURES, Workbench
from recollect.store.port.portraits import BY_HAND
from recollect.store.port.store import Store

AGENT = "openai"
"""How the published notices name it, whoever has answered in the end."""
SPENT = "tokens."
PASSING = frozenset({"timeout", "network", "rate_limit"})
"""Failures that the next job would most likely meet as well."""


class Outcome(Enum):
    IDLE = "nothing to do"
    DONE = "one job less"
    OUTAGE = "one job less, and the model cannot be reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """`budget` is how many tokens a day may cost; None is any number."""

    bench: Workbench
    provider: Provider
    repairs: int
    budget: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What was spent today, of what may be."""

    spent: int
    budget: int | None

    @property
    def is_spent(self) -> bool:
        return self.budget is not None and self.spent >= self.budget


def enrich_one(work: Enrichment) -> Outcome:
    """Ask the model about the oldest job that waits for it."""
    bench, store = work.bench, work.bench.store
    if not store.jobs.is_due(bench.clock(), is_read=True):
        return Outcome.IDLE
    with store.transaction(is_lasting=False):
        jobs = store.jobs.claim(bench.clock(), 1, is_read=True)
    if not jobs:
        return Outcome.IDLE
    (job,) = jobs
    processing.tell_depth(bench)
    try:
        failure = _enrich(work, job)
    except processing.STORE_ERRORS:
        raise  # nobody's failure: the claim goes stale and is given back
    except Exception as error:  # noqa: BLE001 - a fault of ours becomes a state of the job
        processing.fail(bench, job, error, "processing")
        processing.tell_result(bench, job, made_by=AGENT, is_success=False)
        failure = None
    processing.tell_depth(bench)
    if job.session_number not in store.jobs.busy_sessions():
        processing.tell_session(bench, job.session_number, "idle")
    is_outage = failure is not None and failure.context.get("error_class") in PASSING
    return Outcome.OUTAGE if is_outage else Outcome.DONE


def standing(store: Store, budget: int | None, *, now: int) -> Standing:
    name = _today(now)
    return Standing(store.operations.counters(name).get(name, 0), budget)


def _enrich(work: Enrichment, job: Job) -> ProviderFailed | None:
    bench, began = work.bench, work.bench.clock()
    happened = processing.event_of(bench.store, job)
    written: Written[Portrait] | Written[Recap]
    if happened is None or job.memory_id is None:
        written = Written()
    elif standing(bench.store, work.budget, now=began).is_spent:
        written = Written(counts=Counter({scribe.FALLBACK: 1}))
    elif isinstance(happened, TurnEnd):
        written = _recap(work, job, happened)
    else:
        written = _portrait(work, job, happened)
    asked_at = bench.clock()
    _store(work, job, written, model_ms=max(asked_at - began, 0))
    return written.failure


def _portrait(work: Enrichment, job: Job, use: ToolUse) -> Written[Portrait]:
    written = _scribe(work).portrait(use, job.prompt_number)
    if written.made is not None and not (written.made.files_read or written.made.files_modified):
        # Which files a tool was given is known better by rules than by a model that names none.
        known = work.bench.reader.portrait(use)
        written.made = replace(
            written.made, files_read=known.files_read, files_modified=known.files_modified
        )
    return written


def _recap(work: Enrichment, job: Job, end: TurnEnd) -> Written[Recap]:
    store = work.bench.store
    assert job.memory_id is not None
    known = store.portraits.recaps_of([job.memory_id]).get(job.memory_id)
    done = [
        memory.title or memory.text
        for memory in store.memories.of_session(job.session_id)
        if memory.kind is Kind.OBSERVATION and memory.prompt_number == job.prompt_number
    ]
    written = _scribe(work).recap(end, known.recap.request if known else "", done[-30:])
    if written.made is not None and known is not None:
        files = known.recap
        written.made = replace(
            written.made, files_read=files.files_read, files_edited=files.files_edited
        )
    return written


def _scribe(work: Enrichment) -> Scribe:
    bench = work.bench

    def may_go_on(spent: int) -> bool:
        found = standing(bench.store, work.budget, now=bench.clock())
        return found.budget is None or found.spent + spent < found.budget

    return Scribe(provider=work.provider, repairs=work.repairs, may_go_on=may_go_on)


def _store(
    work: Enrichment, job: Job, written: Written[Portrait] | Written[Recap], *, model_ms: int
) -> None:
    bench, store = work.bench, work.bench.store
    with store.transaction():
        at = bench.clock()
        if written.tokens:
            store.operations.count({_today(at): written.tokens})
        if not store.jobs.finish(
            job, memory_id=job.memory_id, at=at, model_ms=model_ms, index_ms=0
        ):
            return  # it was given to somebody else, or removed: this answer is nobody's
        # Asked again, because while the model was thinking it may have been purged.
        # What a person has said otherwise meanwhile stays as it is.
        if (
            job.memory_id is not None
            and processing.event_of(store, job) is not None
            and not _is_by_hand(store, job.memory_id)
        ):
            made_by = work.provider.name
            match written.made:
                case Portrait() as portrait:
                    store.portraits.paint(job.memory_id, portrait, made_by=made_by, at=at)
                case Recap() as recap:
                    store.portraits.recap(job.memory_id, recap, made_by=made_by, at=at)
        kind = COUNTED[job.task]
        store.operations.count({f"{kind}.{name}": n for name, n in written.counts.items()})
        if written.failure is not None:
            _note(store, job, written.failure, at)
    processing.tell_result(bench, job, made_by=AGENT, is_success=True)


def _is_by_hand(store: Store, memory_id: int) -> bool:
    painted = store.portraits.of([memory_id]).get(memory_id)
    recapped = store.portraits.recaps_of([memory_id]).get(memory_id)
    return any(made is not None and made.made_by == BY_HAND for made in (painted, recapped))


def _note(store: Store, job: Job, failure: ProviderFailed, at: int) -> None:
    store.jobs.note_failure(
        Failure(
            at=at,
            job_id=job.id,
            session_number=job.session_number,
            task=job.task,
            error_class=str(failure.context.get("error_class", "unknown")),
            error=failure.message,
        ),
        most=MOST_FAILURES,
    )


def _today(now: int) -> str:
    return f"{SPENT}{datetime.fromtimestamp(now // SECOND, UTC).date().isoformat()}"
