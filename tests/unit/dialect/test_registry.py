"""Several dialects as one list of tools, each tool with its own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parrot import PARROT, ask_in, empty_desk
from recollect.dialect import registry
from recollect.dialect.reply import answer
from recollect.model.errors import RecollectError, UnknownDialect

WORDED_OTHERWISE = [
    replace(tool, wording=lambda error: {"error": {"message": error.message}})
    for tool in PARROT.tools[:3]
]
SECOND = replace(
    PARROT,
    name="macaw",
    instructions="Say something else.",
    tools=(*WORDED_OTHERWISE, replace(PARROT.tools[0], name="shout")),
)
DESK = empty_desk("here")


def test_a_name_that_an_earlier_dialect_has_is_listed_with_its_dialect() -> None:
    both = registry.together([PARROT, SECOND])

    assert both.name == "parrot,macaw"
    assert both.instructions == "Say something.\n\nSay something else."
    assert [tool.name for tool in both.tools] == [
        *(tool.name for tool in PARROT.tools),
        "macaw_say",
        "macaw_list_words",
        "macaw_refuse",
        "shout",
    ]


def test_names_are_spelled_without_dots_and_understood_with_them() -> None:
    dotted = replace(PARROT.tools[0], name="parrot.say", aliases=("say",))
    plain = registry.spelled_plainly(replace(PARROT, tools=(dotted, PARROT.tools[1])))

    assert [tool.name for tool in plain.tools] == ["parrot_say", "list_words"]
    for name in ("parrot_say", "parrot.say", "say"):
        assert plain.tool(name) is plain.tools[0]


def test_a_listed_name_is_stronger_than_an_alias() -> None:
    aliased = replace(PARROT.tools[1], name="parrot.list_words", aliases=("say",))
    both = replace(PARROT, tools=(aliased, PARROT.tools[0]))

    assert both.tool("say").name == "say"


def test_each_tool_tells_problems_in_the_words_of_its_dialect() -> None:
    both = registry.together([PARROT, SECOND])

    first = answer(both, DESK, "refuse", {})
    second = answer(both, DESK, "macaw_refuse", {})

    assert first.is_error
    assert first.text.startswith("the parrot says: ")
    assert second.is_error
    assert second.structured is not None
    assert list(second.structured) == ["error"]
    assert second.text.startswith('{"error":{"message":')


def test_a_list_names_what_is_unknown_in_it() -> None:
    with pytest.raises(UnknownDialect, match="klingon"):
        registry.load("nmem,klingon")


def test_a_dialect_twice_is_that_dialect() -> None:
    assert registry.load("nmem, nmem").name == "nmem"


def test_a_single_tool_comes_without_the_words_about_the_others() -> None:
    both = registry.load("codexmem,codemem:memory_explain")

    assert [tool.name for tool in both.tools][-2:] == ["save_memory", "memory_explain"]
    assert both.instructions == registry.load("codexmem").instructions


def test_a_tool_that_a_dialect_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(UnknownDialect, match=r"codemem has no tool explain \(there is memory_"):
        registry.load("codemem:explain")


def test_the_parrot_answers_alone() -> None:
    with pytest.raises(RecollectError):
        ask_in("here")("klingon", {})
