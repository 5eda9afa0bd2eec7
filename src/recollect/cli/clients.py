"""What answers a client of MCP, by what it says of itself; in-process and in the worker alike."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from recollect.mcp import said as words
from recollect.wiring import workspaces
from recollect.wiring.desks import Client

if TYPE_CHECKING:
    from recollect.dialect.reply import Ask
    from recollect.mcp.said import Said
    from recollect.wiring import House


def ask_of(house: House, dialect: str, said: Said, here: str) -> Ask:
    """`here`: the project of a client that names none."""
    project, around = words.project(said), words.surroundings(said)
    named = partial(workspaces.workspace, home=house.settings.user_home)
    client = Client(
        is_known=bool(project),
        workspace=partial(named, **asdict(around)) if around else None,
        has_all_frames=words.wants_all_frames(said),
    )
    return house.asker(dialect, project or here, client)
