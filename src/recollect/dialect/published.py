"""What a dialect publishes, read from the `tools.json` in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from recollect.dialect.spec import Handler, Json, Tool, Wording


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
            )
            for name, tool in zip(names, self.tools, strict=True)
        )


def tools_of(package: str) -> Published:
    document = json.loads((files(package) / "tools.json").read_text(encoding="utf-8"))
    return Published(document["instructions"], tuple(document["tools"]))


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value
