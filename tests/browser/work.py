"""A worker's past as the operations panel tells it: searches, work that ended, what failed."""

from __future__ import annotations

from contract.world import HOUR, MINUTE, SECOND, World
from recollect.model.job import Failure, Task
from recollect.model.session import Session
from recollect.store.port.operations import Trace
from recollect.wiring import House

LATELY = 12
"""Searches within the last hour; more than a list shows at first."""
HOSTILE = '"><img src=x onerror="alert(\'ops\')"><b>bold</b>'
ERROR = "the provider did not answer within 30 s\nwhile reading message 4"


def fill_operations(world: World, *, text: str = "token refresh") -> None:
    """`text` is in every search, error and name of a project."""
    house = world.house()
    now = world.now
    with house.store.transaction():
        _searches(house, now, text)
        for session, number in (("ops-1", 3), ("ops-2", 2)):
            house.store.sessions.begin(
                Session(id=session, project=text, platform="http", started_at=now - HOUR)
            )
            for each in range(number):
                _job(house, session, at=now - (10 + each) * MINUTE, took=40 + 10 * each)
        failed = _job(house, "ops-2", at=now - 9 * MINUTE, took=None)
        _failures(house, failed, now, text)
    house.close()


def _searches(house: House, now: int, text: str) -> None:
    counts = {"observations": 3, "sessions": 1, "prompts": 0}
    hits = {
        "sqliteObservations": 5,
        "chromaObservations": 0,
        "chromaSummaries": 0,
        "chromaPrompts": 0,
    }
    detail = {"limit": 20, "offset": 0, "lexicalCounts": counts, "vectorHits": hits}
    times = [now - (5 + 4 * each) * MINUTE for each in range(LATELY)] + [now - 3 * HOUR]
    for place, at in enumerate(sorted(times)):
        trace = Trace(
            at=at,
            query=f"{text} {place}",
            project=None if place % 3 else text,
            mode="hybrid" if place % 2 else "lexical-only",
            took_ms=4.5 + place,
            detail={**detail, "resultCounts": counts},
        )
        house.store.operations.trace(trace, most=1000)


def _failures(house: House, job: int, now: int, text: str) -> None:
    number = house.store.sessions.numbers({"ops-2"})["ops-2"]
    for back, error_class in ((9, "timeout"), (8, "timeout"), (7, "network")):
        failure = Failure(
            at=now - back * MINUTE,
            job_id=job,
            session_number=number,
            task=Task.OBSERVATION,
            error_class=error_class,
            error=f"{ERROR}: {text}",
        )
        house.store.jobs.note_failure(failure, most=100)


def _job(house: House, session: str, *, at: int, took: int | None) -> int:
    """One that took so long, or was given up; its id."""
    store = house.store
    event_id = store.events.add(
        key=f"{session}-{at}",
        session_id=session,
        project="lantern-api",
        kind="ToolUse",
        at=at,
        document="",
    )
    assert event_id is not None
    job_id = store.jobs.add(
        session_id=session,
        event_id=event_id,
        task=Task.OBSERVATION,
        prompt_number=1,
        dedupe_key=None,
        at=at,
    )
    assert job_id is not None
    (job,) = store.jobs.claim(at + SECOND, 1, is_read=False, upto=job_id)
    if took is None:
        store.jobs.fail(job, at=at + 2 * SECOND, due_at=None)
    else:
        store.jobs.finish(
            job, memory_id=None, at=at + SECOND + took, model_ms=took // 2, index_ms=5
        )
    return job_id
