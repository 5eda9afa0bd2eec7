"""A house whose reader can read nothing, with one command that waits to be read."""

from __future__ import annotations

from contract.world import World
from recollect import wiring
from recollect.llm.rules import Rules
from recollect.model.event import ToolUse
from recollect.model.memory import Draft
from recollect.store.sqlite.store import SqliteStore


class Stumbling(Rules):
    """A reader that can read nothing."""

    def observation(self, use: ToolUse) -> Draft:
        raise ZeroDivisionError(use.tool)


def stumbling(world: World, command: str) -> wiring.House:
    """The command was accepted, and every try to read it will fail."""
    store = SqliteStore(world.settings.store, key=None, clock=lambda: world.now)
    house = wiring.House(world.settings, store, Stumbling(), lambda: world.now, patience_ms=5_000)
    house.take_over(on_accepted=lambda: None)
    house.intake.tool_use(
        session_id="s1",
        tool="Bash",
        input_={"command": command},
        response="",
        cwd="/code/alpha",
        platform="http",
        identity=None,
    )
    return house
