"""What reads an event: rules today, a language model later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from recollect.model.event import ToolUse
from recollect.model.memory import Draft, Memory
from recollect.model.session import Session


class Reader(Protocol):
    def observation(self, use: ToolUse) -> Draft:
        """What a tool use plainly was."""

    def summary(self, session: Session, memories: Sequence[Memory], at: int) -> Draft | None:
        """What a session came to; None when nothing was done in it."""
