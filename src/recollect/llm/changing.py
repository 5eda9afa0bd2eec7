"""Changes to files in people's words: written, edited, patched."""

from __future__ import annotations

from recollect.llm import bounds, concepts, tool
from recollect.llm.calling import other
from recollect.llm.sketch import CHANGE, Sketch, names, shown
from recollect.model.event import ToolUse


def write(use: ToolUse) -> Sketch:
    return _changed(use, "Wrote")


def edit(use: ToolUse) -> Sketch:
    return _changed(use, "Edited")


def patch(use: ToolUse) -> Sketch:
    written = tool.patch(use)
    steps = tool.patched(written)
    if not steps:
        return edit(use) if tool.paths(use) else other(use)
    paths = list(dict.fromkeys(path for _, path in steps))
    verbs = {verb for verb, _ in steps}
    verb = (
        {"Add": "Created", "Delete": "Deleted"}.get(next(iter(verbs)), "Edited")
        if len(verbs) == 1
        else "Patched"
    )
    gist = bounds.line(tool.added(written), 80) or tool.text(use, "gist")
    title = f"{verb} {names(paths)}"
    words = {"Add": "added", "Update": "updated", "Delete": "deleted", "Move": "moved to"}
    return Sketch(
        type=CHANGE,
        title=f"{title}: {gist}" if gist else title,
        told=[
            f"Patched {len(paths)} files: "
            + ", ".join(f"{words[done]} {path}" for done, path in steps),
            gist,
        ]
        if len(paths) > 1
        else [f"{verb} {paths[0]}" + (f": {gist}" if gist else "")],
        facts=[f"{words[done]} {path}" for done, path in steps],
        concepts=[concepts.WHAT_CHANGED],
        modified=paths,
    )


def _changed(use: ToolUse, verb: str) -> Sketch:
    paths = tool.paths(use)
    if not paths:
        return other(use)
    gist = tool.text(use, "gist", "instruction", "instructions")
    why = tool.text(use, "instruction", "instructions", "description")
    title = f"{verb} {names(paths)}"
    told = [
        f"{verb} {', '.join(paths)}" + (f": {gist}" if gist else ""),
        why if why != gist else "",
    ]
    length = use.marks.get("content_length")
    facts = [f"{length} bytes of new text"] if isinstance(length, int) else []
    if gist:
        facts.insert(0, f"new text begins: {gist}" if gist != why else gist)
    return Sketch(
        type=CHANGE,
        title=f"{title}: {shown(gist, 80)}" if gist else title,
        told=told,
        facts=facts,
        concepts=[concepts.WHAT_CHANGED],
        modified=paths,
    )
