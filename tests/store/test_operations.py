"""Traces of searches, failures and counters: the newest are kept, and a purge means them too."""

from __future__ import annotations

from pathlib import Path

import pytest

from promises import last
from recollect.llm.rules import Rules
from recollect.model.job import Failure, Job, Task
from recollect.model.session import Session
from recollect.search.grammar import parse
from recollect.service import operations, retention
from recollect.store.port.jobs import Timing
from recollect.store.port.memories import Filter
from recollect.store.port.operations import Trace, TraceFilter
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from store.drafts import draft, put

DAY = 86_400_000
NOW = 1_790_000_000_000


def test_the_newest_traces_and_failures_stay(store: Store) -> None:
    with store.transaction():
        for number in range(12):
            store.operations.trace(trace(f"q{number}", at=number), most=5)
            store.jobs.note_failure(failure(f"e{number}", at=number), most=5)

    kept = [f"q{number}" for number in (11, 10, 9, 8, 7)]
    assert [each.query for each in store.operations.traces(TraceFilter(), limit=None)] == kept
    kept = [f"e{number}" for number in (11, 10, 9, 8, 7)]
    assert [each.error for each in store.jobs.failures(Timing(), limit=None)] == kept


def test_counters_are_added_to_and_reset_by_prefix(store: Store) -> None:
    with store.transaction():
        store.operations.count({"a.x": 1, "a.y": 2, "b.x": 3})
        store.operations.count({"a.x": 4})
        assert store.operations.counters("a.") == {"a.x": 5, "a.y": 2}
        store.operations.reset("a.")
    assert store.operations.counters("") == {"b.x": 3}


PURGES = [
    # what is purged              searches that stay    failures that stay   because
    (Filter(project="alpha"), ["of beta", "of all"], ["of s2"], "of its project, and no other"),
    (Filter(session_id="s1"), ["of alpha", "of beta", "of all"], ["of s2"], "of its session"),
    (Filter(before=NOW - DAY), ["of beta", "of all"], ["of s2"], "what was before"),
    (Filter(older_than=NOW - DAY), ["of all"], [], "and with this very moment"),
    (Filter(words=parse("ALPHA")), ["of beta", "of all"], ["of s1", "of s2"], "that ask for it"),
    (Filter(words=parse("s2")), ["of alpha", "of beta", "of all"], ["of s1"], "that tell of it"),
    (
        Filter(type="command"),
        ["of alpha", "of beta", "of all"],
        ["of s1", "of s2"],
        "a search has no type",
    ),
]


@pytest.mark.parametrize(("wanted", "searches", "failures", "because"), PURGES, ids=last)
def test_a_purge_means_searches_and_failures_too(
    store: Store, wanted: Filter, searches: list[str], failures: list[str], because: str
) -> None:
    put(
        store,
        draft("make", session_id="s1", project="alpha", created_at=NOW),
        draft("make", session_id="s2", project="beta", created_at=NOW),
    )
    with store.transaction():
        store.operations.trace(trace("of alpha", project="alpha", at=NOW - 2 * DAY), most=9)
        store.operations.trace(trace("of beta", project="beta", at=NOW - DAY), most=9)
        store.operations.trace(trace("of all", project=None, at=NOW), most=9)
        store.jobs.note_failure(failure("of s1", session_number=1, at=NOW - 2 * DAY), most=9)
        store.jobs.note_failure(failure("of s2", session_number=2, at=NOW - DAY), most=9)

    retention.purge(store, Rules(), wanted, at=NOW)

    left = [each.query for each in store.operations.traces(TraceFilter(), limit=None)]
    assert left[::-1] == searches, because
    left = [each.error for each in store.jobs.failures(Timing(), limit=None)]
    assert left[::-1] == failures, because


def test_what_was_searched_for_is_not_left_in_the_file(store: Store, tmp_path: Path) -> None:
    with store.transaction():
        store.operations.trace(trace("the word xylophone42"), most=9)
        store.jobs.note_failure(failure("no xylophone42 there"), most=9)

    retention.purge(store, Rules(), Filter(words=parse("xylophone42")), at=NOW)

    assert all(b"xylophone42" not in path.read_bytes() for path in tmp_path.iterdir())


