"""`lex.recall`, `lex.list_frames` and what they tell of each frame."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from contract.lex.conftest import FRAME, PNG, Lex
from contract.world import MINUTE, NOW
from promises import last, promise
from recollect.dialects.lex import recalling

IMAGE = {"data": base64.b64encode(PNG).decode(), "mime_type": "image/png"}
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>'


@promise("lex:recall:frames")
def test_the_data_carries_the_full_frames_with_their_atlas(lex: Lex) -> None:
    frame_id = lex.remember(atlas_frame_id="atlas-7")

    assert lex.recalled(reference_point="auth") == [
        {
            "id": frame_id,
            "timestamp": "2026-09-21T14:13:20.000Z",
            "branch": "feature/auth",
            "module_scope": ["ui/panel", "services/auth-core"],
            "summary_caption": FRAME["summary_caption"],
            "reference_point": FRAME["reference_point"],
            "status_snapshot": FRAME["status_snapshot"],
            "jira": "TICKET-123",
            "keywords": FRAME["keywords"],
            "atlas_frame_id": "atlas-7",
            "atlas": {
                "atlas_timestamp": "2026-09-21T14:13:20.000Z",
                "seed_modules": ["ui/panel", "services/auth-core"],
                "fold_radius": 1,
                "modules": [
                    {
                        "id": "ui/panel",
                        "coords": [0, 0],
                        "owns_paths": ["ui/**"],
                        "allowed_callers": [],
                    },
                    {
                        "id": "services/auth-core",
                        "coords": [1, 0],
                        "owns_paths": ["services/auth/**"],
                        "allowed_callers": ["ui/panel", "services/orders"],
                    },
                    {
                        "id": "services/orders",
                        "coords": [1, 1],
                        "owns_paths": ["services/orders/**"],
                        "allowed_callers": ["ui/*"],
                    },
                    {
                        "id": "services/ledger",
                        "coords": [2, 0],
                        "owns_paths": ["services/ledger/**"],
                        "forbidden_callers": ["ui/panel"],
                        "notes": "only orders may post entries",
                        "allowed_callers": ["services/orders"],
                    },
                ],
                "edges": [
                    {"from": "ui/panel", "to": "services/auth-core", "allowed": True},
                    {"from": "services/orders", "to": "services/auth-core", "allowed": True},
                    {"from": "ui/panel", "to": "services/orders", "allowed": True},
                    {"from": "services/orders", "to": "services/ledger", "allowed": True},
                    {
                        "from": "ui/panel",
                        "to": "services/ledger",
                        "allowed": False,
                        "reason": "forbidden_caller",
                    },
                ],
                "truncated": False,
                "critical_rule": (
                    "Every string in module_scope is a module id of lexmap.policy.json."
                ),
            },
        }
    ]


@promise("lex:recall:text-form")
def test_the_text_tells_each_frame_with_its_labels(bare_lex: Lex) -> None:
    first = bare_lex.remember(module_scope=["a", "b"])
    bare_lex.now += MINUTE
    second = bare_lex.remember(
        jira=None, keywords=[], status_snapshot={"next_action": "go on"}, module_scope=["a"]
    )

    assert bare_lex.text("lex.recall", reference_point="auth dead") == (
        "🎯 Found 2 Frame(s):\n"
        "\n"
        "--- Frame 1/2 ---\n"
        f"ID: {second}\n"
        "📍 Reference: that auth deadlock\n"
        "💬 Summary: Auth handshake timeout; Add User button disabled\n"
        "📦 Modules: a\n"
        "🌿 Branch: main\n"
        "📅 Timestamp: 2026-09-21T14:14:20.000Z\n"
        "Status:\n"
        "  ⏭️  Next Action: go on\n"
        "  🚫 Blockers (0): none\n"
        "  ⛔ Merge Blockers (0): none\n"
        "  ❌ Tests Failing (0): none\n"
        "\n"
        "📊 Atlas Frame (fold radius: 1)\n"
        "🌱 Seed modules: a\n"
        "📦 Total modules in neighborhood: 1\n"
        "\n"
        "--- Frame 2/2 ---\n"
        f"ID: {first}\n"
        "📍 Reference: that auth deadlock\n"
        "💬 Summary: Auth handshake timeout; Add User button disabled\n"
        "📦 Modules: a, b\n"
        "🌿 Branch: main\n"
        "🎫 Jira: TICKET-123\n"
        "📅 Timestamp: 2026-09-21T14:13:20.000Z\n"
        "Status:\n"
        "  ⏭️  Next Action: Reroute user-admin-panel to call user-access-api\n"
        "  🚫 Blockers (0): none\n"
        "  ⛔ Merge Blockers (1): Direct call to auth-core forbidden by policy\n"
        "  ❌ Tests Failing (1): test_add_user_button_enabled\n"
        "🏷️  Keywords: auth, timeout, policy-violation\n"
        "\n"
        "📊 Atlas Frame (fold radius: 1)\n"
        "🌱 Seed modules: a, b\n"
        "📦 Total modules in neighborhood: 2\n"
    )


@promise("lex:recall:nothing")
def test_no_match_is_a_result(lex: Lex) -> None:
    lex.remember()

    reply = lex.reply("lex.recall", reference_point="zebra")

    assert reply.text.startswith("🔍 No matching Frames found.")
    assert reply.structured == {"frames": []}


NO_LIMIT: list[object] = ["5", 5.0, True, -1, []]
NO_TEXT: list[object] = [5, ["auth"], {}, False]

# arguments → code, field or missing, what the message says
REFUSED: list[tuple[str, dict[str, Any], str, dict[str, Any], str]] = [
    (
        "lex.recall",
        {},
        "VALIDATION_REQUIRED_FIELD",
        {"missingFields": ["reference_point", "jira", "branch"], "providedParams": []},
        "At least one search parameter required",
    ),
    (
        "lex.recall",
        {"reference_point": "", "limit": 5},
        "VALIDATION_REQUIRED_FIELD",
        {"providedParams": ["reference_point", "limit"]},
        "At least one search parameter required",
    ),
    *(
        (
            "lex.recall",
            {"jira": "A-1", name: wrong},
            "VALIDATION_INVALID_FORMAT",
            {"field": name},
            "",
        )
        for name, wrong in (
            *(("limit", value) for value in NO_LIMIT),
            *(("reference_point", value) for value in NO_TEXT),
            ("branch", 5),
            ("branch", []),
            ("include_images", "true"),
            ("include_images", 1),
        )
    ),
    *(
        ("lex.list_frames", {name: wrong}, "VALIDATION_INVALID_FORMAT", {"field": name}, "")
        for name, wrong in (
            *(("limit", value) for value in ("5", 0.5, -1)),
            *(("since", value) for value in ("yesterday", "2025-13-01", "2025-02-30", 5, "0", "٣")),
            ("module", 5),
            ("branch", ["a"]),
        )
    ),
]


@promise("lex:recall:refused")
@pytest.mark.parametrize(("tool", "arguments", "code", "metadata", "said"), REFUSED)
def test_what_is_wrong_with_a_question_has_its_code(
    lex: Lex, tool: str, arguments: dict[str, Any], code: str, metadata: dict[str, Any], said: str
) -> None:
    error = lex.refused(tool, **arguments)

    assert error["code"] == code
    assert {name: error["metadata"][name] for name in metadata} == metadata
    assert said in error["message"]


LIMITS = [
    (None, 10, "ten by default"),
    (0, 0, "none at all"),
    (3, 3, "as many as asked for"),
    (10**30, 12, "more than there are is all of them"),
]


@promise("lex:recall:limit")
@pytest.mark.parametrize("tool", ["lex.recall", "lex.list_frames"])
@pytest.mark.parametrize(("limit", "count", "because"), LIMITS, ids=last)
def test_a_limit_is_how_many_frames_are_told(
    lex: Lex, tool: str, limit: int | None, count: int, because: str
) -> None:
    for number in range(12):
        lex.now = NOW + number
        lex.remember()

    told = lex.call(tool, branch="feature/auth", limit=limit)["frames"]

    assert len(told) == count, because


@promise("lex:recall:images")
def test_what_was_attached_is_read_back_byte_for_byte(lex: Lex) -> None:
    images = [IMAGE, {"data": base64.b64encode(SVG).decode(), "mime_type": "image/png"}]
    lex.remember(images=images)

    reply = lex.reply("lex.recall", jira="TICKET-123", include_images=True)

    pictures = [(each.mime_type, each.data) for each in reply.pictures]
    assert pictures == [("image/png", PNG), ("image/svg+xml", SVG)]
    (frame,) = lex.recalled(jira="TICKET-123")
    assert frame["images"] == [
        {"number": 1, "mime_type": "image/png", "size": len(PNG)},
        {"number": 2, "mime_type": "image/svg+xml", "size": len(SVG)},
    ]
    assert lex.reply("lex.recall", jira="TICKET-123").pictures == ()


@promise("lex:list:text-form")
def test_the_list_tells_the_newest_first(bare_lex: Lex) -> None:
    first = bare_lex.remember(module_scope=["a"])
    bare_lex.now += MINUTE
    second = bare_lex.remember(module_scope=["b"], reference_point="the other one")

    assert bare_lex.text("lex.list_frames") == (
        "📋 Recent Frames (2):\n"
        "\n"
        "1. the other one\n"
        f"   ID: {second}\n"
        "   💬 Summary: Auth handshake timeout; Add User button disabled\n"
        "   📦 Modules: b\n"
        "   🌿 Branch: main\n"
        "   📅 Timestamp: 2026-09-21T14:14:20.000Z\n"
        "   📊 Atlas Frame (fold radius: 1)\n"
        "   🌱 Seed modules: b\n"
        "   📦 Total modules in neighborhood: 1\n"
        "\n"
        "2. that auth deadlock\n"
        f"   ID: {first}\n"
        "   💬 Summary: Auth handshake timeout; Add User button disabled\n"
        "   📦 Modules: a\n"
        "   🌿 Branch: main\n"
        "   📅 Timestamp: 2026-09-21T14:13:20.000Z\n"
        "   📊 Atlas Frame (fold radius: 1)\n"
        "   🌱 Seed modules: a\n"
        "   📦 Total modules in neighborhood: 1\n"
    )
    assert bare_lex.text("lex.list_frames", module="c") == (
        "📋 No Frames found matching criteria.\n"
    )


SINCE = [
    ("2026-09-21T14:13:20Z", 2, "its moment included"),
    ("2026-09-21T14:13:20.001Z", 1, "a millisecond later"),
    ("2026-09-21T16:13:20+02:00", 2, "in another zone"),
    ("2026-09-21T14:13:20", 2, "without a zone it is UTC"),
    ("2026-09-21", 2, "from the beginning of a day"),
    ("2026-09-22", 0, "from the next one"),
    (" 2026-09-21T14:13:20Z ", 2, "blanks around it"),
]


@promise("lex:list:since")
@pytest.mark.parametrize(("since", "count", "because"), SINCE, ids=last)
def test_since_is_a_moment_that_counts(lex: Lex, since: str, count: int, because: str) -> None:
    lex.remember()
    lex.now += MINUTE
    lex.remember()

    assert len(lex.call("lex.list_frames", since=since)["frames"]) == count, because


@promise("lex:recall:scope")
def test_frames_of_other_projects_are_left_out_unless_the_store_is_the_workspaces_own(
    lex: Lex,
) -> None:
    lex.remember()
    lex.project = "beta"

    assert lex.recalled(jira="TICKET-123") == []
    assert lex.call("lex.introspect")["state"]["frameCount"] == 0
    assert lex.call("lex.timeline", ticketOrBranch="TICKET-123")["frames"] == []
    lex.has_all_frames = True
    assert len(lex.recalled(jira="TICKET-123")) == 1
    assert len(lex.call("lex.list_frames")["frames"]) == 1
    assert lex.call("lex.introspect")["state"]["frameCount"] == 1
    assert len(lex.call("lex.timeline", ticketOrBranch="TICKET-123")["frames"]) == 1


@promise("lex:recall:images")
def test_images_that_are_too_many_for_one_answer_are_counted(
    lex: Lex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalling, "MOST_BYTES", 2 * len(PNG))
    lex.remember(images=[IMAGE, IMAGE, IMAGE])

    reply = lex.reply("lex.recall", jira="TICKET-123", include_images=True)

    assert reply.structured is not None
    assert len(reply.pictures) == 2
    assert reply.structured["images_left_out"] == 1
    assert "Images left out: 1" in reply.text
