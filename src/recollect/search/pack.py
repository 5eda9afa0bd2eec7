"""A pack: the memories that help most, as text, within an exact budget of tokens.

Which memories compete is decided elsewhere (`service.pack`); here the best that fit are chosen,
worded and put into their sections, with a receipt of what was left out. Stored text is data: it
stands within one line of ours, and can begin neither a heading nor a line of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from recollect.model.clock import DAY
from recollect.model.memory import Draft, Kind, Memory, Type
from recollect.search.tokens import longest_prefix, tokens

LONGEST_TITLE = 200
LONGEST_BODY = 800
"""Characters of a memory that a line tells; the id leads to the rest."""
SHORTEST_CUT = 12
"""Tokens: a body of which less than this would be left is not begun."""
CUT = "…"


class Section(StrEnum):
    """In the order in which they stand."""

    SUMMARY = "summary"
    """What the session came to that answers best, or else the newest one."""
    TIMELINE = "timeline"
    """What was done, in order of time."""
    OBSERVATIONS = "observations"
    """What is worth knowing: decisions, notes, facts; best first."""


HEADINGS = {section: f"## {section.value.capitalize()}" for section in Section}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that competes. `place` is where it would stand in its section, lowest first."""

    id: int
    section: Section
    place: tuple[int, ...]
    head: str
    body: str
    """All that may be cut when the budget ends within the line."""
    tail: str
    said: str
    """The same for candidates that say the same."""

    def line(self, body: str) -> str:
        return f"{self.head}{body}{self.tail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A memory in the pack; `position` is its place within the section, from 1."""

    id: int
    section: Section
    position: int
    text: str
    tokens: int
    """Its line's end included."""
    duplicates: tuple[int, ...]
    """Those that say the same, and are not told again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    id: int
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """`tokens` is what the whole text costs, and never above the budget."""

    text: str
    tokens: int
    budget: int
    lines: tuple[Line, ...]
    """In the order of the text."""
    left_out: tuple[LeftOut, ...]

    def line_of(self, memory_id: int) -> Line | None:
        return next((line for line in self.lines if line.id == memory_id), None)


def fill(candidates: Iterable[Candidate], budget: int) -> Pack:
    """The candidates come best first; whatever does not fit makes room for what comes after it."""
    chosen: dict[str, tuple[Candidate, str]] = {}
    duplicates: dict[str, list[int]] = {}
    left_out: list[LeftOut] = []
    begun: set[Section] = set()
    left = budget
    for each in candidates:
        if each.said in chosen:
            duplicates.setdefault(each.said, []).append(each.id)
            same = chosen[each.said][0].id
            left_out.append(LeftOut(id=each.id, because=f"#{same} says the same"))
            continue
        room = left - (0 if each.section in begun else _heading_cost(each.section))
        body = _fitting(each, room)
        if body is None:
            left_out.append(LeftOut(id=each.id, because=f"no room in {budget} tokens"))
            continue
        begun.add(each.section)
        left = room - _line_cost(each.line(body))
        chosen[each.said] = (each, body)
    told = [(each, body, tuple(duplicates.get(each.said, ()))) for each, body in chosen.values()]
    lines = [line for section in Section for line in _lines_of(section, told)]
    text = _text(lines, budget)
    return Pack(
        text=text,
        tokens=tokens(text),
        budget=budget,
        lines=tuple(lines),
        left_out=tuple(left_out),
    )


def candidate(memory: Memory, *, rank: int, name: str, now: int) -> Candidate:
    """A memory as one line: id, what it is, what it says, whose words it is and how old.

    `name` is what the reader calls its kind; `rank` counts from the best.
    """
    section = section_of(memory)
    title, body = single_line(title_of(memory), LONGEST_TITLE), body_of(memory)
    said = single_line(body, LONGEST_BODY)
    is_told_once = not title or said.startswith(title.removesuffix(CUT))
    return Candidate(
        id=memory.id,
        section=section,
        place=(memory.created_at, memory.id) if section is Section.TIMELINE else (rank,),
        head=f"[{memory.id}] ({single_line(name, 40)}) ",
        body=said if is_told_once else title if said in title else f"{title} - {said}",
        tail=f" ({memory.origin.value}, {_age(now - memory.created_at)})",
        said=_sameness(name, title_of(memory), body),
    )


def section_of(memory: Draft) -> Section:
    if memory.kind is Kind.SUMMARY:
        return Section.SUMMARY
    # An importer's types say what is worth knowing, ours only which tool was used.
    is_deed = memory.kind is Kind.OBSERVATION and memory.type in _DEEDS
    return Section.TIMELINE if is_deed else Section.OBSERVATIONS


def title_of(memory: Draft) -> str:
    """Its title; of what has none, the first line."""
    if memory.title:
        return memory.title
    lines = (line.strip() for line in memory.text.splitlines())
    return next((line for line in lines if line), "")


def body_of(memory: Draft) -> str:
    """What it says, without the title on its first line."""
    title = memory.title
    return memory.text.removeprefix(f"{title}\n") if title else memory.text


def single_line(text: str, most: int) -> str:
    """Stored text within a line: no line ends, nothing unprintable, no longer than this."""
    text = text[: 8 * most]  # a text may be a megabyte, and one line is wanted
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    line = " ".join(printable.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}{CUT}"


_DEEDS = frozenset(Type)


def _sameness(name: str, title: str, body: str) -> str:
    plain = "\n".join(" ".join(part.casefold().split()) for part in (name, title, body))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def _age(milliseconds: int) -> str:
    days = milliseconds // DAY
    return "today" if days <= 0 else f"{days} day{'' if days == 1 else 's'} ago"


def _heading_cost(section: Section) -> int:
    """With its line's end, and the empty line before it."""
    return tokens(HEADINGS[section]) + 2


def _line_cost(line: str) -> int:
    return tokens(line) + 1


def _fitting(each: Candidate, room: int) -> str | None:
    """The body, cut when it must be, or None when too little of it would be left."""
    if _line_cost(each.line(each.body)) <= room:
        return each.body
    for_body = room - _line_cost(each.line(CUT))
    if for_body < SHORTEST_CUT:
        return None
    kept = each.body[: longest_prefix(each.body, for_body)].rstrip()
    return f"{kept}{CUT}" if kept else None


def _lines_of(
    section: Section, told: Sequence[tuple[Candidate, str, tuple[int, ...]]]
) -> list[Line]:
    here = sorted((each for each in told if each[0].section is section), key=lambda e: e[0].place)
    return [
        Line(
            id=each.id,
            section=section,
            position=position,
            text=each.line(body),
            tokens=_line_cost(each.line(body)),
            duplicates=duplicates,
        )
        for position, (each, body, duplicates) in enumerate(here, start=1)
    ]


def _text(lines: Sequence[Line], budget: int) -> str:
    """All headings where there is room for them, else those with something under them."""
    for sections in (tuple(Section), tuple(dict.fromkeys(line.section for line in lines))):
        blocks = [
            "".join(
                f"{row}\n"
                for row in (HEADINGS[section], *(e.text for e in lines if e.section is section))
            )
            for section in sections
        ]
        text = "\n".join(blocks)
        if tokens(text) <= budget:
            return text
    raise AssertionError("the lines were chosen so that they fit")
