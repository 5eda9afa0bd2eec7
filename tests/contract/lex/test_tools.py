"""Lex's eight tools as they are listed, by all of their names."""

from __future__ import annotations

import subprocess
import sys

import pytest

from contract.lex.conftest import FRAME, Lex
from promises import last, promise
from recollect.dialect import registry
from recollect.dialects.lex.dialect import dialect

# name → description, properties, required
EIGHT = {
    "lex.remember": (
        "Store a new Frame (episodic memory snapshot).",
        {
            *("reference_point", "summary_caption", "status_snapshot", "module_scope"),
            *("branch", "jira", "keywords", "atlas_frame_id", "images"),
        },
        ["reference_point", "summary_caption", "status_snapshot", "module_scope"],
    ),
    "lex.validate_remember": (
        None,  # the contract has no words for it
        {
            *("reference_point", "summary_caption", "status_snapshot", "module_scope"),
            *("branch", "jira", "keywords", "atlas_frame_id", "images"),
        },
        ["reference_point", "summary_caption", "status_snapshot", "module_scope"],
    ),
    "lex.recall": (
        ("Search Frames by reference point, branch, or Jira ticket. Returns Frame + Atlas Frame."),
        {"reference_point", "jira", "branch", "limit", "include_images"},
        [],
    ),
    "lex.list_frames": (
        "List recent Frames with optional filtering.",
        {"branch", "module", "limit", "since"},
        [],
    ),
    "lex.policy_check": (
        "Validate code against policy rules from `lexmap.policy.json`.",
        {"path", "policyPath", "strict"},
        [],
    ),
    "lex.timeline": (
        "Show visual timeline of Frame evolution for a ticket or branch.",
        {"ticketOrBranch", "since", "until", "format"},
        ["ticketOrBranch"],
    ),
    "lex.code_atlas": (
        "Analyze code structure and dependencies across modules.",
        {"seedModules", "foldRadius"},
        [],
    ),
    "lex.introspect": (
        "Discover the current state of Lex for agent self-discovery.",
        {"format"},
        [],
    ),
}


@promise("lex:tools:published")
def test_the_eight_published_tools_are_listed_in_their_order() -> None:
    tools = dialect().tools

    assert [tool.name for tool in tools] == list(EIGHT)
    for tool in tools:
        description, properties, required = EIGHT[tool.name]
        assert description in (None, tool.description)
        assert isinstance(tool.input_schema["properties"], dict)
        assert set(tool.input_schema["properties"]) == properties
        assert tool.input_schema.get("required", []) == required
        assert tool.own_checks == properties, "every mistake has a code of its own"
        assert tool.is_read_only == (tool.name != "lex.remember")


@promise("lex:tools:names")
@pytest.mark.parametrize("name", [name.removeprefix("lex.") for name in EIGHT])
def test_each_tool_is_understood_by_its_three_names(name: str) -> None:
    lex = dialect()

    found = {lex.tool(spelled).name for spelled in (f"lex.{name}", f"lex_{name}", name)}

    assert found == {f"lex.{name}"}


@promise("lex:tools:underscore")
def test_names_are_listed_with_underscores_where_that_is_asked_for() -> None:
    plain = registry.spelled_plainly(dialect())

    assert [tool.name for tool in plain.tools] == [name.replace(".", "_") for name in EIGHT]
    assert plain.tool("lex.remember") is plain.tool("remember")


@promise("lex:tools:together")
def test_other_dialects_keep_their_names_beside_lex() -> None:
    both = registry.load("codexmem,lex")

    assert both.tool("timeline").name == "timeline"
    assert both.tool("timeline").description != both.tool("lex.timeline").description
    assert not both.takes_bare_lines
    assert not both.words_unknown_tools


ABSENT = [
    ("lex.recall", {"jira": "TICKET-123", "branch": None, "limit": None}, "null is absent"),
    ("lex.recall", {"jira": "TICKET-123", "extra": {"a": 1}}, "what is unknown is ignored"),
    ("lex.list_frames", {"since": None, "module": ""}, "an empty text is absent as well"),
    ("lex.introspect", {"format": None}, "null is the default"),
]


@promise("lex:tools:absent")
@pytest.mark.parametrize(("tool", "arguments", "because"), ABSENT, ids=last)
def test_what_is_null_is_absent(
    lex: Lex, tool: str, arguments: dict[str, object], because: str
) -> None:
    lex.remember()

    assert lex.call(tool, **arguments), because


@promise("lex:tools:data")
def test_every_result_carries_its_data_as_structured_content(lex: Lex) -> None:
    lex.remember()
    asked: dict[str, dict[str, object]] = {
        "lex.validate_remember": FRAME,
        "lex.recall": {"jira": "TICKET-123"},
        "lex.timeline": {"ticketOrBranch": "TICKET-123"},
    }

    for name in EIGHT.keys() - {"lex.remember"}:
        reply = lex.reply(name, **asked.get(name, {}))
        assert reply.has_data, name
        assert reply.structured, name
        assert reply.text.strip(), name


@promise("lex:tools:light")
def test_parsers_and_distances_are_loaded_when_they_are_needed() -> None:
    listing = "import sys; from recollect.dialect import registry; registry.load('lex')"
    heavy = "print(*(m for m in ('tree_sitter', 'pathspec', 'rapidfuzz') if m in sys.modules))"

    done = subprocess.run(
        [sys.executable, "-c", f"{listing}; {heavy}"], capture_output=True, check=True, text=True
    )

    assert done.stdout.strip() == ""
