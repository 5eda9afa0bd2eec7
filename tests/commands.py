"""Recollect's programs as a user runs them: real processes, a throw-away home, free ports."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import orjson

from recollect.worker import presence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 20


@dataclass(frozen=True)
class Home:
    """A user's machine, as far as a test needs one."""

    folder: Path

    @property
    def store(self) -> str:
        return str(self.folder / "data" / "recollect.db")

    @property
    def worker_file(self) -> str:
        return f"{self.store}-worker.json"

    def environment(self, **variables: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "RECOLLECT_HOME": str(self.folder / "data"),
            "RECOLLECT_PORT": "0",
            "RECOLLECT_PROJECT": "acceptance",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            **variables,
        }

    def run(self, *command: str, stdin: bytes = b"", **variables: str) -> Finished:
        """A command from start to end."""
        done = subprocess.run(
            _line(command),
            input=stdin,
            capture_output=True,
            timeout=PATIENCE,
            env=self.environment(**variables),
            cwd=self.folder,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *command: str, **variables: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            _line(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(**variables),
            cwd=self.folder,
        )

    @contextlib.contextmanager
    def worker(self, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
        """A running worker that has said all that it says when it starts."""
        with self.start("up", *arguments, **variables) as process:
            said = greeting(process)
            assert "listens on" in said, said
            try:
                yield process
            finally:
                process.kill()

    def here(self) -> presence.Presence:
        here = presence.find(self.worker_file)
        assert here is not None, "no worker is running"
        return here

    def get(self, path: str) -> tuple[int, Any]:
        return self._asked("GET", path, None)

    def post(self, path: str, body: object) -> tuple[int, Any]:
        return self._asked("POST", path, orjson.dumps(body))

    def _asked(self, method: str, path: str, body: bytes | None) -> tuple[int, Any]:
        here = self.here()
        connection = HTTPConnection(here.host, here.port, timeout=PATIENCE)
        connection.request(method, path, body)
        response = connection.getresponse()
        body = orjson.loads(response.read())
        connection.close()
        return response.status, body

    def wait_until_ready(self) -> None:
        """Until the worker has opened the store and drained its backlog."""
        deadline = time.monotonic() + PATIENCE
        while self.get("/api/readiness")[0] == 503:
            assert time.monotonic() < deadline, self.get("/api/health")


@dataclass(frozen=True)
class Finished:
    status: int
    stdout: str
    stderr: str


def greeting(process: subprocess.Popen[bytes]) -> str:
    """The lines up to the last one, or the errors of a worker that did not start."""
    assert process.stdout is not None
    assert process.stderr is not None
    said = b""
    while not said.endswith(b"down`.\n"):
        line = process.stdout.readline()
        if not line:
            return process.stderr.read().decode()
        said += line
    return said.decode()


def _line(command: tuple[str, ...]) -> list[str]:
    program = "import sys; from recollect.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", program, *command]
