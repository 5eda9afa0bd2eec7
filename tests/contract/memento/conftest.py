"""Memento's worlds: a family, with the model where there is one, through each door."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import models
from contract.world import NOW, Door, World
from recollect.dialect.reply import Reply
from recollect.wiring import House, open_house

FAMILY: list[dict[str, object]] = [
    {
        "content": "Emma is lactose intolerant",
        "subject": "Emma",
        "category": "restriction",
        "tags": ["dietary", "health"],
        "confidence": 1.0,
    },
    {"content": "Emma's best friend is Sofia", "subject": "Emma", "category": "relationship"},
    {"content": "Gordon loves spicy food", "subject": "Gordon", "category": "preference"},
    {
        "content": "Liam prefers worked examples over abstract explanations",
        "subject": "Liam",
        "category": "preference",
        "tags": ["learning"],
    },
]


def with_model(home: Path) -> World:
    return World(home, NOW, {"RECOLLECT_MODEL_DIR": str(models.FOLDER)})


@dataclass
class Memento:
    """Memento's tools in this process, with a clock that a test moves."""

    world: World
    now: int = NOW
    house: House = field(init=False)

    def __post_init__(self) -> None:
        self.house = open_house(self.world.settings, clock=lambda: self.now)

    def reply(self, tool: str, /, **arguments: object) -> Reply:
        return self.house.asker("memento", "alpha")(tool, arguments)

    def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        result: dict[str, Any] = json.loads(reply.text)
        return result

    def refused(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        error: dict[str, Any] = json.loads(reply.text)["error"]
        return error

    def store(
        self, content: str, subject: str = "Emma", category: str = "fact", **more: object
    ) -> dict[str, Any]:
        return self.call(
            "store_memory", content=content, subject=subject, category=category, **more
        )

    def found(self, query: str, **more: object) -> list[str]:
        """The contents that a search finds."""
        memories = self.call("search_memories", query=query, **more)["memories"]
        return [memory["content"] for memory in memories]


@pytest.fixture
def memento(tmp_path: Path) -> Iterator[Memento]:
    """An empty store without a model: what is not about meaning."""
    made = Memento(World(tmp_path, NOW))
    yield made
    made.house.close()


@pytest.fixture
def meaningful(tmp_path: Path) -> Iterator[Memento]:
    """The same with the model."""
    made = Memento(with_model(tmp_path))
    yield made
    made.house.close()


@pytest.fixture(scope="module", params=["stdio", "http"])
def door(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Door]:
    """A door to the family's store, as a client opens it; the model where there is one."""
    world = with_model(tmp_path_factory.mktemp(request.param))
    opened = world.door(request.param, cwd=str(world.home / "alpha"), dialect="memento")
    for each in FAMILY:
        opened.call("store_memory", **each)
    yield opened
    opened.close()
