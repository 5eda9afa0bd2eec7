"""A worker in the background: started as a process of its own session, and asked to stop."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from recollect.model.worker_errors import WorkerError
from recollect.worker import presence
from recollect.worker.address import is_alive

if TYPE_CHECKING:
    from recollect.settings import Settings

_PATIENCE = 15.0
"""Seconds until a started worker must answer."""
_LOOK = 0.05


def start(settings: Settings, arguments: list[str]) -> int:
    """Start a worker for this store, unless there is one; return when it answers."""
    running = presence.find(settings.worker_file)
    if running is not None:
        print(f"already running: process {running.pid}, listening on {running.url}")
        return 0
    log_path = settings.worker_file.removesuffix(".json") + ".log"
    os.makedirs(os.path.dirname(log_path) or ".", mode=0o700, exist_ok=True)
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    said_before = os.fstat(log).st_size
    try:
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-I", "-m", "recollect.cli.up", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    finally:
        os.close(log)
    here = _awaited(child, settings.worker_file, log_path, said_before)
    print(f"running: process {here.pid}, listening on {here.url}, log in {log_path}")
    print(f"viewer:  {here.url}/viewer")
    return 0


def stop(worker_file: str) -> int:
    """Ask the worker of this store to end, and wait until it has."""
    running = presence.find(worker_file)
    if running is None:
        print("no worker is running for this store")
        return 0
    os.kill(running.pid, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE
    while is_alive(worker_file):
        if time.monotonic() > deadline:
            raise WorkerError(f"process {running.pid} was asked to stop and is still running")
        time.sleep(_LOOK)
    print(f"stopped: process {running.pid}")
    return 0


def _awaited(
    child: subprocess.Popen[bytes], worker_file: str, log_path: str, said_before: int
) -> presence.Presence:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise WorkerError(f"the worker ended at once: {_written(log_path, said_before)}")
        here = presence.find(worker_file)
        if here is not None and _answers(here):
            child.returncode = 0  # it outlives us on purpose; no warning about that
            return here
        time.sleep(_LOOK)
    raise WorkerError(f"the worker does not answer; its log is {log_path}")


def _answers(here: presence.Presence) -> bool:
    connection = http.client.HTTPConnection(here.host, here.port, timeout=1)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _written(log_path: str, start: int) -> str:
    """What the worker said in its log since it was started."""
    with open(log_path, encoding="utf-8", errors="replace") as log:
        log.seek(start)
        return log.read().strip() or "it said nothing"
