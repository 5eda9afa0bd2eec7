"""What of a memory is read for its meaning."""

from __future__ import annotations

import pytest

from promises import last
from recollect.model.memory import Kind, Origin
from recollect.search.meaning import KINDS, LONGEST, MEANINGLESS, TEXT, Parts, text_of


def parts(text: str = "it works", **more: object) -> Parts:
    given: dict[str, object] = {"kind": Kind.OBSERVATION, "origin": Origin.TOOL, **more}
    return Parts(text=text, **given)  # type: ignore[arg-type]


READ = [
    (parts(), "it works", "a text is read as it is"),
    (parts(origin=Origin.USER), "user: it works", "with whose words they are"),
    (parts(origin=Origin.ASSISTANT), "assistant: it works", "also the assistant's"),
    (parts(origin=Origin.USER, speaker="Ada"), "Ada: it works", "or who is named"),
    (parts(title="Deploy"), "Deploy\nit works", "under its title"),
    (parts(file_path="/a.py"), "it works\n/a.py", "above its file"),
    (parts("x" * 9_999), "x" * LONGEST, "as far as a model reads"),
]


@pytest.mark.parametrize(("given", "read", "because"), READ, ids=last)
def test_a_memory_is_read(given: Parts, read: str, because: str) -> None:
    assert text_of(given) == read


def test_what_is_never_found_has_no_meaning() -> None:
    assert KINDS[TEXT] == set(Kind) - MEANINGLESS
    assert {Kind.THOUGHT, Kind.LIFECYCLE} == MEANINGLESS
