"""The errors about calls, whoever answers them.

InvalidArgument
└── MissingArgument   an argument, or several, were not given
NotFound
└── UnknownMethod     of the protocol that a client speaks
Fault                 ours; the log tells which

They are raised by what answers a call, and never by a verb.
"""

from __future__ import annotations

from recollect.model.errors import InvalidArgument, NotFound, RecollectError


class MissingArgument(InvalidArgument):
    """An argument that is required is missing."""

    code = "missing_argument"

    def __init__(self, *names: str) -> None:
        are = "are" if len(names) > 1 else "is"
        super().__init__(", ".join(names), f"{are} required")
        self.names = names


class UnknownMethod(NotFound):
    """There is no method with this name."""

    code = "unknown_method"


class Fault(RecollectError):
    """internal error; the server's log has the details"""

    code = "fault"
