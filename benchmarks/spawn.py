"""Starting a program and waiting for its end, with as little of our own in the time as can be."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

LARGEST_INPUT = 32 * 1024
"""What a pipe takes before anybody reads it, with room to spare."""


def run(command: Sequence[str], environ: Mapping[str, str], stdin: bytes = b"") -> int:
    """The exit code. The input stands in the pipe before the program starts, as a host's does."""
    assert len(stdin) <= LARGEST_INPUT
    source, sink = os.pipe()
    os.write(sink, stdin)
    os.close(sink)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        pid = os.posix_spawn(
            command[0],
            list(command),
            dict(environ),
            file_actions=[
                (os.POSIX_SPAWN_DUP2, source, 0),
                (os.POSIX_SPAWN_DUP2, nowhere, 1),
                (os.POSIX_SPAWN_DUP2, nowhere, 2),
            ],
        )
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        os.close(source)
        os.close(nowhere)
