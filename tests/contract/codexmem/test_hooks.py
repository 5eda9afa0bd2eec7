"""What a hook tells: the requests that are published, and the same event by another way.

The command itself, with workers alive and dead, is tested in `acceptance/test_hooks.py`.
"""

from __future__ import annotations

import importlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, World
from promises import last, promise
from recollect.capture import codec, spool
from recollect.capture.telling import Place, Telling, telling
from recollect.dialect.spec import Request
from recollect.model.memory import Kind
from recollect.privacy.clean import Rules

SECRET = "ghp_" + "a1B2c3D4" * 5
HOST = {"session_id": "s1", "cwd": "/code/shop"}
numbers = itertools.count()


def place(**changes: Any) -> Place:
    fields: dict[str, Any] = {
        "platform": "raw",
        "cwd": "/code/shop",
        "project": "shop",
        "at": NOW,
        "rules": Rules(),
        "fresh": lambda: f"fresh-{next(numbers)}",
    }
    return Place(**{**fields, **changes})


def told(event: str, *, here: Place | None = None, **spoken: Any) -> Telling:
    found = telling(event, {**HOST, **spoken}, here or place())
    assert found is not None
    return found


REQUESTS = [
    # event, what was said, path, the published part of the body, because
    (
        "session-init",
        {"prompt": "Fix the <private>secret </private>login"},
        "/api/sessions/init",
        {"contentSessionId": "s1", "project": "shop", "prompt": "Fix the login"},
        "a prompt without its private part",
    ),
    (
        "session-init",
        {"prompt": "  "},
        "/api/sessions/init",
        {"contentSessionId": "s1", "project": "shop", "prompt": "[media prompt]"},
        "a prompt without words is one of pictures",
    ),
    (
        "session-init",
        {"prompt": "<private>all of it</private>"},
        "/api/sessions/init",
        {"contentSessionId": "s1", "project": "shop", "prompt": ""},
        "a private prompt is told as such and not by its words",
    ),
    (
        "observation",
        {
            "tool_name": "Read",
            "tool_input": {"file_path": "/a.py"},
            "tool_response": {"content": f"token = {SECRET}"},
        },
        "/api/sessions/observations",
        {
            "contentSessionId": "s1",
            "tool_name": "Read",
            "tool_input": {"file_path": "/a.py"},
            "tool_response": {"content": "token = [REDACTED]"},
            "cwd": "/code/shop",
        },
        "a tool use without its secrets",
    ),
    (
        "observation",
        {"tool_name": "LS"},
        "/api/sessions/observations",
        {
            "contentSessionId": "s1",
            "tool_name": "LS",
            "tool_input": {},
            "tool_response": {},
            "cwd": "/code/shop",
        },
        "what the host left out is empty",
    ),
    (
        "summarize",
        {"last_assistant_message": "Done."},
        "/api/sessions/summarize",
        {"contentSessionId": "s1", "last_assistant_message": "Done."},
        "the end of a turn",
    ),
    (
        "summarize",
        {},
        "/api/sessions/summarize",
        {"contentSessionId": "s1", "last_assistant_message": ""},
        "the end of a turn in silence",
    ),
    (
        "session-complete",
        {},
        "/api/sessions/complete",
        {"contentSessionId": "s1"},
        "the session is complete",
    ),
    (
        "session-end",
        {"reason": "logout"},
        "/api/sessions/end",
        {"contentSessionId": "s1", "cleanup": True},
        "the session ends, and what is left lying is taken up",
    ),
]


@promise("codexmem:hook:requests")
@pytest.mark.parametrize(("event", "spoken", "path", "body", "because"), REQUESTS, ids=last)
def test_an_event_becomes_the_published_request(
    event: str, spoken: dict[str, Any], path: str, body: dict[str, Any], because: str
) -> None:
    found = told(event, **spoken)
    assert found.path == path
    assert {name: found.body[name] for name in body} == body


SILENT = [
    ("observation", {}, "no tool, no observation"),
    ("observation", {"tool_name": "TodoWrite"}, "a tool that is left out"),
    ("session-init", {"prompt": "<system-reminder>x</system-reminder>"}, "the host's own words"),
]


