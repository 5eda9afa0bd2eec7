"""Results as texts for reading: a table of what was found, and the lines of a timeline.

Stored text is data: within a cell or a line it can neither end it nor begin one of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from recollect.dialects.codexmem.kinds import type_of
from recollect.dialects.codexmem.moments import iso
from recollect.dialects.codexmem.shapes import title_of
from recollect.model.memory import Kind, Memory
from recollect.search.pack import single_line
from recollect.store.port.portraits import Painted

LONGEST_CELL = 120
LONGEST_PROMPT = 80
LONGEST_QUERY = 200
COLUMNS = "| ID | Kind | Title | Project | Time |\n|---|---|---|---|---|"

Portraits = Mapping[int, Painted]


def table(
    query: str | None,
    mode: str,
    counts: Sequence[int],
    memories: Sequence[Memory],
    painted: Portraits,
    *,
    problem: str | None,
) -> str:
    """`counts`: of observations, sessions and prompts."""
    quoted = "(filter-only)" if query is None else single_line(query, LONGEST_QUERY)
    observations, sessions, prompts = counts
    told = f"{observations} obs, {sessions} sessions, {prompts} prompts"
    head = [f'Found {len(memories)} result(s) matching "{quoted}" ({told})', f"Search mode: {mode}"]
    if problem is not None:
        head.append(f"Note: {single_line(problem, LONGEST_QUERY)}")
    if not memories:
        return "\n".join(head)
    return "\n".join((*head, "", COLUMNS, *(_row(each, painted) for each in memories)))


def lines(memories: Sequence[Memory], painted: Portraits) -> Iterator[str]:
    for memory in memories:
        sort = _sort(memory)
        shown = type_of(memory, painted.get(memory.id)) if sort == "observation" else sort
        yield f"- {_id(memory)} [{shown}] {_title(memory, painted)} @ {iso(memory.created_at)}"


def _row(memory: Memory, painted: Portraits) -> str:
    is_prompt = memory.kind is Kind.PROMPT
    cells = (
        _id(memory),
        _sort(memory),
        _title(memory, painted),
        "-" if is_prompt else single_line(memory.project, LONGEST_CELL),
        iso(memory.created_at),
    )
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _id(memory: Memory) -> str:
    match memory.kind:
        case Kind.SUMMARY:
            return f"#S{memory.id}"
        case Kind.PROMPT:
            return f"#P{memory.id}"
        case _:
            return f"#{memory.id}"


def _sort(memory: Memory) -> str:
    match memory.kind:
        case Kind.SUMMARY:
            return "summary"
        case Kind.PROMPT:
            return "prompt"
        case _:
            return "observation"


def _title(memory: Memory, painted: Portraits) -> str:
    if memory.kind is Kind.PROMPT:
        return single_line(memory.text, LONGEST_PROMPT)
    title = single_line(title_of(memory, painted.get(memory.id)), LONGEST_CELL)
    return title or ("(no request)" if memory.kind is Kind.SUMMARY else "(untitled)")
