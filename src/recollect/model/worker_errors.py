"""The errors about the worker as a process.

WorkerError
├── WorkerRunning     this store has a worker already
└── AddressTaken      something else listens there

A branch of the tree in `errors`.
"""

from __future__ import annotations

from recollect.model.errors import RecollectError


class WorkerError(RecollectError):
    """The worker cannot run."""

    code = "worker_error"


class WorkerRunning(WorkerError):
    """This store has a worker already."""

    code = "worker_running"


class AddressTaken(WorkerError):
    """Something else listens on this address."""

    code = "address_taken"
    hint = "Choose another port with --port or RECOLLECT_PORT."
