"""Jobs: claimed once, in order, given back, tried again, counted."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

from recollect.model.job import Depth, Job, State, Task
from recollect.model.session import Session
from recollect.store.port.jobs import Timing
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from store.conftest import NOW
from store.drafts import draft, put


def accept(
    store: Store,
    count: int = 1,
    *,
    session: str = "s1",
    dedupe_key: str | None = None,
    task: Task = Task.OBSERVATION,
    at: int = NOW,
) -> list[int | None]:
    """So many jobs of a session, each of an event of its own."""
    with store.transaction():
        store.sessions.begin(Session(id=session, project="alpha", platform="http", started_at=NOW))
        return [
            store.jobs.add(
                session_id=session,
                event_id=_event(store, session),
                task=task,
                prompt_number=1,
                dedupe_key=dedupe_key,
                at=at,
            )
            for _ in range(count)
        ]


NUMBERS = itertools.count()


def _event(store: Store, session: str) -> int:
    event_id = store.events.add(
        key=f"event-{next(NUMBERS)}",
        session_id=session,
        project="alpha",
        kind="ToolUse",
        at=NOW,
        document="{}",
    )
    assert event_id is not None
    return event_id


def claim(
    store: Store, limit: int = 10, *, at: int = NOW, is_read: bool = False, **upto: int
) -> list[Job]:
    with store.transaction():
        return store.jobs.claim(at, limit, is_read=is_read, **upto)


def finish(store: Store, job: Job, *, at: int = NOW) -> bool:
    with store.transaction():
        return store.jobs.finish(job, memory_id=None, at=at, model_ms=1, index_ms=2)


def ids(jobs: list[Job]) -> list[int]:
    return [job.id for job in jobs]


def test_the_oldest_are_claimed_first_and_nobody_gets_them_twice(store: Store) -> None:
    accept(store, 5)
    assert ids(claim(store, 2)) == [1, 2]
    assert ids(claim(store, 2)) == [3, 4]
    assert ids(claim(store, 2)) == [5]
    assert claim(store) == []
    assert store.jobs.depth() == Depth(processing=5)


def test_whoever_reads_what_waits_now_leaves_what_comes_later(store: Store) -> None:
    accept(store, 2)
    newest = store.jobs.newest()
    accept(store, 2)
    assert store.jobs.is_due(NOW, is_read=False, upto=newest)
    assert ids(claim(store, upto=newest)) == [1, 2]
    assert not store.jobs.is_due(NOW, is_read=False, upto=newest)
    assert store.jobs.is_due(NOW, is_read=False)


def test_one_key_of_a_task_is_one_job_of_a_session(store: Store) -> None:
    assert accept(store, dedupe_key="k") != [None]
    assert accept(store, dedupe_key="k") == [None]
    assert accept(store, dedupe_key="k", task=Task.SUMMARIZE) != [None]
    assert accept(store, dedupe_key="k", session="s2") != [None]
    assert store.jobs.has("s1", Task.OBSERVATION, "k")
    assert not store.jobs.has("s2", Task.SUMMARIZE, "k")


def test_a_claim_that_was_given_back_ends_nothing(store: Store) -> None:
    accept(store)
    (late,) = claim(store)
    with store.transaction():
        assert store.jobs.release(NOW + 1) == 1
    (holder,) = claim(store)

    assert holder.claimed_at == NOW + 1, "later than the claim before, whatever the clock says"
    assert not finish(store, late)
    with store.transaction():
        assert not store.jobs.fail(late, at=NOW, due_at=None)
    assert store.jobs.depth() == Depth(processing=1)
    assert finish(store, holder)
    assert not finish(store, holder), "it has ended"
    assert store.jobs.depth() == Depth()


def test_only_what_was_claimed_before_is_given_back(store: Store) -> None:
    accept(store, 2)
    claim(store, 1)
    claim(store, 1, at=NOW + 10)
    assert store.jobs.is_stale(NOW + 1)
    assert not store.jobs.is_stale(NOW)
    with store.transaction():
        assert store.jobs.release(NOW + 10) == 1
    assert ids(claim(store, at=NOW + 20)) == [1]


def test_the_claims_of_one_session_are_given_back_alone(store: Store) -> None:
    accept(store, session="s1")
    accept(store, session="s2")
    claim(store)
    with store.transaction():
        assert store.jobs.release(NOW + 1, 2) == 1
    assert store.jobs.depth(1) == Depth(processing=1)
    assert store.jobs.depth(2) == Depth(pending=1)
    assert store.jobs.busy_sessions() == {1, 2}


def test_what_failed_waits_for_its_time_and_then_for_somebody_to_ask(store: Store) -> None:
    accept(store)
    (job,) = claim(store)
    with store.transaction():
        assert store.jobs.fail(job, at=NOW, due_at=NOW + 5)
    assert claim(store, at=NOW + 4) == []
    (job,) = claim(store, at=NOW + 5)
    assert (job.tries, job.state) == (1, State.PROCESSING)
    with store.transaction():
        assert store.jobs.fail(job, at=NOW + 6, due_at=None)
    assert claim(store, at=NOW + 1_000) == []
    assert store.jobs.depth() == Depth(failed=1)
    assert store.jobs.busy_sessions() == set()

    with store.transaction():
        assert store.jobs.retry(7, at=NOW) == 0
        assert store.jobs.retry(1, at=NOW + 2_000) == 1
    (job,) = claim(store, at=NOW + 2_000)
    assert job.tries == 0


def test_of_what_rules_have_read_a_session_goes_in_order(store: Store) -> None:
    accept(store, 2, session="s1")
    accept(store, 1, session="s2")
    memory_id = _memory(store)
    jobs = claim(store)
    with store.transaction():
        assert all(store.jobs.read(job, memory_id) for job in jobs)
    assert not store.jobs.is_due(NOW, is_read=False)
    assert claim(store) == []

    (first,) = claim(store, 1, is_read=True)
    assert first.memory_id == memory_id
    assert ids(claim(store, is_read=True)) == [3], "s1 waits for its first, s2 for nobody"
    finish(store, first)
    assert ids(claim(store, is_read=True)) == [2]


def _memory(store: Store) -> int:
    (memory,) = put(store, draft("make"))
    return memory.id


def test_means_are_of_all_that_ended(store: Store) -> None:
    accept(store, 2)
    jobs = claim(store, at=NOW + 10)
    for job, took in zip(jobs, (4, 8), strict=True):
        finish(store, job, at=NOW + 10 + took)
    means = store.jobs.means(Timing())
    assert (means.count, means.successes) == (2, 2)
    assert (means.queue_wait, means.total) == (10, 6)


def test_many_claimers_share_what_there_is(tmp_path: Path) -> None:
    """Each as a process would: a store of its own over the same file."""
    path = str(tmp_path / "r.db")
    stores = [SqliteStore(path, key=None, clock=lambda: NOW) for _ in range(4)]
    accept(stores[0], 200)
    got: list[list[int]] = [[] for _ in stores]

    def take(number: int) -> None:
        while jobs := claim(stores[number], 7):
            got[number] += ids(jobs)

    threads = [threading.Thread(target=take, args=(n,)) for n in range(len(stores))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in stores:
        each.close()

    assert sorted(itertools.chain(*got)) == list(range(1, 201))
