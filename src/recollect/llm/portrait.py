"""What a tool use looks like to people, without a model: a title that a person would write, what
is known of it, and a narrative that keeps what somebody may search for.

Each trade is drawn by a function of its own, in `running`, `changing`, `looking` and `calling`.
What a command was run for is read by `errand`, what a failure said by `complaint`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recollect.llm import bounds, calling, changing, concepts, looking, running
from recollect.llm.complaint import complaint_of
from recollect.llm.sketch import CHANGE, EXECUTION, Sketch, short, shown
from recollect.llm.tool import Trade, is_failed, trade_of
from recollect.model.event import ToolUse
from recollect.model.portrait import Portrait


def portrait(use: ToolUse) -> Portrait:
    # Not what the prompt asked: the prompt is a memory of its own, and once it is purged no other
    # memory may still repeat it.
    sketch = _SKETCHERS[trade_of(use.tool)](use)
    if is_failed(use) and sketch.type != EXECUTION:
        _tell_failure(use, sketch)
    files = [*sketch.read, *sketch.modified]
    return bounds.portrait(
        Portrait(
            type=sketch.type,
            title=sketch.title,
            subtitle=sketch.subtitle or _place(files, use),
            facts=tuple(sketch.facts),
            narrative=" ".join(_sentence(each) for each in sketch.told if each)
            or _sentence(sketch.title),
            concepts=(*sketch.concepts, *concepts.of_files(files)),
            files_read=tuple(sketch.read),
            files_modified=tuple(sketch.modified),
        )
    )


def _tell_failure(use: ToolUse, sketch: Sketch) -> None:
    lines = complaint_of(use.response).lines
    did, _, what = sketch.title.partition(" ")
    tried = f"Could not {_DID[did]} {what}" if did in _DID else f"{sketch.title} failed"
    sketch.title = f"{tried}: {shown(lines[0])}" if lines else tried
    sketch.facts = [*(f"error: {line}" for line in lines), *sketch.facts]
    sketch.told.append(f"It failed: {'; '.join(lines)}" if lines else "It failed")
    sketch.concepts = [
        "error",
        *(each for each in sketch.concepts if each != concepts.WHAT_CHANGED),
    ]
    if sketch.type == CHANGE:
        # Nothing was changed after all; what was tried stays in the narrative.
        sketch.modified = []


def _place(files: list[str], use: ToolUse) -> str | None:
    """Where it was done, when the title does not say so."""
    if len(files) == 1 and files[0] != short(files[0]):
        return _relative(files[0], use.head.cwd)
    return f"{len(files)} files" if len(files) > 1 else None


def _relative(path: str, folder: str) -> str:
    inside = folder.rstrip("/") + "/"
    return path.removeprefix(inside) if folder else path


def _sentence(text: str) -> str:
    told = text.strip()
    return told if not told or told.endswith((".", "!", "?", "…", "。")) else f"{told}."


_DID = {
    "Edited": "edit",
    "Wrote": "write",
    "Created": "create",
    "Deleted": "delete",
    "Patched": "patch",
    "Read": "read",
    "Searched": "search",
    "Looked": "look",
    "Listed": "list",
    "Fetched": "fetch",
    "Used": "use",
}
_SKETCHERS: Mapping[Trade, Callable[[ToolUse], Sketch]] = {
    Trade.RUN: running.run,
    Trade.READ: looking.read,
    Trade.WRITE: changing.write,
    Trade.EDIT: changing.edit,
    Trade.PATCH: changing.patch,
    Trade.SEARCH: looking.search,
    Trade.FIND: looking.find,
    Trade.LIST: looking.list_,
    Trade.FETCH: looking.fetch,
    Trade.WEB_SEARCH: looking.web_search,
    Trade.TASK: calling.task,
    Trade.QUESTION: calling.question,
    Trade.PLAN: calling.plan,
    Trade.MCP: calling.mcp,
    Trade.OTHER: calling.other,
}
