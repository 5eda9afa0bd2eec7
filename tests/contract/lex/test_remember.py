"""`lex.remember` and `lex.validate_remember`."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from contract.lex.conftest import FRAME, PNG, Lex
from contract.world import NOW
from promises import last, promise

AT = "2026-09-21T14:13:20.000Z"
IMAGE = {"data": base64.b64encode(PNG).decode(), "mime_type": "image/png"}


@promise("lex:remember:result")
def test_a_frame_is_stored_and_told_with_its_id(lex: Lex) -> None:
    reply = lex.reply("lex.remember", **FRAME, atlas_frame_id="atlas-7", images=[IMAGE])

    assert reply.structured is not None
    frame_id = reply.structured["frame_id"]
    assert isinstance(frame_id, str)
    assert frame_id.startswith("frame-")
    assert reply.structured == {
        "success": True,
        "frame_id": frame_id,
        "created_at": AT,
        "atlas_frame_id": "atlas-7",
    }
    assert reply.text == (
        f"✅ Frame stored: {frame_id}\n"
        "📍 Reference: that auth deadlock\n"
        "💬 Summary: Auth handshake timeout; Add User button disabled\n"
        "📦 Modules: ui/panel, services/auth-core\n"
        "🌿 Branch: feature/auth\n"
        "🎫 Jira: TICKET-123\n"
        "🖼️  Images: 1 attached\n"
        f"📅 Timestamp: {AT}\n"
        "\n"
        "📊 Atlas Frame (fold radius: 1)\n"
        "🌱 Seed modules: ui/panel, services/auth-core\n"
        "📦 Total modules in neighborhood: 4\n"
        "🔗 Edges:\n"
        "  ui/panel → services/auth-core [✅ Allowed]\n"
        "  services/orders → services/auth-core [✅ Allowed]\n"
        "  ui/panel → services/orders [✅ Allowed]\n"
        "  services/orders → services/ledger [✅ Allowed]\n"
        "  ui/panel → services/ledger [🚫 Forbidden] - forbidden_caller\n"
    )


@promise("lex:remember:not-once")
def test_the_same_frame_may_be_stored_again(lex: Lex) -> None:
    assert lex.remember() != lex.remember()


@promise("lex:remember:branch")
def test_the_branch_is_the_workspaces_own_where_none_is_named(lex: Lex, bare_lex: Lex) -> None:
    lex.remember(jira="A-1")
    lex.remember(jira="A-2", branch="given")
    lex.around["default_branch"] = "configured"
    lex.remember(jira="A-3")
    bare_lex.remember(jira="A-4")

    branches = [lex.recalled(jira=f"A-{number}")[0]["branch"] for number in (1, 2, 3)]

    assert branches == ["feature/auth", "given", "configured"]
    assert bare_lex.recalled(jira="A-4")[0]["branch"] == "main"


BLANK: list[object] = [None, "", "  "]
NO_ACTION: list[object] = [None, "", " ", 7, []]
NO_LIST: list[object] = ["text", [1], {}, [None]]

# what is changed in the example → code, what the metadata has, what the message says
REFUSED: list[tuple[dict[str, Any], str, dict[str, Any], str]] = [
    *(
        ({name: wrong}, "VALIDATION_REQUIRED_FIELD", {"missingFields": [name]}, name)
        for name in ("reference_point", "summary_caption", "status_snapshot", "module_scope")
        for wrong in BLANK
    ),
    (
        {"reference_point": "", "module_scope": None, "summary_caption": 7},
        "VALIDATION_REQUIRED_FIELD",
        {"missingFields": ["reference_point", "module_scope"]},
        "Missing required fields: reference_point, module_scope",
    ),
    ({"reference_point": 7}, "VALIDATION_INVALID_FORMAT", {"field": "reference_point"}, "a number"),
    ({"reference_point": 0}, "VALIDATION_INVALID_FORMAT", {"field": "reference_point"}, "a number"),
    ({"summary_caption": []}, "VALIDATION_INVALID_FORMAT", {"field": "summary_caption"}, "array"),
    ({"module_scope": "ui"}, "VALIDATION_INVALID_FORMAT", {"field": "module_scope"}, "array"),
    ({"module_scope": {}}, "VALIDATION_INVALID_FORMAT", {"field": "module_scope"}, "array"),
    (
        {"module_scope": ["ui/panel", 7]},
        "VALIDATION_INVALID_FORMAT",
        {"field": "module_scope[1]"},
        "must be a string",
    ),
    ({"module_scope": []}, "VALIDATION_EMPTY_MODULE_SCOPE", {"field": "module_scope"}, "at least"),
    (
        {"status_snapshot": 7},
        "VALIDATION_INVALID_STATUS",
        {"field": "status_snapshot"},
        "status_snapshot must be an object",
    ),
    *(
        (
            {"status_snapshot": {"next_action": wrong}},
            "VALIDATION_INVALID_STATUS",
            {"field": "status_snapshot.next_action"},
            "status_snapshot.next_action",
        )
        for wrong in NO_ACTION
    ),
    *(
        (
            {"status_snapshot": {"next_action": "go on", name: wrong}},
            "VALIDATION_INVALID_STATUS",
            {},
            f"status_snapshot.{name}",
        )
        for name in ("blockers", "merge_blockers", "tests_failing")
        for wrong in NO_LIST
    ),
    ({"module_scope": [], "status_snapshot": {}}, "VALIDATION_EMPTY_MODULE_SCOPE", {}, "at least"),
    (
        {"status_snapshot": {}, "module_scope": ["nobody"]},
        "VALIDATION_INVALID_STATUS",
        {},
        "next_action",
    ),
    (
        {"module_scope": ["nobody"], "images": [{"data": "!"}]},
        "VALIDATION_INVALID_MODULE_ID",
        {"invalidIds": ["nobody"]},
        "nobody",
    ),
    *(
        ({name: 7}, "VALIDATION_INVALID_FORMAT", {"field": name}, name)
        for name in ("branch", "jira", "keywords", "atlas_frame_id", "images")
    ),
    ({"keywords": ["a", None]}, "VALIDATION_INVALID_FORMAT", {"field": "keywords[1]"}, "null"),
    ({"images": ["a"]}, "VALIDATION_INVALID_FORMAT", {"field": "images"}, "array of objects"),
    ({"images": [{}]}, "VALIDATION_INVALID_IMAGE", {"field": "images[0].data"}, "base64"),
    (
        {"images": [IMAGE, {"data": "no base64!"}]},
        "VALIDATION_INVALID_IMAGE",
        {"field": "images[1].data"},
        "images[1].data",
    ),
    (
        {"images": [{"data": base64.b64encode(b"just text").decode(), "mime_type": "image/png"}]},
        "VALIDATION_INVALID_IMAGE",
        {"field": "images[0].data"},
        "images[0].data",
    ),
    (
        {"images": [IMAGE | {"mime_type": 7}]},
        "VALIDATION_INVALID_IMAGE",
        {"field": "images[0].mime_type"},
        "mime_type",
    ),
    (
        {"reference_point": "<private>all of it</private>"},
        "VALIDATION_INVALID_FORMAT",
        {"field": "reference_point"},
        "nothing but what is private",
    ),
    (
        {"summary_caption": "x" * 100_001},
        "VALIDATION_INVALID_FORMAT",
        {"field": "summary_caption"},
        "at most 100000",
    ),
    (
        {"status_snapshot": {"next_action": "go on", "blockers": ["x" * 100_000] * 11}},
        "VALIDATION_INVALID_FORMAT",
        {"field": "status_snapshot"},
        "at most 1000000",
    ),
]


@promise("lex:remember:refused")
@pytest.mark.parametrize(("changes", "code", "metadata", "said"), REFUSED)
def test_what_is_wrong_with_a_frame_has_its_code_and_nothing_is_stored(
    lex: Lex, changes: dict[str, Any], code: str, metadata: dict[str, Any], said: str
) -> None:
    error = lex.refused("lex.remember", **(FRAME | changes))

    assert error["code"] == code
    assert {name: error["metadata"][name] for name in metadata} == metadata
    assert said in error["message"]
    assert lex.call("lex.list_frames")["frames"] == []


@promise("lex:remember:modules")
def test_an_unknown_module_is_refused_with_suggestions(lex: Lex) -> None:
    error = lex.refused("lex.remember", **(FRAME | {"module_scope": ["servcies/auth-core", "zzz"]}))

    assert error["code"] == "VALIDATION_INVALID_MODULE_ID"
    assert error["message"].startswith(
        "Invalid module IDs: servcies/auth-core, zzz. Did you mean: services/auth-core"
    )
    assert "Available modules: ui/panel, services/auth-core" in error["message"]
    assert error["metadata"]["invalidIds"] == ["servcies/auth-core", "zzz"]
    assert error["metadata"]["suggestions"][0] == "services/auth-core"
    assert error["metadata"]["availableModules"] == [
        *("ui/panel", "services/auth-core", "services/orders", "services/ledger")
    ]
    assert error["metadata"]["moduleCount"] == 4


@promise("lex:remember:strict")
def test_in_strict_mode_nothing_is_suggested(lex: Lex) -> None:
    lex.around["is_strict"] = True

    error = lex.refused("lex.remember", **(FRAME | {"module_scope": ["servcies/auth-core"]}))

    assert error["metadata"]["suggestions"] == []
    assert "Did you mean" not in error["message"]


@promise("lex:remember:no-policy")
def test_without_a_policy_any_module_is_stored(bare_lex: Lex) -> None:
    bare_lex.remember(module_scope=["whatever", "Else Where"])

    (frame,) = bare_lex.recalled(jira="TICKET-123")

    assert frame["module_scope"] == ["whatever", "Else Where"]
    assert [each["id"] for each in frame["atlas"]["modules"]] == ["whatever", "Else Where"]
    assert frame["atlas"]["edges"] == []


@promise("lex:remember:clean")
def test_secrets_and_private_parts_are_never_stored(bare_lex: Lex) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    bare_lex.remember(
        summary_caption=f"the key is {key}",
        status_snapshot={"next_action": f"rotate {key}", "blockers": [f"{key} leaked"]},
        keywords=[key, "<private>name</private>", "auth"],
        module_scope=[f"mod {key}"],
        branch=f"fix-{key}",
    )

    (frame,) = bare_lex.recalled(jira="TICKET-123")

    assert key not in str(frame)
    assert "[REDACTED]" in frame["summary_caption"]
    assert "auth" in frame["keywords"]
    assert "<private>" not in str(frame)


@promise("lex:remember:modules")
@pytest.mark.parametrize(
    ("count", "told"), [(5, "m0, m1, m2, m3, m4"), (6, "m0, m1, m2, m3, m4, ...")]
)
def test_a_message_names_five_modules_and_says_that_there_are_more(
    bare_lex: Lex, count: int, told: str
) -> None:
    place = bare_lex.folder / "named.json"
    modules = {f"m{number}": {"owns_paths": [f"m{number}/**"]} for number in range(count)}
    place.write_text(json.dumps({"modules": modules}))
    bare_lex.around = {"policy_path": str(place)}

    error = bare_lex.refused("lex.remember", **(FRAME | {"module_scope": ["a-long-way-off"]}))

    assert error["message"] == (f"Invalid module IDs: a-long-way-off. Available modules: {told}")
    assert error["metadata"]["moduleCount"] == count == len(error["metadata"]["availableModules"])


@promise("lex:validate:passes")
def test_a_valid_frame_passes_and_nothing_is_stored(lex: Lex) -> None:
    reply = lex.reply("lex.validate_remember", **FRAME)

    assert reply.text == "✅ Validation passed\n"
    assert reply.structured == {"valid": True, "errors": [], "warnings": []}
    assert lex.call("lex.list_frames")["frames"] == []


@promise("lex:validate:collects")
def test_everything_that_is_wrong_is_told_at_once(lex: Lex) -> None:
    reply = lex.reply(
        "lex.validate_remember",
        reference_point="",
        summary_caption=7,
        status_snapshot={"blockers": "x"},
        module_scope=["servcies/auth-core", 7, None],
        jira="no ticket",
        images=[{"data": "!"}, IMAGE | {"mime_type": "image/bmp"}],
    )

    assert not reply.is_error
    assert reply.structured is not None
    errors, warnings = reply.structured["errors"], reply.structured["warnings"]
    assert isinstance(errors, list)
    assert isinstance(warnings, list)
    assert [(each["field"], each["code"]) for each in errors] == [  # type: ignore[index, call-overload]
        ("reference_point", "VALIDATION_REQUIRED_FIELD"),
        ("summary_caption", "VALIDATION_INVALID_FORMAT"),
        ("module_scope[1]", "VALIDATION_INVALID_FORMAT"),
        ("module_scope[2]", "VALIDATION_INVALID_FORMAT"),
        ("status_snapshot.next_action", "VALIDATION_INVALID_STATUS"),
        ("status_snapshot.blockers", "VALIDATION_INVALID_STATUS"),
        ("module_scope", "VALIDATION_INVALID_MODULE_ID"),
        ("images[0].data", "VALIDATION_INVALID_IMAGE"),
    ]
    assert [each["field"] for each in warnings] == ["jira", "images[1].mime_type"]  # type: ignore[index, call-overload]
    assert reply.text.startswith(
        "❌ Validation failed\n\nErrors:\n  - reference_point: is required\n"
        "  - summary_caption: must be a string, not a number\n"
    )
    assert "  - images[0].data: the data is not base64\n" in reply.text, "no name is said twice"
    assert (
        "Module 'servcies/auth-core' not found in policy. Did you mean 'services/auth-core'?"
        in reply.text
    )
    assert "\nSuggestions: services/auth-core" in reply.text
    assert "\n⚠️  Warnings:\n  - jira: " in reply.text


WARNED = [
    ("T-1", ["jira"], "a project of one letter is uncommon"),
    ("ticket-123", [], "capital or not makes no difference"),
    ("AB2-7", [], "digits within the project's name"),
    ("123", ["jira"], "a number alone"),
]


@promise("lex:validate:warnings")
@pytest.mark.parametrize(("jira", "fields", "because"), WARNED, ids=last)
def test_what_is_uncommon_is_a_warning_only(
    lex: Lex, jira: str, fields: list[str], because: str
) -> None:
    told = lex.call("lex.validate_remember", **(FRAME | {"jira": jira}))

    assert told["valid"]
    assert [each["field"] for each in told["warnings"]] == fields, because


@promise("lex:validate:warnings")
def test_a_missing_policy_is_a_warning(bare_lex: Lex) -> None:
    told = bare_lex.call("lex.validate_remember", **FRAME)

    assert told["valid"]
    assert [each["field"] for each in told["warnings"]] == ["module_scope"]


@promise("lex:validate:warnings")
def test_validation_and_storing_agree(lex: Lex) -> None:
    for changes, *_ in REFUSED:
        assert not lex.call("lex.validate_remember", **(FRAME | changes))["valid"], changes


@promise("lex:remember:time")
def test_the_time_is_the_servers(lex: Lex) -> None:
    lex.now = NOW + 1

    assert lex.call("lex.remember", **FRAME)["created_at"] == "2026-09-21T14:13:20.001Z"