def test_queued_work_goes_with_what_is_purged_or_swept(store: Store) -> None:
    with store.transaction():
        for session_id, project in (("s1", "alpha"), ("s2", "beta")):
            store.sessions.begin(
                Session(id=session_id, project=project, platform="http", started_at=NOW)
            )
            event_id = queued(store, session_id, project, at=NOW - 2 * DAY)
            assert event_id is not None
    assert store.jobs.depth().pending == 2

    retention.purge(store, Rules(), Filter(project="alpha"), at=NOW)
    assert store.jobs.depth().pending == 1
    (job,) = claimed(store)

    with store.transaction():
        memory = store.memories.add(
            draft(
                "make",
                session_id="s2",
                project="beta",
                created_at=NOW - 2 * DAY,
                event_id=job.event_id,
            )
        )
        summary = draft("built", session_id="s2", project="beta", type="session_summary")
        store.memories.add(summary)  # nobody needs the session whole any more
        store.jobs.finish(job, memory_id=memory.id, at=NOW, model_ms=0, index_ms=0)
    assert len(store.jobs.ended(Timing(), limit=None)) == 1
    retention.sweep(store, {"command": 1}, now=NOW)
    assert store.jobs.ended(Timing(), limit=None) == []


def test_each_worker_numbers_its_notices_after_the_former_ones(store: Store) -> None:
    first = [operations.first_notice(store) for _ in range(3)]
    assert first == [1, 1 + operations.NOTICES_OF_A_RUN, 1 + 2 * operations.NOTICES_OF_A_RUN]


def test_a_store_that_cannot_be_written_has_a_worker_all_the_same(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "busy.db"), key=None, clock=lambda: NOW, patience_ms=50)
    other = SqliteStore(str(tmp_path / "busy.db"), key=None, clock=lambda: NOW)
    first = operations.first_notice(store)
    with other.transaction():
        assert operations.first_notice(store) == first
    other.close()
    store.close()


def test_all_that_ended_is_read_page_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "PAGE", 2)
    ends = [NOW, NOW + 1, NOW, NOW + 1, NOW, NOW, NOW - 1]
    with store.transaction():
        for number, _ in enumerate(ends):
            store.sessions.begin(
                Session(id=f"s{number}", project="alpha", platform="http", started_at=NOW)
            )
            queued(store, f"s{number}", "alpha", at=NOW - DAY)
    for job, end in zip(claimed(store), ends, strict=True):
        with store.transaction():
            store.jobs.finish(job, memory_id=None, at=end, model_ms=0, index_ms=0)

    assert [job.id for job in operations.ended(store, Timing())] == [4, 2, 6, 5, 3, 1, 7]
    until = Timing(until=NOW)
    assert [job.id for job in operations.ended(store, until)] == [6, 5, 3, 1, 7]
    assert list(operations.ended(store, Timing(session_number=99))) == []


def queued(store: Store, session_id: str, project: str, at: int) -> int | None:
    event_id = store.events.add(
        key=f"of {session_id}",
        session_id=session_id,
        project=project,
        kind="ToolUse",
        at=at,
        document="{}",
    )
    assert event_id is not None
    return store.jobs.add(
        session_id=session_id,
        event_id=event_id,
        task=Task.OBSERVATION,
        prompt_number=1,
        dedupe_key=None,
        at=at,
    )


def claimed(store: Store) -> list[Job]:
    with store.transaction():
        return store.jobs.claim(NOW, 9, is_read=False)


def trace(query: str, *, project: str | None = None, at: int = NOW) -> Trace:
    return Trace(at=at, query=query, project=project, mode="hybrid", took_ms=1.0, detail={})


def failure(error: str, *, session_number: int = 1, at: int = NOW) -> Failure:
    return Failure(
        at=at,
        job_id=1,
        session_number=session_number,
        task=Task.OBSERVATION,
        error_class="processing",
        error=error,
    )
