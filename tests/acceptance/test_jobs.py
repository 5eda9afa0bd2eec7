"""`recollect jobs`, and what `status` and `doctor` say of queued work."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.stumbling import stumbling
from contract.world import MINUTE, NOW, World

WHY = "failed — job 1 (observation of session 1): processing, fault: ZeroDivisionError"


@pytest.fixture
def failed(tmp_path: Path) -> World:
    """A store in which reading a command failed three times."""
    world = World(tmp_path, NOW)
    house = stumbling(world, "make lantern")
    for _ in range(3):
        house.catch_up()
        world.now += 2 * MINUTE
    house.close()
    return world


def test_what_failed_is_named_and_can_be_tried_again(failed: World) -> None:
    queue = "queue — 0 waiting, 0 under way, 1 failed"
    assert failed.run("jobs").stdout.splitlines() == [queue, WHY]
    status = failed.run("status").stdout.splitlines()
    assert status[status.index(queue) + 1] == WHY
    assert "[]" in failed.run("search", "lantern").stdout

    doctor = failed.run("doctor")
    assert doctor.returncode == 1
    assert queue in doctor.stdout.splitlines()
    assert (
        "problem — 1 jobs failed, the newest: job 1 (observation of session 1): processing, "
        "fault: ZeroDivisionError; `recollect jobs --retry` gives them another try"
    ) in doctor.stdout.splitlines()

    again = failed.run("jobs", "--retry")
    assert again.stderr == "nmem: 1 failed jobs wait for another try\n"
    assert "0 failed" in again.stdout
    assert "make lantern" in failed.run("search", "lantern").stdout
    assert failed.run("doctor").returncode == 0


def test_only_the_asked_session_is_tried_again(failed: World) -> None:
    other = failed.run("jobs", "--retry", "--session", "2")
    assert other.stderr == "nmem: 0 failed jobs wait for another try\n"
    assert other.stdout == "queue — 0 waiting, 0 under way, 0 failed\n"
    assert "1 failed" in failed.run("jobs", "--session", "1").stdout


def test_without_a_store_there_is_nothing_to_tell(tmp_path: Path) -> None:
    told = World(tmp_path, NOW).run("jobs")
    assert (told.returncode, told.stdout) == (1, "")
    assert "database not found" in told.stderr
