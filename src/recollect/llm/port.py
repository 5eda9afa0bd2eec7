"""What reads an event: rules, and after them a language model, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.event import ToolUse
from recollect.model.memory import Draft, Memory
from recollect.model.portrait import Portrait, Recap
from recollect.model.session import Session


class Reader(Protocol):
    def observation(self, use: ToolUse) -> Draft:
        """What a tool use plainly was."""

    def portrait(self, use: ToolUse) -> Portrait:
        """The same for people."""

    def recap(self, session: Session, memories: Sequence[Memory], said: str) -> Recap:
        """What the newest turn of a session came to; `said` is what the agent said last."""

    def concluded(
        self, session: Session, memories: Sequence[Memory], recap: Recap, at: int
    ) -> Draft:
        """The recap as a memory."""

    def summary(self, session: Session, memories: Sequence[Memory], at: int) -> Draft | None:
        """What a session came to; None when nothing was done in it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A model's answer; `text` is None when it gave none, `tokens` when it did not say."""

    text: str | None
    tokens: int | None


class Provider(Protocol):
    """A language model somewhere else."""

    name: str

    def ask(self, messages: Sequence[dict[str, str]]) -> Said:
        """Waits for the answer; `ProviderFailed` when there is none that can be used."""

    def close(self) -> None: ...
