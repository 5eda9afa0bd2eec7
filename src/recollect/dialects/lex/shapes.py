"""Frames and their surroundings as Lex's JSON. Times are UTC with milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from recollect.dialect.spec import Json, as_json
from recollect.model.frame import Frame, Status
from recollect.policy.atlas import Atlas
from recollect.policy.calls import Edge
from recollect.policy.document import Module
from recollect.service.evolution import Step

RULE = "Every string in module_scope is a module id of lexmap.policy.json."

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time(milliseconds: int) -> str:
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def frame(given: Frame) -> dict[str, Json]:
    """A frame with all its published fields; optional ones only where it has them."""
    shown: dict[str, Json] = {
        "id": given.id,
        "timestamp": time(given.at),
        "branch": given.branch,
        "module_scope": list(given.module_scope),
        "summary_caption": given.summary_caption,
        "reference_point": given.reference_point,
        "status_snapshot": status(given.status),
    }
    optional: dict[str, Json] = {
        "jira": given.jira,
        "keywords": list(given.keywords),
        "atlas_frame_id": given.atlas_frame_id,
        "feature_flags": list(given.feature_flags),
        "permissions": list(given.permissions),
        "images": [
            {"number": each.number, "mime_type": each.mime_type, "size": each.size}
            for each in given.images
        ],
        "runId": given.run_id,
        "planHash": given.plan_hash,
        "spend": None if given.spend is None else as_json(given.spend),
        "userId": given.user_id,
    }
    return shown | {name: value for name, value in optional.items() if value not in (None, [])}


def status(given: Status) -> dict[str, Json]:
    lists: dict[str, Json] = {
        "blockers": list(given.blockers),
        "merge_blockers": list(given.merge_blockers),
        "tests_failing": list(given.tests_failing),
    }
    shown: dict[str, Json] = {"next_action": given.next_action}
    return shown | {name: told for name, told in lists.items() if told}


def with_atlas(given: Frame, around: Atlas) -> dict[str, Json]:
    return frame(given) | {"atlas": atlas(around, given.at)}


def atlas(given: Atlas, at: int) -> dict[str, Json]:
    """The neighbourhood of modules, as of a time."""
    return {
        "atlas_timestamp": time(at),
        "seed_modules": list(given.seeds),
        "fold_radius": given.radius,
        "modules": [module(each) for each in given.modules],
        "edges": [edge(each) for each in given.edges],
        "truncated": given.is_cut,
        "critical_rule": RULE,
    }


def module(given: Module) -> dict[str, Json]:
    """What the policy says of a module; what it does not say is not there."""
    told: dict[str, Json] = {
        "coords": None if given.coords is None else list(given.coords),
        "description": given.description,
        "owns_paths": list(given.owns_paths),
        "owns_namespaces": list(given.owns_namespaces),
        "match": list(given.match),
        "exposes": list(given.exposes),
        "forbidden_callers": list(given.forbidden_callers),
        "feature_flags": list(given.feature_flags),
        "requires_permissions": list(given.requires_permissions),
        "kill_patterns": list(given.kill_patterns),
        "notes": given.notes,
    }
    shown: dict[str, Json] = {"id": given.id}
    shown |= {name: value for name, value in told.items() if value not in (None, [])}
    if given.allowed_callers is not None:  # an empty list says that nobody may call
        shown["allowed_callers"] = list(given.allowed_callers)
    return shown


def edge(given: Edge) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "from": given.caller,
        "to": given.called,
        "allowed": given.is_allowed,
    }
    return shown | ({} if given.reason is None else {"reason": given.reason})


def step(given: Step) -> dict[str, Json]:
    """A frame of a timeline, with what it changed."""
    return {
        "frame": frame(given.frame),
        "modulesAdded": list(given.modules_added),
        "modulesRemoved": list(given.modules_removed),
        "blockersAdded": list(given.blockers_added),
        "blockersRemoved": list(given.blockers_resolved),
    }


def steps(given: Iterable[Step]) -> list[Json]:
    return [step(each) for each in given]
