"""The document at `/api/openapi.json`: the API described from the data that it is made from.

A dialect's routes bring their own descriptions; the worker's own are in `routes.json` beside this
file. What any route may answer besides - the guard's refusals, a body that is no JSON - is added,
and so are the two schemas that all may call by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING

from recollect import __version__

if TYPE_CHECKING:
    from recollect.dialect.spec import Json, Route

VERSION = "3.1.0"
PROBLEM: dict[str, Json] = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string", "description": "What is wrong, for people."}},
}
MOMENT: dict[str, Json] = {
    "description": "A day, a moment, or the seconds or milliseconds since 1970.",
    "anyOf": [
        {"type": "string", "format": "date"},
        {"type": "string", "format": "date-time"},
        {"type": "string", "pattern": r"^[+-]?[0-9]{1,17}(\.[0-9]{1,9})?$"},
    ],
}
TOKEN: dict[str, Json] = {"type": "http", "scheme": "bearer"}
KEY: dict[str, Json] = {
    **TOKEN,
    "description": "The key that the settings name for these routes, or the worker's token.",
}
ANYWHERE = {
    "403": "The Host, the Origin or the site of the request is not served here.",
    "500": "Something went wrong inside; the worker's log has the details.",
}
WITH_STORE = {"503": "The store is still being opened, or held by another process."}
WITH_INPUT = {"400": "A parameter or the body cannot be taken; the text names it."}
WITH_BODY = {"413": "The body is too large."}
WITH_TOKEN = {"401": "A Bearer token is needed."}


def document(
    routes: Collection[Route], schemas: Mapping[str, Json], *, has_token: bool
) -> dict[str, Json]:
    paths: dict[str, Json] = {}
    for each in [*_own(), *map(_told, routes)]:
        operation = _operation(each, has_token=has_token)
        path = paths.setdefault(str(each["path"]), {})
        assert isinstance(path, dict)
        path[str(each["method"]).lower()] = operation
    components: dict[str, Json] = {"schemas": {**schemas, "Moment": MOMENT, "Problem": PROBLEM}}
    schemes: dict[str, Json] = {"token": TOKEN} if has_token else {}
    if any(route.gate is not None for route in routes):
        schemes["key"] = KEY
    if schemes:
        components["securitySchemes"] = schemes
    return {
        "openapi": VERSION,
        "info": {
            "title": "Recollect",
            "version": __version__,
            "summary": "One memory for every coding agent.",
        },
        "paths": paths,
        "components": components,
    }


def _own() -> list[dict[str, Json]]:
    text = (files(__package__) / "routes.json").read_text(encoding="utf-8")
    own: list[dict[str, Json]] = json.loads(text)["routes"]
    return own


def _told(route: Route) -> dict[str, Json]:
    told: dict[str, Json] = {
        "method": route.method,
        "path": route.path,
        "summary": route.summary,
        "answers": dict(route.answers),
        "needsStore": True,
    }
    if route.gate is not None:
        told["hasGate"] = True
    if route.parameters:
        told["parameters"] = list(route.parameters)
    if route.body is not None:
        told["body"] = route.body
    return told


def _operation(route: Mapping[str, Json], *, has_token: bool) -> dict[str, Json]:
    first, *words = re.findall(r"[A-Za-z0-9]+", str(route["path"]))
    named = words if first == "api" else ["root", first, *words]
    operation: dict[str, Json] = {
        "operationId": "-".join((str(route["method"]).lower(), *named)),
        "summary": route["summary"],
        "tags": [words[0] if first == "api" else first],
    }
    if "parameters" in route:
        parameters = route["parameters"]
        assert isinstance(parameters, list)
        operation["parameters"] = [_parameter(each) for each in parameters]
    if "body" in route:
        operation["requestBody"] = _body(route["body"])
    if route.get("hasGate"):
        operation["security"] = [{"key": []}]
    elif has_token and not route.get("isOpen"):
        operation["security"] = [{"token": []}]
    operation["responses"] = _responses(route, has_token=has_token)
    return operation


def _parameter(parameter: Json) -> dict[str, Json]:
    """In a query, an empty one is as good as none, unless it is required."""
    assert isinstance(parameter, dict)
    may_be_empty = parameter["in"] == "query" and not parameter.get("required")
    return {**parameter, "allowEmptyValue": True} if may_be_empty else parameter


def _body(schema: Json) -> dict[str, Json]:
    """In a body, null is as good as absent."""
    assert isinstance(schema, dict)
    required, properties = schema.get("required", []), schema.get("properties", {})
    assert isinstance(required, list)
    assert isinstance(properties, dict)
    told: Json = {
        name: rule if name in required else _or_null(rule) for name, rule in properties.items()
    }
    content: Json = {"application/json": {"schema": {**schema, "properties": told}}}
    return {"required": bool(required), "content": content}


def _or_null(rule: Json) -> Json:
    assert isinstance(rule, dict)
    if not rule.keys() & {"type", "enum", "const", "$ref"}:
        return rule  # anything at all, null included
    about = {"description": rule["description"]} if "description" in rule else {}
    plain = {name: value for name, value in rule.items() if name != "description"}
    return {**about, "anyOf": [plain, {"type": "null"}]}


def _responses(route: Mapping[str, Json], *, has_token: bool) -> dict[str, Json]:
    problems = dict(ANYWHERE)
    if route.get("needsStore"):
        problems |= WITH_STORE
    if "parameters" in route or "body" in route:
        problems |= WITH_INPUT
    if "body" in route:
        problems |= WITH_BODY
    if route.get("hasGate") or (has_token and not route.get("isOpen")):
        problems |= WITH_TOKEN
    answers = route["answers"]
    assert isinstance(answers, dict)
    responses: dict[str, Json] = {status: _response(each) for status, each in answers.items()}
    for status, text in problems.items():
        responses.setdefault(status, _response({"description": text, "schema": _PROBLEM}))
    assert all(HTTPStatus(int(status)) for status in responses), "a status that there is"
    return dict(sorted(responses.items()))


_PROBLEM: Json = {"$ref": "#/components/schemas/Problem"}


def _response(answer: Json) -> dict[str, Json]:
    """JSON of a schema, unless it says which content there is."""
    assert isinstance(answer, dict)
    content = answer.get("content", {"application/json": {"schema": answer.get("schema", {})}})
    return {"description": answer["description"], "content": content}
