"""What a dialect publishes, read from its folder: `tools.json`, and the files of `routes/`.

There is a file of routes for each module of handlers. It holds `routes` and the `schemas` that they
call by name, both in the terms of OpenAPI.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from recollect.dialect.spec import (
    Gate,
    Handler,
    HttpWording,
    Json,
    Route,
    RouteHandler,
    Tool,
    Wording,
)


@dataclass(frozen=True, slots=True)
class Published:
    instructions: str
    tools: tuple[dict[str, Json], ...]

    def with_handlers(self, handlers: Mapping[str, Handler], wording: Wording) -> tuple[Tool, ...]:
        """Each published tool with its handler; neither may be without the other."""
        names = [str(tool["name"]) for tool in self.tools]
        if set(names) != set(handlers):
            raise ValueError(f"published {sorted(names)}, handled {sorted(handlers)}")
        return tuple(
            Tool(
                name=name,
                description=str(tool["description"]),
                input_schema=_object(tool["inputSchema"]),
                handler=handlers[name],
                wording=wording,
                is_read_only=tool.get("readOnly", True) is True,
                own_checks=frozenset(map(str, _list(tool.get("ownChecks")))),
                aliases=tuple(map(str, _list(tool.get("aliases")))),
            )
            for name, tool in zip(names, self.tools, strict=True)
        )


def tools_of(package: str) -> Published:
    document = json.loads((files(package) / "tools.json").read_text(encoding="utf-8"))
    return Published(document["instructions"], tuple(document["tools"]))


@dataclass(frozen=True, slots=True)
class PublishedRoutes:
    routes: tuple[dict[str, Json], ...]
    schemas: dict[str, Json]

    def with_handlers(
        self,
        handlers: Mapping[str, RouteHandler],
        wording: HttpWording,
        *,
        gate: Gate | None = None,
    ) -> tuple[Route, ...]:
        """Each route with its handler, which is named `METHOD /path`; neither without the other.

        `gate` is for the routes that say `hasGate`.
        """
        names = [f"{route['method']} {route['path']}" for route in self.routes]
        if (gate is None) != (not any(route.get("hasGate") for route in self.routes)):
            raise ValueError("a gate is for routes that have one, and they need it")
        if len(names) != len(set(names)) or set(names) != set(handlers):
            raise ValueError(f"published {sorted(names)}, handled {sorted(handlers)}")
        return tuple(
            Route(
                method=str(route["method"]),
                path=str(route["path"]),
                summary=str(route["summary"]),
                handler=handlers[name],
                wording=wording,
                parameters=tuple(_object(each) for each in _list(route.get("parameters"))),
                body=_object(route["body"]) if "body" in route else None,
                answers=_object(route["answers"]),
                catches_up=route.get("catchesUp", True) is True,
                gate=gate if route.get("hasGate") is True else None,
                is_large=route.get("isLarge") is True,
                slashed=str(route.get("slashed", "")),
            )
            for name, route in zip(names, self.routes, strict=True)
        )


def routes_of(package: str) -> PublishedRoutes:
    routes: list[dict[str, Json]] = []
    schemas: dict[str, Json] = {}
    for file in sorted((files(package) / "routes").iterdir(), key=lambda file: file.name):
        document = json.loads(file.read_text(encoding="utf-8"))
        routes += document["routes"]
        schemas |= document.get("schemas", {})
    return PublishedRoutes(tuple(routes), schemas)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value
