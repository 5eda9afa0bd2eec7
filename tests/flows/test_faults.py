"""Faults of the world around us: nothing is lost, nobody waits, and the store is sound afterwards.

Real processes, as a client starts them. Each test ends by putting the fault right and counting.
"""

from __future__ import annotations

import errno
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from sqlcipher3 import dbapi2 as sqlite

from commands import Home
from power import Disk
from recollect import settings as configuration
from recollect import wiring
from recollect.capture import spool
from recollect.cli.wires import hook_command
from recollect.model.errors import StoreFull
from recollect.service import health

PATIENCE = 60
DAY = 24 * 3600 * 1_000
"""Milliseconds, as events have them; names in the spool have nanoseconds."""
MILLISECOND = 1_000_000


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def settings_of(home: Home) -> configuration.Settings:
    return configuration.load(home.environment(), db=home.store)


def event(number: int, **fields: object) -> bytes:
    host = {
        "session_id": "s1",
        "cwd": "/code/shop",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": f"use-{number}",
        "tool_input": {"command": f"echo fault {number}"},
        "tool_response": {"stdout": f"{number}", "stderr": ""},
    }
    return json.dumps({**host, **fields}).encode()


START = event(0, hook_event_name="SessionStart", source="startup", session_id="s2")


def hook(
    home: Home,
    blob: bytes,
    *,
    wired: bool = True,
    before: Callable[[], None] | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """The hook as it is wired; without `wired` its exit code tells the truth."""
    command = [*hook_command("record", "--exit-zero", "--db", home.store)]
    if not wired:
        command.remove("--exit-zero")
    done = subprocess.run(
        command,
        input=blob,
        capture_output=True,
        env=home.environment(),
        preexec_fn=before,
        cwd=cwd,
        check=False,
        timeout=PATIENCE,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def remembered(home: Home) -> list[str]:
    """The commands in a store that is sound, drained, and has a row of the index for every row."""
    house = wiring.open_house(settings_of(home))
    house.catch_up()
    diagnosis = health.diagnose(house.store)
    memories = [
        memory
        for session in house.store.sessions.ids()
        for memory in house.store.memories.of_session(session)
    ]
    house.close()
    assert diagnosis.problems == ()
    assert diagnosis.counts.words == diagnosis.counts.memories == len(memories)
    assert (
        spool.waiting(settings_of(home).spool_dir),
        spool.quarantined(settings_of(home).spool_dir),
    ) == ([], [])
    return sorted(memory.text for memory in memories if memory.tool_name == "Bash")


def waiting(home: Home) -> int:
    return len(spool.waiting(settings_of(home).spool_dir))


def commands(*numbers: int) -> list[str]:
    return sorted(f"echo fault {number}" for number in numbers)


def no_room() -> None:
    """No file of this process may grow any more, which is how a full disk feels."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def test_a_hook_on_a_full_disk_says_so_and_leaves_no_half_entry(home: Home) -> None:
    assert hook(home, event(1)).returncode == 0

    truthful = hook(home, event(2), wired=False, before=no_room)
    wired = hook(home, event(2), before=no_room)

    assert (truthful.returncode, wired.returncode, truthful.stdout + wired.stdout) == (1, 0, "")
    assert "could not be kept" in truthful.stderr
    assert "could not be kept" in wired.stderr
    assert remembered(home) == commands(1)
    assert hook(home, event(2)).returncode == 0
    assert remembered(home) == commands(1, 2)


def test_a_drain_on_a_full_disk_leaves_the_events_in_the_spool(home: Home) -> None:
    wiring.open_house(settings_of(home)).close()
    for number in range(5):
        hook(home, event(number))

    done = subprocess.run(
        [sys.executable, "-m", "recollect.cli.main", "maintain", "--catch-up", "--db", home.store],
        env=home.environment(),
        preexec_fn=no_room,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )

    assert done.returncode == 1
    assert b"cannot be written" in done.stderr
    assert waiting(home) == 5
    assert remembered(home) == commands(*range(5))


@pytest.mark.parametrize(
    ("error", "because"),
    [
        (errno.EROFS, "the disk is mounted read-only"),
        (errno.EACCES, "the folder is not ours to write"),
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the user's quota is used up"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_spool_that_cannot_be_written_is_an_error_and_never_an_acknowledgement(
    home: Home, error: int, because: str
) -> None:
    folder = settings_of(home).spool_dir
    for number in range(5):
        hook(home, event(number))
    for steps in range(4):  # at the entry, its bytes, its sync, its name
        with pytest.raises(StoreFull, match="could not be kept"):
            spool.append(folder, b"{}", files=Disk(home.folder, steps=steps, error=error))

    assert remembered(home) == commands(*range(5))


def test_a_clock_set_back_a_day_changes_the_order_and_loses_nothing(home: Home) -> None:
    for number in range(3):
        hook(home, event(number))
    names = spool.waiting(settings_of(home).spool_dir)
    folder = settings_of(home).spool_dir
    for name in names:  # what was captured so far is now of tomorrow
        document = json.loads(spool.read(folder, name))
        document["at"] += DAY
        moment = int(name.partition("-")[0]) + DAY * MILLISECOND
        blob = json.dumps(document).encode()
        spool.append(folder, blob, clock=iter([moment]).__next__)
        spool.done(folder, name)
    for number in range(3, 6):
        hook(home, event(number))

    assert remembered(home) == commands(*range(6))
    told = hook(home, START)
    assert (told.returncode, told.stderr) == (0, "")
    assert "echo fault 0" in told.stdout
    assert "echo fault 5" in told.stdout


def test_a_hook_in_a_deleted_folder_captures_as_anywhere(home: Home, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    done = hook(home, event(1, cwd=str(gone)), wired=False, cwd=gone, before=gone.rmdir)
    told = hook(home, event(2, cwd=str(gone)), wired=False, cwd=tmp_path)

    assert [(each.returncode, each.stdout, each.stderr) for each in (done, told)] == [
        (0, "", ""),
        (0, "", ""),
    ]
    assert remembered(home) == commands(1, 2)


def test_a_session_without_a_worker_is_found_through_the_worker_that_starts_later(
    home: Home,
) -> None:
    with home.worker():
        pass
    for number in range(20):
        hook(home, event(number))
    assert waiting(home) == 20

    with home.worker():
        found = searched(home, "fault")

    assert sorted(hit["content_preview"] for hit in found) == commands(*range(20))
    assert remembered(home) == commands(*range(20))


def test_hooks_and_session_starts_do_not_notice_a_worker_that_is_stopped(home: Home) -> None:
    hook(home, event(1))
    with home.worker() as worker:
        searched(home, "fault")  # the store is open and drained
        worker.send_signal(signal.SIGSTOP)
        captured = hook(home, event(2))
        told = hook(home, START)
        worker.send_signal(signal.SIGCONT)

    assert (captured.returncode, captured.stdout, captured.stderr) == (0, "", "")
    assert (told.returncode, told.stderr) == (0, "")
    assert "echo fault 2" in told.stdout
    assert remembered(home) == commands(1, 2)


def test_a_session_that_starts_while_the_store_is_locked_is_told_what_can_be_read(
    home: Home,
) -> None:
    hook(home, event(1))
    assert remembered(home) == commands(1)
    hook(home, event(2))

    with locked(home):
        told = hook(home, START)

    assert told.returncode == 0
    assert "echo fault 1" in told.stdout
    assert "echo fault 2" not in told.stdout
    assert told.stderr.startswith("recollect: events wait: ")
    assert told.stderr.count("\n") == 1
    assert waiting(home) == 2
    assert remembered(home) == commands(1, 2)


def test_a_store_of_a_newer_version_is_left_alone_and_events_wait_for_it(home: Home) -> None:
    hook(home, event(1))
    assert remembered(home) == commands(1)
    ours = version(home, 999)

    captured = hook(home, event(2), wired=False)
    told = hook(home, START)

    assert (captured.returncode, captured.stdout, captured.stderr) == (0, "", "")
    assert (told.returncode, told.stdout) == (0, "")
    assert "newer version" in told.stderr
    assert waiting(home) == 2
    assert version(home, ours) == 999
    assert remembered(home) == commands(1, 2)


def version(home: Home, new: int) -> int:
    """The schema's version before it is set to another."""
    connection = sqlite.connect(home.store, isolation_level=None)
    old: int = connection.execute("pragma user_version").fetchone()[0]
    connection.execute(f"pragma user_version = {new:d}")
    connection.close()
    return old


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Another process is in a transaction that writes, and stays there."""
    program = (
        "import sys; from sqlcipher3 import dbapi2; "
        "c = dbapi2.connect(sys.argv[1], isolation_level=None); c.execute('begin immediate'); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, home.store],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=home.environment(),
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield
        holder.communicate()


def searched(home: Home, query: str) -> list[dict[str, Any]]:
    """What the running worker finds in all projects."""
    here = home.here()
    connection = HTTPConnection(here.host, here.port, timeout=PATIENCE)
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": query, "project": None}},
    }
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
    }
    connection.request("POST", "/mcp/nmem", json.dumps(call), headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    found: list[dict[str, Any]] = json.loads(answer["result"]["content"][0]["text"])
    return found
