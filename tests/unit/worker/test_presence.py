"""One worker per store, and how it is found."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.model.worker_errors import WorkerRunning
from recollect.worker.address import find_address, is_alive
from recollect.worker.presence import Presence, claim, find

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLDER = """
import sys
from recollect.worker.presence import Presence, claim
held = claim(sys.argv[1])
held.announce(Presence(pid=0, host="::1", port=4321, version="0", started_at=1, store="s"))
print("held", flush=True)
sys.stdin.read()
held.release()
"""


@pytest.fixture
def worker_file(tmp_path: Path) -> str:
    return str(tmp_path / "new" / "store.db-worker.json")


def _here(port: int = 1234) -> Presence:
    return Presence(
        pid=os.getpid(), host="127.0.0.1", port=port, version="1", started_at=5, store="/s"
    )


@contextlib.contextmanager
def held_by_another(worker_file: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, worker_file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_worker_is_found_while_it_holds_its_claim(worker_file: str) -> None:
    assert (find(worker_file), find_address(worker_file)) == (None, None)

    held = claim(worker_file)
    assert (find(worker_file), find_address(worker_file)) == (None, None), "it does not listen yet"
    assert is_alive(worker_file)
    held.announce(_here())
    assert (find(worker_file), find_address(worker_file)) == (_here(), ("127.0.0.1", 1234))

    held.release()
    assert (find(worker_file), find_address(worker_file)) == (None, None)
    assert not os.path.exists(worker_file)


def test_only_its_owner_can_read_what_a_worker_tells(worker_file: str) -> None:
    held = claim(worker_file)
    held.announce(_here())

    folder = os.path.dirname(worker_file)
    modes = {name: stat.S_IMODE(os.stat(f"{folder}/{name}").st_mode) for name in os.listdir(folder)}

    assert modes == {"store.db-worker.json": 0o600, "store.db-worker.lock": 0o600}
    held.release()


def test_a_second_worker_is_told_who_holds_the_store(worker_file: str) -> None:
    with held_by_another(worker_file), pytest.raises(WorkerRunning) as refused:
        claim(worker_file)

    assert refused.value.message == (
        "this store has a worker already: process 0, listening on http://[::1]:4321"
    )
    assert refused.value.context == {"pid": 0, "host": "::1", "port": 4321}


def test_a_worker_that_still_starts_holds_the_store_too(worker_file: str) -> None:
    held = claim(worker_file)

    with pytest.raises(WorkerRunning, match="it is just starting"):
        claim(worker_file)
    held.release()


def test_what_a_killed_worker_left_behind_means_nothing(worker_file: str) -> None:
    with held_by_another(worker_file) as process:
        process.send_signal(signal.SIGKILL)
        process.wait(5)

        assert os.path.exists(worker_file)
        assert (find(worker_file), find_address(worker_file)) == (None, None)

        held = claim(worker_file)
        assert not os.path.exists(worker_file), "it would name the dead worker"
        held.announce(_here())
        assert find(worker_file) == _here()
        held.release()


def test_looking_for_a_worker_does_not_keep_one_from_starting(worker_file: str) -> None:
    claim(worker_file).release()
    program = """
import sys
from recollect.worker.address import is_alive
print("looking", flush=True)
while True:
    is_alive(sys.argv[1])
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, worker_file],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as looker:
        assert looker.stdout is not None
        looker.stdout.readline()
        for _ in range(20):
            claim(worker_file).release()
        looker.kill()


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("", "empty"),
        ("{", "cut short"),
        ("[]", "another thing"),
        ('{"pid": 1}', "fields are missing"),
    ],
)
def test_a_file_that_is_not_ours_means_nothing(worker_file: str, text: str, because: str) -> None:
    held = claim(worker_file)
    with open(worker_file, "w") as file:
        file.write(text)

    assert find(worker_file) is None
    held.release()
