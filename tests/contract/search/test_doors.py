"""One question, every door: in a process of its own, through a worker, and through the bridge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contract.codemem.past import FAILED, fill
from contract.world import NOW, Door, World
from promises import promise

QUESTIONS = [
    "sqlite path normalization",
    "which tests failed?",
    "what did we decide about Windows",
    "nothing of this: zebra",
    "数据库",
    "sqlite " * 2_000,
    "",
]


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Door]]:
    """The first stdio server has no worker and answers itself; the last carries lines to one."""
    world = World(tmp_path_factory.mktemp("doors"), NOW)
    fill(world)
    cwd = str(world.home / "alpha")
    opened = {"alone": world.door("stdio", cwd=cwd, dialect="codemem")}
    opened["worker"] = world.door("http", cwd=cwd, dialect="codemem")
    opened["bridge"] = world.door("stdio", cwd=cwd, dialect="codemem")
    yield opened
    opened["bridge"].close()
    opened["alone"].close()
    opened["worker"].close()


@promise("search:find:same")
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[:20].strip() or "empty")
def test_every_door_gives_the_same_bytes(doors: dict[str, Door], question: str) -> None:
    answers = {
        name: [
            door.call("memory_search", query=question, project="*", limit=50),
            door.call("memory_explain", query=question, project="alpha", include_pack_context=True),
        ]
        for name, door in doors.items()
    }

    assert answers["alone"] == answers["worker"] == answers["bridge"]


def test_the_question_is_answered_at_all(doors: dict[str, Door]) -> None:
    found = doors["alone"].call("memory_search", query="sqlite paths test failed").json

    assert FAILED in [item["id"] for item in found["items"]]
