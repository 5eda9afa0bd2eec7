"""`lex.introspect`: what this server is and holds, in full or for small contexts."""

from __future__ import annotations

import json

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Told
from recollect.dialects.lex import shapes
from recollect.dialects.lex.asked import Asked
from recollect.dialects.lex.refusals import Code
from recollect.service import frames, modules

MOST_NAMED = 10
"""Modules that the text names; the data has all."""
IMAGES = True
"""Every store keeps them, beside their frames."""


def introspect(desk: Desk, arguments: Arguments) -> Told:
    asked = Asked(arguments)
    form = asked.text("format")
    asked.refuse()
    return _compact(desk) if form == "compact" else _full(desk)


def _full(desk: Desk) -> Told:
    here, workspace = desk.here(), desk.workspace()
    policy = modules.policy_for(workspace)
    count, latest_at = frames.state(desk.store, project=desk.frames_of)
    ids = None if policy is None else sorted(policy.ids)
    latest = None if latest_at is None else shapes.time(latest_at)
    branch = modules.branch_for(workspace, None)
    can_encrypt = here.can_encrypt
    data: dict[str, Json] = {
        "version": here.version,
        "policy": None if ids is None else {"modules": list(ids), "moduleCount": len(ids)},
        "state": {"frameCount": count, "latestFrame": latest, "currentBranch": branch},
        "capabilities": {"encryption": can_encrypt, "images": IMAGES},
        "errorCodes": [code.value for code in Code],
    }
    told = [
        "🔍 Lex Introspection",
        "",
        f"📦 Version: {here.version}",
        "",
        *_policy(ids),
        "",
        "📊 State:",
        f"  Frames: {count}",
        f"  Latest Frame: {latest or 'none'}",
        f"  Branch: {branch}",
        "",
        "⚙️  Capabilities:",
        f"  Encryption: {_sign(can_encrypt)}",
        f"  Images: {_sign(IMAGES)}",
        "",
        f"🚨 Error Codes ({len(Code)}):",
        f"  {', '.join(Code)}",
    ]
    return Told("\n".join(told) + "\n", data)


def _compact(desk: Desk) -> Told:
    here, workspace = desk.here(), desk.workspace()
    policy = modules.policy_for(workspace)
    count, _ = frames.state(desk.store, project=desk.frames_of)
    capabilities: list[Json] = [*(["enc"] if here.can_encrypt else ()), "img"]
    data: dict[str, Json] = {
        "v": here.version,
        "caps": capabilities,
        "state": {"frames": count, "branch": modules.branch_for(workspace, None)},
        "mods": 0 if policy is None else len(policy.modules),
        "errs": [code.short for code in Code],
    }
    return Told(json.dumps(data, ensure_ascii=False, indent=2), data)


def _policy(ids: list[str] | None) -> list[str]:
    if ids is None:
        return ["📋 Policy: Not loaded"]
    more = ", ..." if len(ids) > MOST_NAMED else ""
    named = ", ".join(ids[:MOST_NAMED]) + more
    return ["📋 Policy:", f"  Modules: {len(ids)}", f"  Module IDs: {named}"]


def _sign(has_it: bool) -> str:  # noqa: FBT001 - one word in, one sign out
    return "✅" if has_it else "❌"