@promise("codexmem:hook:requests")
@pytest.mark.parametrize(("event", "spoken", "because"), SILENT, ids=last)
def test_what_is_not_worth_keeping_is_not_told(
    event: str, spoken: dict[str, Any], because: str
) -> None:
    assert telling(event, {**HOST, **spoken}, place(skipped=("TodoWrite",))) is None


@promise("codexmem:hook:sessions")
def test_hooks_without_a_session_are_not_all_thrown_together() -> None:
    ids = {
        telling("session-init", {"prompt": "x"}, place(cwd=cwd, platform=name)).body[  # type: ignore[union-attr]
            "contentSessionId"
        ]
        for cwd, name in (("/a", "raw"), ("/b", "raw"), ("/a", "cursor"), ("/a", "raw"))
    }
    assert len(ids) == 3


@dataclass
class Doors:
    """A store in this process, with both ways into it."""

    world: World

    def __post_init__(self) -> None:
        self.house = self.world.house()
        dialect = self.house.dialect("codexmem")
        self.routes = {route.path: route for route in dialect.routes if route.method == "POST"}

    def post(self, event: Telling) -> Any:
        body = json.loads(codec.compact(event.body))
        answer = self.house.serve(self.routes[event.path], Request(body=body))
        assert answer.status == 200, answer.body
        self.house.catch_up()
        return answer.body

    def spool(self, event: Telling) -> None:
        document = event.document()
        assert document is not None
        spool.append(self.world.settings.spool_dir, codec.compact(document).encode("ascii"))
        self.house.catch_up()

    def kept(self) -> list[tuple[str, str]]:
        memories = self.house.store.memories.of_session("s1")
        return [(str(m.kind), m.text) for m in memories if m.kind is not Kind.LIFECYCLE]


@pytest.fixture
def doors(tmp_path: Path) -> Doors:
    return Doors(World(tmp_path, NOW))


EVENTS = [
    ("session-init", {"prompt": "Fix the login"}, "a prompt without an id of its own"),
    ("session-init", {"prompt": "Fix the login", "prompt_id": "p1"}, "a prompt with an id"),
    ("session-init", {"prompt": "<private>x</private>"}, "a private prompt"),
    ("observation", {"tool_name": "Bash", "tool_input": {"command": "make"}}, "a tool use"),
    (
        "observation",
        {
            "tool_name": "Write",
            "tool_input": {"file_path": "/a.py", "content": f"x = 1\nkey = '{SECRET}'\n" * 900},
            "tool_use_id": "t1",
        },
        "a long file",
    ),
    (
        "observation",
        {
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_response": {"is_error": True, "content": "Exit code 2\nno rule"},
        },
        "a failure",
    ),
    ("summarize", {"last_assistant_message": "Fixed it."}, "the end of a turn"),
]


@promise("codexmem:hook:once")
@pytest.mark.parametrize("first", ["request", "entry"])
@pytest.mark.parametrize(("event", "spoken", "because"), EVENTS, ids=last)
def test_a_request_and_an_entry_of_one_event_are_one_memory(
    doors: Doors, first: str, event: str, spoken: dict[str, Any], because: str
) -> None:
    found = told(event, **spoken)
    ways = [doors.post, doors.spool]
    for way in ways if first == "request" else reversed(ways):
        way(found)
    once = doors.kept()
    doors.post(found)
    assert doors.kept() == once
    assert len(once) == (0 if "private" in because else 1)
    session = doors.house.store.sessions.find("s1")
    assert session is not None
    assert session.prompts == (1 if event == "session-init" else 0)


@promise("codexmem:hook:once")
@pytest.mark.parametrize(("event", "spoken", "because"), EVENTS, ids=last)
def test_an_event_is_remembered_alike_whichever_way_it_came(
    tmp_path: Path, event: str, spoken: dict[str, Any], because: str
) -> None:
    found = []
    for way in ("post", "spool"):
        (tmp_path / way).mkdir()
        doors = Doors(World(tmp_path / way, NOW))
        getattr(doors, way)(told(event, **spoken))
        memories = doors.house.store.memories.of_session("s1")
        found.append([(m.kind, m.type, m.text, m.project, m.detail) for m in memories])
        doors.house.close()
    assert found[0] == found[1]


def test_every_event_of_the_command_has_a_request() -> None:
    module = importlib.import_module("recollect.capture.telling")
    routes = {told(event, tool_name="X").path for event in module.EVENTS}
    assert len(routes) == len(module.EVENTS)
