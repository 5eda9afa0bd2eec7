"""The published settings over HTTP: shown masked, changed in a file, checked before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, World
from promises import last, promise
from recollect.dialect.spec import Request, Response


class Door:
    """The two routes of a house whose environment names a folder of CodexMem's."""

    def __init__(self, home: Path, **environ: str) -> None:
        self.file = home / "codexmem" / "settings.json"
        world = World(home, NOW, {"CODEXMEM_DATA_DIR": str(self.file.parent), **environ})
        self._house = world.house()
        self._routes = {
            (each.method, each.path): each for each in self._house.dialect("codexmem").routes
        }

    def get(self) -> Any:
        return self._ask("GET", {}).body

    def post(self, **body: object) -> Response:
        return self._ask("POST", body)

    def _ask(self, method: str, body: dict[str, object]) -> Response:
        route = self._routes[method, "/api/settings"]
        return self._house.serve(route, Request(body=body))


@promise("codexmem:settings:shown")
def test_every_published_setting_is_shown_and_no_key(tmp_path: Path) -> None:
    shown = Door(tmp_path, CODEXMEM_WORKER_PORT="4001").get()
    assert shown["CODEXMEM_WORKER_HOST"] == "127.0.0.1"
    assert shown["CODEXMEM_WORKER_PORT"] == "4001"
    assert shown["CODEXMEM_STALE_PROCESSING_MS"] == "300000"
    assert all(isinstance(value, str) for value in shown.values())


@promise("codexmem:settings:changed")
def test_a_change_is_written_down_and_shown(tmp_path: Path) -> None:
    door = Door(tmp_path)
    answer = door.post(CODEXMEM_WORKER_PORT="4002", CODEXMEM_SKIP_TOOLS="Read,Glob")
    assert answer.status == 200
    assert isinstance(answer.body, dict)
    assert answer.body["success"] is True
    assert json.loads(door.file.read_text()) == {
        "CODEXMEM_WORKER_PORT": "4002",
        "CODEXMEM_SKIP_TOOLS": "Read,Glob",
    }
    assert door.file.stat().st_mode & 0o777 == 0o600
    assert door.get()["CODEXMEM_WORKER_PORT"] == "4002"
    assert door.get()["CODEXMEM_SKIP_TOOLS"] == "Read,Glob"
    assert door.post(CODEXMEM_WORKER_PORT=4003, CODEXMEM_SKIP_TOOLS="").status == 200
    assert door.get()["CODEXMEM_WORKER_PORT"] == "4003"
    assert door.get()["CODEXMEM_SKIP_TOOLS"].startswith("ListMcpResourcesTool,")


def test_what_the_environment_says_is_shown_although_the_file_says_otherwise(
    tmp_path: Path,
) -> None:
    door = Door(tmp_path, RECOLLECT_PORT="4004")
    assert door.post(CODEXMEM_WORKER_PORT="4005").status == 200
    assert door.get()["CODEXMEM_WORKER_PORT"] == "4004"


WRONG = [
    ({"CODEXMEM_WORKER_PORT": "x"}, "CODEXMEM_WORKER_PORT is not a whole", "a wrong value"),
    ({"CODEXMEM_WORKER_PORT": [1]}, "CODEXMEM_WORKER_PORT must be a string", "a wrong type"),
    ({"CODEXMEM_WORKER_PORT": None}, "CODEXMEM_WORKER_PORT must be a string", "no value"),
]


@promise("codexmem:settings:ignored")
def test_what_is_no_published_setting_is_ignored_and_told(tmp_path: Path) -> None:
    door = Door(tmp_path)
    answer = door.post(RECOLLECT_TOKEN="t", CODEXMEM_NONSENSE=[1])
    assert answer.status == 200
    assert isinstance(answer.body, dict)
    assert answer.body["ignored"] == ["CODEXMEM_NONSENSE", "RECOLLECT_TOKEN"]
    assert not door.file.exists()
    door.post(RECOLLECT_TOKEN="t", CODEXMEM_LOG_LEVEL="info")
    assert json.loads(door.file.read_text()) == {"CODEXMEM_LOG_LEVEL": "info"}


@promise("codexmem:settings:refused")
@pytest.mark.parametrize(("body", "words", "because"), WRONG, ids=last)
def test_a_wrong_change_is_named_and_nothing_is_written(
    tmp_path: Path, body: dict[str, object], words: str, because: str
) -> None:
    door = Door(tmp_path)
    answer = door.post(CODEXMEM_LOG_LEVEL="info", **body)
    assert answer.status == 400
    assert isinstance(answer.body, dict)
    assert words in str(answer.body["error"])
    assert not door.file.exists()


@promise("codexmem:settings:refused")
def test_what_stands_in_the_files_place_is_named_and_left_alone(tmp_path: Path) -> None:
    door = Door(tmp_path)
    door.file.mkdir(parents=True)
    answer = door.post(CODEXMEM_LOG_LEVEL="info")
    assert answer.status == 400
    assert isinstance(answer.body, dict)
    assert str(door.file) in str(answer.body["error"])
    assert list(door.file.parent.iterdir()) == [door.file]
