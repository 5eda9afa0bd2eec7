"""The worker as a process: one per store, found while it lives, gone when it is told to go."""

from __future__ import annotations

import os
import signal
import socket
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commands import Home, greeting
from recollect import __version__
from recollect.worker import presence

if TYPE_CHECKING:
    import subprocess

NOTHING_LOST = b"stopped; nothing was lost\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_within_two_seconds(home: Home, number: signal.Signals) -> None:
    with home.worker() as worker:
        assert home.get("/api/health")[0] == 200

        began = time.monotonic()
        worker.send_signal(number)
        stdout, stderr = worker.communicate(timeout=5)

        assert time.monotonic() - began < 2
        assert (worker.returncode, stdout[-len(NOTHING_LOST) :]) == (0, NOTHING_LOST), stderr
        assert presence.find(home.worker_file) is None
        assert not os.path.exists(home.worker_file)


def test_a_client_that_stays_connected_does_not_keep_it(home: Home) -> None:
    with home.worker() as worker:
        here = home.here()
        with socket.create_connection((here.host, here.port)) as idle:
            idle.sendall(
                b"POST /mcp/nmem HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
            )
            assert home.get("/api/health")[0] == 200

            worker.send_signal(signal.SIGTERM)

            assert worker.wait(6) == 0


def test_it_says_where_it_listens_and_what_to_do_next(home: Home) -> None:
    with home.start("up") as worker:
        said = greeting(worker)
        here = home.here()
        assert (here.pid, here.host, here.version, here.store) == (
            worker.pid,
            "127.0.0.1",
            __version__,
            home.store,
        )
        worker.kill()

    for words in (f"{here.url}/api/health", f"{here.url}/mcp", home.store, "Next:", "down"):
        assert words in said


def test_it_gets_ready_and_tells_its_health(home: Home) -> None:
    with home.worker() as worker:
        home.wait_until_ready()
        assert home.get("/api/readiness") == (200, {"status": "ready"})

        status, health = home.get("/api/health")
        assert isinstance(health.pop("uptime"), int)
        assert (status, health) == (
            200,
            {
                "status": "ok",
                "version": __version__,
                "initialized": True,
                "mcpReady": True,
                "pid": worker.pid,
                "waiting": 0,
                "last_error": None,
            },
        )


def test_a_store_that_will_not_open_is_told_and_not_the_end(home: Home) -> None:
    os.makedirs(os.path.dirname(home.store))
    with open(home.store, "wb") as file:
        file.write(b"no database at all " * 1000)

    with home.worker() as worker:
        deadline = time.monotonic() + 10
        while home.get("/api/health")[1]["last_error"] is None and time.monotonic() < deadline:
            continue
        health = home.get("/api/health")[1]
        assert (health["initialized"], health["mcpReady"]) == (False, False)
        assert health["last_error"]
        assert home.get("/api/readiness") == (503, {"status": "initializing"})
        assert worker.poll() is None


def test_a_killed_worker_leaves_no_presence_and_no_obstacle(home: Home) -> None:
    with home.worker() as worker:
        worker.kill()
        worker.wait(5)
        assert presence.find(home.worker_file) is None

    with home.worker() as second:
        assert home.here().pid == second.pid


def test_a_second_worker_of_the_store_says_who_holds_it(home: Home) -> None:
    with home.worker() as worker:
        here = home.here()

        second = home.run("up")

    assert (second.status, second.stdout) == (1, "")
    assert f"process {worker.pid}, listening on {here.url}" in second.stderr


def test_a_taken_port_is_named_and_leaves_nothing(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        refused = home.run("up", "--port", str(port))

    assert (refused.status, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"recollect up: cannot listen on 127.0.0.1:{port}: address already in use\n"
        "Choose another port with --port or RECOLLECT_PORT.\n"
    )
    assert presence.find(home.worker_file) is None


def test_beyond_loopback_it_wants_a_token(home: Home) -> None:
    refused = home.run("up", "--host", "0.0.0.0")
    assert (refused.status, refused.stdout) == (1, "")
    assert "without a token" in refused.stderr

    with home.worker("--host", "0.0.0.0", RECOLLECT_TOKEN="a-token-of-some-length"):
        assert home.get("/api/health")[0] == 200
        assert home.get("/api/version")[0] == 401


def test_in_the_background_it_starts_once_and_stops(home: Home) -> None:
    started = home.run("up", "--detach")
    assert (started.status, started.stderr) == (0, "")
    here = home.here()
    try:
        assert f"process {here.pid}, listening on {here.url}" in started.stdout
        assert home.get("/api/health")[1]["pid"] == here.pid
        assert os.getsid(here.pid) == here.pid, "a session of its own"
        log = Path(f"{home.store}-worker.log")
        assert stat.S_IMODE(log.stat().st_mode) == 0o600

        again = home.run("up", "--detach")
        assert (again.status, home.here()) == (0, here)
        assert f"already running: process {here.pid}" in again.stdout

        stopped = home.run("down")
        assert (stopped.status, stopped.stdout) == (0, f"stopped: process {here.pid}\n")
        assert presence.find(home.worker_file) is None
    finally:
        if presence.find(home.worker_file) == here:
            os.kill(here.pid, signal.SIGKILL)


def test_a_background_worker_that_cannot_start_says_why(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = home.run("up", "--detach", "--port", str(taken.getsockname()[1]))

    assert refused.status == 1
    assert "cannot listen" in refused.stderr


def test_down_without_a_worker_is_no_error(home: Home) -> None:
    assert home.run("down").stdout == "no worker is running for this store\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_has_no_children(home: Home) -> None:
    with home.worker() as worker:
        assert home.get("/api/health")[0] == 200
        children = [
            task.read_text() for task in Path(f"/proc/{worker.pid}/task").glob("*/children")
        ]
        assert children
        assert set(children) == {""}


def test_two_workers_that_start_at_once_are_one(home: Home) -> None:
    processes: list[subprocess.Popen[bytes]] = [home.start("up") for _ in range(4)]
    try:
        ended = 0
        deadline = time.monotonic() + 20
        while ended < 3 and time.monotonic() < deadline:
            ended = sum(process.poll() is not None for process in processes)
        assert [p.returncode for p in processes].count(1) == 3
        assert home.here().pid in {p.pid for p in processes if p.returncode is None}
    finally:
        for process in processes:
            process.kill()
            process.communicate()
