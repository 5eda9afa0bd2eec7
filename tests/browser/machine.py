"""A real worker for the browser: it can be stopped, and started again on the same port."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from commands import PATIENCE, greeting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contract.world import World


@dataclass
class Machine:
    """The worker of a world's store. `url` stays the same when it starts again."""

    world: World
    token: str | None = None
    port: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "recollect.cli.main", "up", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--db", self.world.settings.store],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.world.environ, **({"RECOLLECT_TOKEN": self.token} if self.token else {})},
            cwd=self.world.home,
        )
        said = greeting(self.process)
        assert "listens on http://" in said, said
        self.port = int(said.split("listens on http://")[1].split()[0].rpartition(":")[2])
        self._wait_until_ready()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=PATIENCE)
            self.process = None

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            connection.request("GET", "/api/readiness", headers=headers)
            status = connection.getresponse().status
            connection.close()
            if status == 200:
                return
            assert time.monotonic() < deadline, f"the worker is not ready: {status}"


@contextlib.contextmanager
def running(world: World, *, token: str | None = None) -> Iterator[Machine]:
    machine = Machine(world, token)
    machine.start()
    try:
        yield machine
    finally:
        machine.stop()
