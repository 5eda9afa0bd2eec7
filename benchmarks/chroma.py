"""A Chroma server for tests and benchmarks: the real one, which `make chroma` has installed."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import orjson

from recollect.outpost.chroma import COLLECTIONS, Chroma

PYTHON = Path(__file__).parents[1] / "build" / "chroma" / "bin" / "python"
PROGRAM = """
import sys, chromadb_rust_bindings
chromadb_rust_bindings.cli(["chroma", *sys.argv[1:]])
"""
PATIENCE = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class ChromaServer:
    """Keeps its port and, unless it is emptied, its data from one start to the next."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, collection: str, **values: Any) -> Chroma:
        return Chroma(self.url, collection, **values)

    def start(self) -> None:
        assert PYTHON.exists(), "there is no Chroma to test with; `make chroma` installs it"
        self.process = subprocess.Popen(
            [
                *(str(PYTHON), "-c", PROGRAM, "run", "--path", str(self.folder / "chroma")),
                *("--host", "127.0.0.1", "--port", str(self.port)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"},
            cwd=self.folder,
        )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, "the Chroma server ended by itself"
            assert time.monotonic() < deadline, "the Chroma server does not start"
            time.sleep(0.02)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def empty(self) -> None:
        """Everything that it held is lost; only while it does not run."""
        shutil.rmtree(self.folder / "chroma")

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Beside the client that is tested."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            sent = None if body is None else orjson.dumps(body)
            connection.request(method, path, sent, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = response.read()
            assert response.status == 200, answer
            return orjson.loads(answer)

    def entries(self, collection: str) -> dict[str, dict[str, Any]]:
        """All that a collection holds, by id."""
        id_ = self.ask("GET", f"{COLLECTIONS}/{collection}")["id"]
        held = self.ask("POST", f"{COLLECTIONS}/{id_}/get", {"include": ["metadatas", "documents"]})
        assert not any(held["documents"] or []), "texts never go there"
        return dict(zip(held["ids"], held["metadatas"], strict=True))

    def remove(self, collection: str) -> None:
        self.ask("DELETE", f"{COLLECTIONS}/{collection}")

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            return isinstance(self.ask("GET", "/api/v2/heartbeat"), dict)
        return False


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[ChromaServer]:
    server = ChromaServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
