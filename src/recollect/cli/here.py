"""Which folder and which project this process works for: those it was started in."""

from __future__ import annotations

import os

from recollect.capture.project import project_of

TYPE_CHECKING = False  # as in typing, without paying for the import
if TYPE_CHECKING:
    from recollect.settings import Settings


def current_project(settings: Settings, dialects: str = "") -> str:
    """`dialects`: those that are served, whose own variables count then."""
    project, _ = project_of(
        folder(),
        named=settings.project_for(dialects),
        home=settings.user_home,
        strategy=settings.project_strategy,
    )
    return project


def folder() -> str:
    """The folder that this process was started in."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""  # deleted under us; its project is `unknown`
