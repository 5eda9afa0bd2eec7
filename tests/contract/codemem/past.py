"""A past to ask codemem about, and a way to ask within this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contract.world import DAY, HOUR, MINUTE, NOW, Answer, World

Call = Callable[..., Answer]
"""Ask a tool of a house in this process, whose clock stands still."""

READ, EDIT, FAILED, SUMMARY, DECISION, ELSEWHERE, FORGOTTEN = 3, 4, 5, 7, 8, 9, 10
PROMPT, UNKNOWN = 2, 999
"""Ids in the history; `fill` gives them in this order, from 1."""


def caller(house: Any, project: str = "alpha") -> Call:
    ask = house.asker("codemem", project)

    def call(tool: str, /, **arguments: object) -> Answer:
        reply = ask(tool, arguments)
        return Answer(reply.text, reply.is_error)

    return call


def fill(world: World) -> None:
    at = NOW - 10 * DAY
    world.hook("SessionStart", source="startup", at=at)  # 1
    world.prompt("Normalise the sqlite paths", at=at + MINUTE)  # 2
    world.read("/code/alpha/paths.py", at=at + 2 * MINUTE)  # 3
    world.edit("/code/alpha/paths.py", "def normalised(path):", at=at + 3 * MINUTE)  # 4
    world.hook(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "pytest tests/test_sqlite_paths.py"},
        error="Exit code 1\nassertion failed",
        at=at + 4 * MINUTE,
    )  # 5 command_error
    world.hook("Stop", at=at + HOUR)  # 6 session_end, 7 session_summary
    house = world.house()
    call = caller(house)
    call(
        "memory_remember",
        kind="decision",
        title="Picked SQLite path normalization",
        body="Paths are kept with forward slashes, because Windows clients mix both.",
        confidence=0.9,
    )  # 8
    world.bash("sqlite3 beta.db", session="s9", cwd="/code/beta", at=at + 2 * HOUR)  # 9
    call("memory_recent")
    call("memory_remember", kind="note", title="Forgotten", body="sqlite is slow")  # 10
    call("memory_forget", memory_id=FORGOTTEN)
    house.close()
