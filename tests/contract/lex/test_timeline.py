"""`lex.timeline` as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.lex.conftest import Lex
from contract.world import DAY, NOW
from promises import last, promise

STEPS: list[dict[str, Any]] = [
    {
        "summary_caption": "Timeout found",
        "module_scope": ["ui"],
        "status_snapshot": {"next_action": "a", "blockers": ["No access"]},
    },
    {
        "summary_caption": "Access given",
        "module_scope": ["ui", "auth"],
        "status_snapshot": {"next_action": "b", "tests_failing": ["test_login"]},
    },
    {
        "summary_caption": "Rerouted",
        "module_scope": ["auth"],
        "status_snapshot": {"next_action": "c"},
    },
]


@pytest.fixture
def ids(bare_lex: Lex) -> list[str]:
    """Three frames of a ticket, a day apart."""
    told = []
    for number, step in enumerate(STEPS):
        bare_lex.now = NOW + number * DAY
        told.append(bare_lex.remember(**step))
    return told


@promise("lex:timeline:text")
def test_the_text_shows_how_frames_modules_and_blockers_evolved(
    bare_lex: Lex, ids: list[str]
) -> None:
    assert bare_lex.text("lex.timeline", ticketOrBranch="TICKET-123") == (
        "\n"
        "TICKET-123: Timeline\n"
        "════════════════════\n"
        "\n"
        f"Sep 21, 02:13 PM  [Frame #{ids[0]}]  Timeout found\n"
        "              Modules: ui\n"
        "              + Added: ui\n"
        "              Status: ⚠️ Blocked\n"
        "              + ⚠️ No access\n"
        "\n"
        f"Sep 22, 02:13 PM  [Frame #{ids[1]}]  Access given\n"
        "              Modules: ui, auth\n"
        "              + Added: auth\n"
        "              Status: ❌ Tests failing\n"
        "              - ✅ Resolved: No access\n"
        "              ❌ test_login\n"
        "\n"
        f"Sep 23, 02:13 PM  [Frame #{ids[2]}]  Rerouted\n"
        "              Modules: auth\n"
        "              - Removed: ui\n"
        "              Status: ✅ In progress\n"
        "\n"
        "════════════════════\n"
        "\n"
        "Module Scope Evolution:\n"
        "  auth   ██  (2/3 frames)\n"
        "  ui    ██   (2/3 frames)\n"
        "\n"
        "Blocker Tracking:\n"
        "  Frame 1:\n"
        "    + No access\n"
        "  Frame 2:\n"
        "    - No access (resolved)\n"
    )


@promise("lex:timeline:json")
def test_as_json_it_is_an_array_of_frames_with_their_changes(bare_lex: Lex, ids: list[str]) -> None:
    reply = bare_lex.reply("lex.timeline", ticketOrBranch="TICKET-123", format="json")

    told = json.loads(reply.text)
    assert [each["frame"]["id"] for each in told] == ids
    assert [{name: each[name] for name in each if name != "frame"} for each in told] == [
        {
            "modulesAdded": ["ui"],
            "modulesRemoved": [],
            "blockersAdded": ["No access"],
            "blockersRemoved": [],
        },
        {
            "modulesAdded": ["auth"],
            "modulesRemoved": [],
            "blockersAdded": [],
            "blockersRemoved": ["No access"],
        },
        {
            "modulesAdded": [],
            "modulesRemoved": ["ui"],
            "blockersAdded": [],
            "blockersRemoved": [],
        },
    ]
    assert reply.structured == {
        "ticketOrBranch": "TICKET-123",
        "kind": "ticket",
        "frames": told,
    }


WITHIN = [
    ({"since": "2026-09-22T14:13:20Z"}, [1, 2], "from this moment on"),
    ({"until": "2026-09-22T14:13:20Z"}, [0, 1], "until this moment, itself included"),
    ({"until": "2026-09-22"}, [0, 1], "a day alone is all of it"),
    ({"since": "2026-09-22", "until": "2026-09-22"}, [1], "one day"),
    ({"since": None, "until": ""}, [0, 1, 2], "what is absent is no limit"),
]


@promise("lex:timeline:dates")
@pytest.mark.parametrize(("dates", "places", "because"), WITHIN, ids=last)
def test_dates_are_inclusive_and_changes_are_seen_from_the_frame_before(
    bare_lex: Lex, ids: list[str], dates: dict[str, object], places: list[int], because: str
) -> None:
    told = bare_lex.call("lex.timeline", ticketOrBranch="TICKET-123", **dates)["frames"]

    assert [each["frame"]["id"] for each in told] == [ids[place] for place in places], because
    changes = {"blockersRemoved": ["No access"]}.items()
    assert [bool(changes <= each.items()) for each in told] == [place == 1 for place in places]


@promise("lex:timeline:nothing")
def test_nothing_found_is_told_as_such(bare_lex: Lex, ids: list[str]) -> None:
    assert ids
    assert bare_lex.text("lex.timeline", ticketOrBranch="T-9") == (
        '🔍 No frames found for: "T-9"\n'
    )
    assert "No frames found in the specified date range" in bare_lex.text(
        "lex.timeline", ticketOrBranch="TICKET-123", since="2030-01-01"
    )
    assert bare_lex.text("lex.timeline", ticketOrBranch="T-9", format="json") == "[]"


@promise("lex:timeline:titles")
def test_a_branch_has_its_own_title(bare_lex: Lex, ids: list[str]) -> None:
    assert ids
    assert bare_lex.text("lex.timeline", ticketOrBranch="main").startswith(
        "\nBranch main: Timeline\n═════════════════════\n"
    )
    assert bare_lex.call("lex.timeline", ticketOrBranch="main")["kind"] == "branch"
    assert bare_lex.text("lex.timeline", ticketOrBranch="main", format="html").startswith(
        "\nBranch main"
    ), "a format that is unknown is text, as published"


REFUSED = [
    ({}, "VALIDATION_REQUIRED_FIELD", {"missingFields": ["ticketOrBranch"]}),
    ({"ticketOrBranch": ""}, "VALIDATION_REQUIRED_FIELD", {"missingFields": ["ticketOrBranch"]}),
    ({"ticketOrBranch": 7}, "VALIDATION_INVALID_FORMAT", {"field": "ticketOrBranch"}),
    ({"since": "soon"}, "VALIDATION_INVALID_FORMAT", {"field": "since"}),
    ({"until": "2025-99-99"}, "VALIDATION_INVALID_FORMAT", {"field": "until"}),
    ({"until": "9999-12-31"}, None, {}),
    ({"since": "0001-01-01"}, None, {}),
    ({"format": 7}, "VALIDATION_INVALID_FORMAT", {"field": "format"}),
]


@promise("lex:timeline:refused")
@pytest.mark.parametrize(("changes", "code", "metadata"), REFUSED)
def test_what_is_wrong_is_refused_by_name(
    bare_lex: Lex, changes: dict[str, Any], code: str | None, metadata: dict[str, Any]
) -> None:
    asked = (
        changes
        if "ticketOrBranch" in changes or not changes
        else {"ticketOrBranch": "T-1", **changes}
    )
    if code is None:
        assert bare_lex.call("lex.timeline", **asked)
        return

    error = bare_lex.refused("lex.timeline", **asked)

    assert (error["code"], error["metadata"]) == (code, metadata)
