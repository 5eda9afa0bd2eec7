"""A worker that is killed or stopped under load: what it acknowledged is there, and there once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchmarks import workers
from benchmarks.clients import Crowd, stored
from benchmarks.home import Home

from promises import last, promise

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120


def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "RECOLLECT_EMBEDDER": "none",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


@promise("codexmem:queue:crash")
def test_a_worker_that_is_killed_under_load_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Short rounds of the benchmark; `make bench` plays two hundred."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.durability.worker_kill"),
            *("--rounds", "4", "--clients", "8", "--results", str(tmp_path)),
        ],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result: dict[str, Any] = json.loads((tmp_path / "worker_kill.json").read_text("utf-8"))
    (row,) = result["tables"]["a worker is killed under load"]
    assert (row["kills"], row["lost"], row["doubled"], row["unsound"]) == (4, 0, 0, 0)
    assert 0 < row["acknowledged"] <= row["stored"] <= row["sent"]


@promise("codexmem:queue:stop")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_stopped_under_load_ends_in_time_and_loses_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    home = Home(tmp_path, {"RECOLLECT_EMBEDDER": "none"})
    crowd = Crowd(home, 8)
    worker = workers.start(home)
    try:
        threads = crowd.post_until(lambda: False)
        while not all(crowd.next_numbers[client] > 3 for client in range(8)):
            assert worker.poll() is None
        began = time.monotonic()
        worker.send_signal(number)
        said, _ = worker.communicate(timeout=10)
        took = time.monotonic() - began
    finally:
        worker.kill()
        worker.communicate()
    for thread in threads:
        thread.join(PATIENCE)

    assert (worker.returncode, said[-26:]) == (0, b"stopped; nothing was lost\n"), said
    assert took < 2
    texts = stored(home)
    assert {event.text for event in crowd.acknowledged} - set(texts) == set()
    assert set(texts.values()) == {1}


DYING = """
import os, signal, sys
from pathlib import Path
from contract.codexmem.told import told_of
from contract.world import NOW, World
from recollect.llm.rules import Rules

when = sys.argv[2]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class Reader(Rules):
    def portrait(self, use):
        if when == "reading" and "3" in use.input["command"]:
            die()
        return super().portrait(use)

told = told_of(World(Path(sys.argv[1]), NOW), Reader())
for number in range(6):
    told.bash(f"echo {number}")

def on_news():
    newest = told.house.notices.after(told.house.notices.newest() - 1)[0]
    if when == "claimed" and newest.facts.get("processing"):
        die()
    if when == "ended" and newest.topic == "model.result":
        die()

with told.house.notices.listening(on_news):
    told.house.catch_up()
"""

MOMENTS = [
    # when        read then       because
    ("claimed", 0, "between the claim and its outcome nothing is read"),
    ("reading", 0, "an outcome is all or nothing"),
    ("ended", 6, "what was committed is not read again"),
]


@promise("codexmem:queue:crash")
@pytest.mark.parametrize(("when", "count", "because"), MOMENTS, ids=last)
def test_a_worker_that_dies_while_it_reads_is_followed_by_one_that_goes_on(
    tmp_path: Path, when: str, count: int, because: str
) -> None:
    from contract.codexmem.told import told_of
    from contract.world import NOW, World

    died = subprocess.run(
        [sys.executable, "-c", DYING, str(tmp_path), when],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr

    told = told_of(World(tmp_path, NOW))
    assert len(told.memories()) == count
    told.house.catch_up()
    assert Counter(told.texts()) == Counter(f"echo {number}" for number in range(6))
    assert told.house.store.jobs.depth().open == 0
    told.house.close()
