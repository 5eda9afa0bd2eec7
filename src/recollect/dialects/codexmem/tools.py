"""CodexMem's five tools: checked arguments → a verb → what its clients show."""

from __future__ import annotations

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Text
from recollect.dialects.codexmem import reading, saving, searching
from recollect.dialects.codexmem.asked import Asked

WORKFLOW = """\
How to find something in memory, in three steps:
1. search(query): an index of what matches, with ids; small, so start here.
2. timeline(anchor=<id>): what happened around a result, when its context matters.
3. get_observations(ids=[...]): everything about those that proved to matter, all in one call.
Filter by what the first two steps show before you fetch with the third."""


def important(_: Desk, __: Arguments) -> Text:
    return Text(WORKFLOW)


def search(desk: Desk, arguments: Arguments) -> Json | Text:
    found = searching.search(desk, Asked(arguments))
    return Text(found) if isinstance(found, str) else found


def timeline(desk: Desk, arguments: Arguments) -> Text:
    return Text(searching.timeline(desk, Asked(arguments)))


def get_observations(desk: Desk, arguments: Arguments) -> Json:
    return reading.chosen(desk, arguments)


def save_memory(desk: Desk, arguments: Arguments) -> Json:
    return saving.saved(desk, arguments)
