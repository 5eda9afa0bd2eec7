"""The queue: accepted is on disk, read once, tried again, and given up where it can be seen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Home
from contract.codexmem.told import OBSERVATIONS, Told, told_of
from contract.world import NOW, SECOND, World
from promises import promise
from recollect.llm.rules import Rules
from recollect.model.errors import StoreBusy
from recollect.model.event import ToolUse
from recollect.model.job import Depth, Task
from recollect.model.memory import Draft
from recollect.service import observe, processing
from recollect.store.port.jobs import Timing
from recollect.store.sqlite.store import SqliteStore

QUEUED = {"status": "queued"}


class Moody(Rules):
    """Reads as rules do, unless it is in the mood for something else."""

    def __init__(self) -> None:
        self.moods: dict[str, Exception] = {}
        self.read: list[str] = []

    def observation(self, use: ToolUse) -> Draft:
        draft = super().observation(use)
        self.read.append(draft.text)
        if draft.text in self.moods:
            raise self.moods[draft.text]
        return draft


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, NOW)


@pytest.fixture
def reader() -> Moody:
    return Moody()


@pytest.fixture
def told(world: World, reader: Moody) -> Iterator[Told]:
    told = told_of(world, reader)
    yield told
    told.house.close()


def depth(told: Told) -> Depth:
    return told.house.store.jobs.depth()


@promise("codexmem:queue:accepted")
def test_what_was_accepted_is_on_disk_and_not_read_yet(told: Told, world: World) -> None:
    assert told.bash("make") == QUEUED
    assert (depth(told), told.texts()) == (Depth(pending=1), [])

    # Another process sees what is committed, and nothing else.
    other = SqliteStore(world.settings.store, key=None, clock=lambda: NOW)
    assert other.jobs.depth() == Depth(pending=1)
    other.close()

    assert told.house.catch_up() == 1
    assert (depth(told), told.texts()) == (Depth(), ["make"])


@promise("codexmem:queue:accepted")
def test_what_a_door_without_a_worker_reads_is_found_and_ended_by_the_worker(world: World) -> None:
    worker = told_of(world)
    worker.bash("make")
    worker.house.close()

    door = world.house()
    assert [memory.text for memory in door.store.memories.of_session("s1")] == ["make"]
    assert door.store.jobs.depth() == Depth(pending=1), "a model of the worker may look at it"
    door.close()

    worker = told_of(world)
    worker.house.catch_up()
    assert (depth(worker), worker.texts()) == (Depth(), ["make"])
    worker.house.close()


@promise("codexmem:queue:order")
def test_jobs_are_read_in_the_order_in_which_they_were_accepted(told: Told) -> None:
    commands = [f"echo {number}" for number in range(3 * processing.BATCH)]
    for number, command in enumerate(commands):
        told.bash(command, f"s{number % 3}")
    assert told.house.catch_up() == len(commands)
    made = sorted((each.id, each.text) for n in range(3) for each in told.memories(f"s{n}"))
    assert [text for _, text in made] == commands


@promise("codexmem:queue:retry")
def test_a_job_that_fails_is_tried_three_times_and_takes_no_other_with_it(
    told: Told, world: World, reader: Moody
) -> None:
    reader.moods["bad"] = RuntimeError("quotes what it must not")
    for command in ("before", "bad", "after"):
        told.bash(command)

    told.house.catch_up()
    assert told.texts() == ["before", "after"]
    assert depth(told) == Depth(pending=1)

    told.house.catch_up()
    assert reader.read.count("bad") == 2, "in the batch, then alone; and not before its time"
    for pause in processing.PAUSES[:2]:
        assert depth(told) == Depth(pending=1)
        world.now += pause
        told.house.catch_up()
    assert depth(told) == Depth(failed=1)

    failures = told.house.store.jobs.failures(Timing(), limit=None)
    assert {each.error for each in failures} == {"fault: RuntimeError"}
    assert len(failures) == processing.MOST_TRIES


@promise("codexmem:queue:retry")
def test_a_failed_job_can_be_tried_anew(told: Told, world: World, reader: Moody) -> None:
    reader.moods["bad"] = RuntimeError()
    told.bash("bad")
    for pause in (0, *processing.PAUSES[:2]):
        world.now += pause
        told.house.catch_up()
    assert depth(told) == Depth(failed=1)
    reader.moods.clear()

    with told.house.store.transaction():
        assert told.house.store.jobs.retry(None, at=world.now) == 1
    told.house.catch_up()

    assert (depth(told), told.texts()) == (Depth(), ["bad"])


@promise("codexmem:queue:retry")
def test_a_store_that_is_busy_is_nobodys_failure(told: Told, reader: Moody) -> None:
    reader.moods["make"] = StoreBusy("held by somebody")
    told.bash("make")
    assert isinstance(told.house.try_to_catch_up(), StoreBusy)
    assert depth(told) == Depth(pending=1)
    assert told.house.store.jobs.failures(Timing(), limit=None) == []

    reader.moods.clear()
    told.house.catch_up()
    assert (depth(told), told.texts()) == (Depth(), ["make"])


@promise("codexmem:queue:crash")
def test_what_was_claimed_when_the_worker_died_is_read_by_the_next(world: World) -> None:
    dying = told_of(world)
    dying.bash("make")
    with dying.house.store.transaction():
        assert len(dying.house.store.jobs.claim(NOW, 10, is_read=False)) == 1
    dying.house.close()

    told = told_of(world)
    told.house.catch_up()
    assert (depth(told), told.texts()) == (Depth(), ["make"])
    told.house.close()


@promise("codexmem:queue:crash")
def test_what_was_read_and_not_ended_when_the_worker_died_is_one_memory(
    world: World, told: Told
) -> None:
    told.bash("make")
    store = told.house.store
    with store.transaction():
        (job,) = store.jobs.claim(NOW, 10, is_read=False)
    happened = processing.event_of(store, job)
    assert isinstance(happened, ToolUse)
    with store.transaction():
        observe.read(
            store, Rules(), happened, event_id=job.event_id, prompt_id=None, prompt_number=0
        )

    again = told_of(world)
    again.house.catch_up()
    assert (depth(again), again.texts()) == (Depth(), ["make"])
    again.house.close()


@promise("codexmem:queue:stale")
def test_a_claim_that_grew_old_is_given_back_by_whoever_comes_by(told: Told, world: World) -> None:
    told.bash("make")
    with told.house.store.transaction():
        told.house.store.jobs.claim(NOW, 10, is_read=False)

    world.now += told.house.bench.stale_ms
    told.house.catch_up()
    assert depth(told) == Depth(processing=1), "its holder may still be at work"

    world.now += 1
    assert told.house.is_behind()
    told.house.catch_up()
    assert (depth(told), told.texts()) == (Depth(), ["make"])


@promise("codexmem:queue:stale")
def test_how_old_a_claim_may_grow_can_be_chosen(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"CODEXMEM_STALE_PROCESSING_MS": "1500"})
    told = told_of(world)
    assert told.house.bench.stale_ms == 1500
    told.house.close()


@promise("codexmem:queue:told")
def test_what_happens_to_a_job_is_told_in_order(told: Told) -> None:
    told.prompt("go")
    told.bash("make")
    told.house.catch_up()
    told.complete()

    notices = [(each.topic.value, dict(each.facts)) for each in told.house.notices.after(0)]

    def queue(pending: int, processing: int) -> tuple[str, dict[str, object]]:
        counts = {"pending": pending, "processing": processing, "failed": 0}
        return "queue.depth", {**counts, "queueDepth": pending + processing}

    def session(status: str) -> tuple[str, dict[str, object]]:
        return "session.status", {"sessionDbId": 1, "status": status}

    result = {"sessionDbId": 1, "messageType": "observation", "status": "success"}
    assert notices == [
        session("active"),
        queue(1, 0),
        session("active"),
        queue(0, 1),
        ("model.result", {**result, "model": "openai"}),
        queue(0, 0),
        session("idle"),
        queue(0, 0),
        session("completed"),
    ]


@promise("codexmem:queue:timings")
def test_a_job_remembers_when_it_was_accepted_claimed_and_ended(told: Told, world: World) -> None:
    told.bash("make")
    world.now += 3 * SECOND
    told.house.catch_up()
    (job,) = told.house.store.jobs.ended(Timing(), limit=None)
    assert (job.task, job.created_at, job.claimed_at) == (Task.OBSERVATION, NOW, NOW + 3 * SECOND)
    assert job.finished_at == NOW + 3 * SECOND
    assert (job.model_ms, job.index_ms, job.tries) == (0, 0, 0)


@promise("codexmem:queue:soon")
def test_a_worker_reads_what_it_accepted_without_being_asked(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.worker(RECOLLECT_EMBEDDER="none") as worker:
        home.wait_until_ready()
        body = {"contentSessionId": "s1", "tool_name": "Bash", "cwd": "/code/alpha"}
        assert home.post(OBSERVATIONS, {**body, "tool_input": {"command": "make"}}) == (200, QUEUED)

        store = SqliteStore(home.store, key=None, clock=lambda: 0)
        deadline = time.monotonic() + 10
        while store.jobs.depth().open:
            assert time.monotonic() < deadline
        (job,) = store.jobs.ended(Timing(), limit=None)
        assert [memory.text for memory in store.memories.of_session("s1")] == ["make"]
        store.close()
        assert job.finished_at is not None
        assert job.finished_at - job.created_at < 5 * SECOND
        worker.terminate()
        assert worker.wait(5) == 0
