"""A worker for as long as a benchmark needs one."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator

from benchmarks.home import Home

READY = b"down`."
"""What the last line that a worker says when it starts ends with."""


@contextlib.contextmanager
def worker(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    process = start(home)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def start(home: Home) -> subprocess.Popen[bytes]:
    """A worker that has said where it listens."""
    process = subprocess.Popen(
        home.command("up", "--port", "0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=home.environ,
        cwd=home.folder,
    )
    assert process.stdout is not None
    said = b""
    for line in process.stdout:
        said += line
        if line.rstrip().endswith(READY):
            return process
    process.communicate()
    raise SystemExit(f"the worker did not start: {said.decode()}")
