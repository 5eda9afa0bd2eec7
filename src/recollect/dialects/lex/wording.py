"""Our problems under Lex's sixteen codes, with what a program needs beside the message."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import partial

from recollect.dialect.spec import Json, Wording, as_json
from recollect.dialects.lex.refusals import Code, Refused
from recollect.model.call_errors import MissingArgument, UnknownMethod
from recollect.model.errors import (
    InvalidArgument,
    InvalidRequest,
    RecollectError,
    StoreError,
    UnknownTool,
)
from recollect.model.frame_errors import ImageNotKept, InvalidImage
from recollect.model.policy_errors import (
    PathNotFound,
    PolicyInvalid,
    PolicyNotFound,
    UnknownModules,
)

Told = tuple[Code, dict[str, Json]]

MOST_NAMED = 5
"""Modules of the policy that a message names; the metadata has a hundred."""


class Doing(Enum):
    """What the store was asked to do when it could not."""

    READING = Code.READ_FAILED
    WRITING = Code.WRITE_FAILED
    DELETING = Code.DELETE_FAILED


def wording(doing: Doing) -> Wording:
    return partial(problem, doing=doing)


def problem(error: RecollectError, doing: Doing = Doing.READING) -> dict[str, Json]:
    """The error object of the contract."""
    code, metadata = told(error, doing)
    shown: dict[str, Json] = {"code": code.value, "message": message(error), "metadata": metadata}
    return {"error": shown}


def told(error: RecollectError, doing: Doing = Doing.READING) -> Told:
    """The code of a problem, and its details."""
    return _of_policies(error) or _of_requests(error) or _of_the_rest(error, doing)


def _of_policies(error: RecollectError) -> Told | None:
    match error:
        case UnknownModules():
            return Code.INVALID_MODULE_ID, _modules(error)
        case PolicyInvalid():
            problems: list[Json] = [
                {"path": place, "message": words} for place, words in error.problems
            ]
            return Code.POLICY_INVALID, {"policyPath": error.path, "problems": problems}
        case PolicyNotFound():
            return Code.POLICY_NOT_FOUND, {"policyPath": error.path}
        case PathNotFound():
            return Code.INVALID_PATH, {"path": error.path}
        case _:
            return None


def _of_requests(error: RecollectError) -> Told | None:
    match error:
        case Refused():
            return error.published, dict(error.metadata)
        case MissingArgument():
            return Code.REQUIRED_FIELD, {"missingFields": list(error.names)}
        case InvalidArgument():
            return Code.INVALID_FORMAT, {"field": str(error.context["name"])}
        case InvalidImage():
            return Code.INVALID_IMAGE, _facts(error.context)
        case InvalidRequest():
            return Code.INVALID_FORMAT, _facts(error.context)
        case _:
            return None


def _of_the_rest(error: RecollectError, doing: Doing) -> Told:
    match error:
        case UnknownTool():
            return Code.UNKNOWN_TOOL, _unknown("Tool", error)
        case UnknownMethod():
            return Code.UNKNOWN_METHOD, _unknown("Method", error)
        case ImageNotKept():
            return Code.IMAGE_FAILED, _facts(error.context)
        case StoreError():
            return doing.value, {"reason": error.code}
        case _:
            return Code.INTERNAL_ERROR, {}


def message(error: RecollectError) -> str:
    """What is wrong, for people."""
    if not isinstance(error, UnknownModules):
        return error.message
    told = f"Invalid module IDs: {', '.join(error.invalid)}."
    if error.suggested:
        told += f" Did you mean: {', '.join(error.suggested)}?"
    if error.available:
        more = ", ..." if error.module_count > MOST_NAMED else ""
        told += f" Available modules: {', '.join(error.available[:MOST_NAMED])}{more}"
    return told


def module_problem(error: UnknownModules, id_: str) -> str:
    """What is wrong with one of the modules, for people."""
    target = error.targets.get(id_)
    resolved = f" (resolved to '{target}')" if target else ""
    near = error.suggestions.get(id_)
    meant = f" Did you mean '{near[0]}'?" if near else ""
    return f"Module '{id_}'{resolved} not found in policy.{meant}"


def _modules(error: UnknownModules) -> dict[str, Json]:
    return {
        "invalidIds": list(error.invalid),
        "suggestions": list(error.suggested),
        "availableModules": list(error.available),
        "moduleCount": error.module_count,
    }


def _unknown(what: str, error: RecollectError) -> dict[str, Json]:
    return {
        f"requested{what}": as_json(error.context.get("name")),
        f"available{what}s": as_json(error.context.get("known", [])),
    }


def _facts(context: Mapping[str, object]) -> dict[str, Json]:
    return {name: as_json(value) for name, value in context.items()}
