"""The ledger: which events were sent, which were acknowledged, and whether the store agrees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from recollect import wiring
from recollect.capture import spool
from recollect.service import health
from recollect.settings import Settings

LIFECYCLE = frozenset({"session_start", "session_end", "session_summary"})


@dataclass(frozen=True)
class Sent:
    """An event as a host sends it, and the text by which its memory is known."""

    text: str
    blob: bytes


@dataclass
class Ledger:
    sent: dict[str, Sent] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)

    def send(self, event: Sent) -> None:
        self.sent[event.text] = event

    def acknowledge(self, event: Sent) -> None:
        self.acknowledged.add(event.text)


@dataclass
class Verdict:
    """Everything that a promise can fail at; all empty when it holds."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    put_aside: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    memories: int = 0

    def failures(self) -> list[str]:
        named = {
            "lost": self.lost,
            "doubled": self.doubled,
            "not sent by anybody": self.unknown,
            "left in the spool": self.waiting,
            "put aside": self.put_aside,
            "problem": self.problems,
        }
        return [f"{name}: {what}" for name, found in named.items() for what in found]


def audit(settings: Settings, ledger: Ledger) -> Verdict:
    """Drain in peace, then compare the store with the ledger."""
    house = wiring.open_house(settings)
    try:
        house.catch_up()
        texts = Counter(_texts(house))
        diagnosis = health.diagnose(house.store)
    finally:
        house.close()
    counts = diagnosis.counts
    problems = list(diagnosis.problems)
    if counts.words != counts.memories:
        problems.append(f"{counts.memories} memories, {counts.words} rows in the word index")
    return Verdict(
        lost=sorted(ledger.acknowledged - set(texts)),
        doubled=sorted(text for text, count in texts.items() if count > 1),
        unknown=sorted(set(texts) - set(ledger.sent)),
        waiting=spool.waiting(settings.spool_dir),
        put_aside=[f"{name}: {why}" for name, why in spool.quarantined(settings.spool_dir)],
        problems=problems,
        memories=counts.memories,
    )


def _texts(house: wiring.House) -> Iterable[str]:
    """What every memory says; of a lifecycle row its type, which a session may have once."""
    for session_id in house.store.sessions.ids():
        for memory in house.store.memories.of_session(session_id):
            yield (f"{session_id} {memory.type}" if memory.type in LIFECYCLE else memory.text)


def tool_use(number: int, *, session: str = "s1", label: str = "event") -> Sent:
    """A command that occurs once. Its `tool_use_id` makes a second delivery the same event."""
    return _sent(
        f"echo {label} {number}",
        session,
        hook_event_name="PostToolUse",
        tool_name="Bash",
        tool_use_id=f"{label}-{number}",
        tool_input={"command": f"echo {label} {number}"},
        tool_response={"stdout": f"{label} {number}\n", "stderr": ""},
    )


def edit(number: int, *, session: str = "s1") -> Sent:
    return _sent(
        f"Edit /work/shop/module_{number}.py: value = {number}",
        session,
        hook_event_name="PostToolUse",
        tool_name="Edit",
        tool_use_id=f"edit-{number}",
        tool_input={
            "file_path": f"/work/shop/module_{number}.py",
            "old_string": "value = None",
            "new_string": f"value = {number}",
        },
        tool_response="",
    )


def prompt(number: int, *, session: str = "s1") -> Sent:
    return _sent(
        f"Please explain step {number}",
        session,
        hook_event_name="UserPromptSubmit",
        prompt=f"Please explain step {number}",
        prompt_id=f"prompt-{number}",
    )


def stop(session: str = "s1") -> Sent:
    """The session ends. Its row is known by its type: however often a host says it, it is one."""
    return _sent(f"{session} session_end", session, hook_event_name="Stop")


def summary(session: str = "s1") -> Sent:
    """Not an event of a host: what the product writes when a session ends."""
    return Sent(f"{session} session_summary", b"")


def _sent(text: str, session: str, **fields: object) -> Sent:
    document = {"session_id": session, "cwd": "/work/shop", **fields}
    return Sent(text, json.dumps(document).encode())
