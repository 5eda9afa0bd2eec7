"""What a tool use looks like to people, without a model: a title, what is known, its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.memory import Type
from recollect.model.portrait import Portrait

if TYPE_CHECKING:
    from recollect.model.event import ToolUse
    from recollect.model.memory import Draft

MOST_TITLE = 120
CHANGES = frozenset({Type.FILE_EDIT, Type.FILE_WRITE})
RUNS = frozenset({Type.COMMAND, Type.COMMAND_ERROR, Type.GIT_COMMIT, Type.GIT_PUSH, Type.GITHUB})


def portrait(use: ToolUse, draft: Draft) -> Portrait:
    """`draft` is what rules have read in the same tool use."""
    files = (draft.file_path,) if draft.file_path else ()
    is_change = draft.type in CHANGES
    return Portrait(
        type="change" if is_change else "execution" if draft.type in RUNS else "discovery",
        title=_line(draft.text),
        subtitle=None,
        facts=(),
        narrative=draft.text,
        concepts=(),
        files_read=files if draft.type == Type.FILE_READ else (),
        files_modified=files if is_change or use.tool in {"MultiEdit", "NotebookEdit"} else (),
    )


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_TITLE else line[: MOST_TITLE - 1].rstrip() + "…"
