"""`lex.introspect`, `lex.policy_check`, `lex.code_atlas`: what there is, and whether it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.lex.conftest import POLICY, Lex
from promises import promise
from recollect import __version__

CODES = [
    *("VALIDATION_REQUIRED_FIELD", "VALIDATION_INVALID_FORMAT", "VALIDATION_INVALID_MODULE_ID"),
    *("VALIDATION_EMPTY_MODULE_SCOPE", "VALIDATION_INVALID_STATUS", "VALIDATION_INVALID_IMAGE"),
    *("VALIDATION_INVALID_PATH", "STORAGE_WRITE_FAILED", "STORAGE_READ_FAILED"),
    *("STORAGE_DELETE_FAILED", "STORAGE_IMAGE_FAILED", "POLICY_NOT_FOUND", "POLICY_INVALID"),
    *("INTERNAL_UNKNOWN_TOOL", "INTERNAL_UNKNOWN_METHOD", "INTERNAL_ERROR"),
]
SHORT = [
    *("VAL_FIE", "VAL_FOR", "VAL_ID", "VAL_SCO", "VAL_STA", "VAL_IMA", "VAL_PAT"),
    *("STO_FAI", "STO_FAI", "STO_FAI", "STO_FAI", "POL_FOU", "POL_INV"),
    *("INT_TOO", "INT_MET", "INT_ERR"),
]
MODULES = sorted(POLICY["modules"])


@promise("lex:introspect:full")
def test_the_full_form_tells_the_state_of_everything(lex: Lex) -> None:
    lex.remember()

    reply = lex.reply("lex.introspect")

    assert reply.structured == {
        "version": __version__,
        "policy": {"modules": MODULES, "moduleCount": 4},
        "state": {
            "frameCount": 1,
            "latestFrame": "2026-09-21T14:13:20.000Z",
            "currentBranch": "feature/auth",
        },
        "capabilities": {"encryption": True, "images": True},
        "errorCodes": CODES,
    }
    assert reply.text == (
        "🔍 Lex Introspection\n\n"
        f"📦 Version: {__version__}\n\n"
        "📋 Policy:\n"
        "  Modules: 4\n"
        f"  Module IDs: {', '.join(MODULES)}\n\n"
        "📊 State:\n"
        "  Frames: 1\n"
        "  Latest Frame: 2026-09-21T14:13:20.000Z\n"
        "  Branch: feature/auth\n\n"
        "⚙️  Capabilities:\n"
        "  Encryption: ✅\n"
        "  Images: ✅\n\n"
        "🚨 Error Codes (16):\n"
        f"  {', '.join(CODES)}\n"
    )


@promise("lex:introspect:full")
def test_without_a_policy_and_frames_it_says_so(bare_lex: Lex) -> None:
    reply = bare_lex.reply("lex.introspect", format="no such")

    assert reply.structured is not None
    assert reply.structured["policy"] is None
    assert reply.structured["state"] == {
        "frameCount": 0,
        "latestFrame": None,
        "currentBranch": "main",
    }
    assert "📋 Policy: Not loaded\n" in reply.text
    assert "  Latest Frame: none\n" in reply.text


@promise("lex:introspect:compact")
def test_the_compact_form_is_the_same_json_as_text_and_data(lex: Lex, bare_lex: Lex) -> None:
    reply = lex.reply("lex.introspect", format="compact")

    assert reply.structured == {
        "v": __version__,
        "caps": ["enc", "img"],
        "state": {"frames": 0, "branch": "feature/auth"},
        "mods": 4,
        "errs": SHORT,
    }
    assert json.loads(reply.text) == reply.structured
    assert reply.text.startswith('{\n  "v": ')
    assert bare_lex.call("lex.introspect", format="compact")["mods"] == 0


@promise("lex:policy-check:texts")
def test_a_valid_policy_is_told_with_its_warnings_and_violations(lex: Lex) -> None:
    lex.remember()

    reply = lex.reply("lex.policy_check")

    assert reply.structured is not None
    assert reply.text == (
        "❌ Policy invalid: 1 error(s) found\n"
        "\n"
        "Errors:\n"
        "  ❌ services/ledger/__init__.py:1: services/ledger → services/orders is not allowed "
        "(missing_allowed_caller): it imports services/orders/book.py\n"
    )
    assert reply.structured["valid"] is False
    assert reply.structured["violationCount"] == 1
    assert reply.structured["violations"] == [
        {
            "from": "services/ledger",
            "to": "services/orders",
            "from_file": "services/ledger/__init__.py",
            "to_file": "services/orders/book.py",
            "line": 1,
            "reason": "missing_allowed_caller",
        }
    ]


# the policy → the text
TEXTS: list[tuple[dict[str, Any], bool, str]] = [
    ({}, False, "✅ Policy valid: 0 modules defined\n"),
    (
        {"ui/panel": {"owns_paths": ["ui/**"]}},
        False,
        "✅ Policy valid: 1 modules defined\n",
    ),
    (
        {"orphan-module": {"owns_paths": ["nowhere/**"]}},
        False,
        (
            "✅ Policy valid: 1 modules defined\n\nWarnings:\n"
            "  ⚠️  modules.orphan-module: Module has no matching files\n"
        ),
    ),
    (
        {"orphan-module": {"owns_paths": ["nowhere/**"]}},
        True,
        (
            "❌ Policy invalid: 1 warning(s) found in strict mode\n\nWarnings:\n"
            "  ⚠️  modules.orphan-module: Module has no matching files\n"
        ),
    ),
    (
        {"bad-module": {}},
        False,
        (
            "❌ Policy invalid: 1 error(s) found\n\nErrors:\n"
            "  ❌ modules.bad-module: Missing required field 'owns_paths'\n\n"
        ),
    ),
]


@promise("lex:policy-check:texts")
@pytest.mark.parametrize(("modules", "is_strict", "text"), TEXTS)
def test_the_published_texts(lex: Lex, modules: dict[str, Any], is_strict: bool, text: str) -> None:
    (lex.folder / "other.json").write_text(json.dumps({"modules": modules}))

    told = lex.text("lex.policy_check", policyPath="other.json", strict=is_strict)

    assert told.startswith(text.rstrip("\n"))


@promise("lex:policy-check:codes")
def test_what_cannot_be_checked_is_refused(lex: Lex, bare_lex: Lex) -> None:
    (lex.folder / "broken.json").write_text("{")
    asked: list[tuple[Lex, dict[str, Any], str, str]] = [
        (bare_lex, {}, "POLICY_NOT_FOUND", "lexmap.policy.json"),
        (lex, {"policyPath": "nowhere.json"}, "POLICY_NOT_FOUND", "nowhere.json"),
        (lex, {"policyPath": "broken.json"}, "POLICY_INVALID", "broken.json"),
        (lex, {"path": "../../nowhere"}, "VALIDATION_INVALID_PATH", "nowhere"),
        (lex, {"path": 7}, "VALIDATION_INVALID_FORMAT", "path"),
        (lex, {"strict": "yes"}, "VALIDATION_INVALID_FORMAT", "strict"),
        (lex, {"policyPath": []}, "VALIDATION_INVALID_FORMAT", "policyPath"),
    ]

    for door, arguments, code, said in asked:
        error = door.refused("lex.policy_check", **arguments)
        assert (error["code"], said in error["message"]) == (code, True), arguments


@promise("lex:policy-check:default")
def test_the_published_default_is_the_last_place(lex: Lex, bare_lex: Lex) -> None:
    place = bare_lex.folder / "lexmap.policy.json"
    place.write_text(json.dumps({"modules": {"app": {"owns_paths": ["app/**"]}}}))
    (bare_lex.folder / "app").mkdir()
    (lex.folder / "lexmap.policy.json").write_text("{}")

    for asked in ({}, {"path": "."}, {"path": "app"}):
        told = bare_lex.call("lex.policy_check", **asked)
        assert (told["policyPath"], told["moduleCount"]) == (str(place), 1), asked
    assert lex.call("lex.policy_check")["moduleCount"] == 4, "what was found comes first"
    assert bare_lex.remember(module_scope=["anything"]), "only a check looks there"


@promise("lex:code-atlas:data")
def test_code_is_told_by_modules_with_units_and_edges(lex: Lex) -> None:
    told = lex.call("lex.code_atlas", seedModules=["services/ledger"], foldRadius=1)

    assert told["seeds"] == ["services/ledger"]
    assert told["fold_radius"] == 1
    assert told["truncated"] is False
    assert told["limits"]["modules"] == 500
    assert {each["id"] for each in told["modules"]} == {
        *("services/ledger", "services/orders", "ui/panel")
    }
    orders = next(each for each in told["modules"] if each["id"] == "services/orders")
    assert orders["files"] == ["services/orders/__init__.py", "services/orders/book.py"]
    assert {
        "kind": "class",
        "name": "Book",
        "file": "services/orders/book.py",
        "start_line": 1,
        "end_line": 3,
    } in orders["units"]
    assert {
        "from": "services/ledger",
        "to": "services/orders",
        "kind": "import",
        "allowed": False,
        "reason": "missing_allowed_caller",
        "count": 1,
    } in told["edges"]
    assert {
        "from": "ui/panel",
        "to": "services/ledger",
        "kind": "policy",
        "allowed": False,
        "reason": "forbidden_caller",
        "count": 1,
    } in told["edges"]


@promise("lex:code-atlas:text")
def test_the_text_names_modules_edges_and_units(lex: Lex) -> None:
    text = lex.text("lex.code_atlas", seedModules=["ui/panel"], foldRadius=0)

    assert text.startswith(
        "🗺️  Code Atlas Generated\n\nRepository: alpha\n🌱 Seed modules: ui/panel (fold radius: 0)\n"
    )
    assert "  ui/panel (2 files, 1 units)\n" in text
    assert "    - function: show (lines 4-5)\n" in text


@promise("lex:code-atlas:refused")
def test_a_seed_that_is_not_in_the_policy_is_refused(lex: Lex) -> None:
    asked: list[tuple[dict[str, Any], str]] = [
        ({"seedModules": ["servcies/ledger"]}, "VALIDATION_INVALID_MODULE_ID"),
        ({"seedModules": "ui/panel"}, "VALIDATION_INVALID_FORMAT"),
        ({"seedModules": [7]}, "VALIDATION_INVALID_FORMAT"),
        ({"foldRadius": "1"}, "VALIDATION_INVALID_FORMAT"),
        ({"foldRadius": -1}, "VALIDATION_INVALID_FORMAT"),
        ({"foldRadius": 1.5}, "VALIDATION_INVALID_FORMAT"),
    ]

    for arguments, code in asked:
        assert lex.refused("lex.code_atlas", **arguments)["code"] == code, arguments


@promise("lex:code-atlas:folders")
def test_without_a_policy_folders_stand_for_modules(bare_lex: Lex) -> None:
    (bare_lex.folder / "tools").mkdir()
    (bare_lex.folder / "tools" / "one.py").write_text("def one():\n    return 1\n")

    told = bare_lex.call("lex.code_atlas")

    assert [each["id"] for each in told["modules"]] == ["tools"]
    assert "📋 No policy: folders stand for modules\n" in bare_lex.text("lex.code_atlas")
