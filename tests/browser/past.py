"""What the viewer is shown in the browser's tests: two projects over some days, from every door.

Names of tests refer to it, so it is told like a story: `lantern-api` has a token that expires too
early; `lantern-web` is a page that is too slow. A third project, when asked for, is hostile.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from contract.world import DAY, HOUR, MINUTE, World
from recollect import wiring
from recollect.service import records, transfer
from recollect.wiring import House

API, WEB, HOSTILE = "lantern-api", "lantern-web", "hostile"
TOKENS = "/code/lantern-api/src/lantern/tokens.py"
CLOCK_TEST = "/code/lantern-api/tests/test_clock_skew.py"

HOSTILE_TEXTS = (
    "<script>alert('script')</script>",
    "<img src=x onerror=\"alert('img')\">",
    "\"><svg/onload=alert('svg')>",
    "'-alert('quote')-'",
    "<iframe srcdoc=\"<script>parent.alert('frame')</script>\"></iframe>",
    "<style>* { display: none }</style>",
    '<a href="javascript:alert(1)" onclick="alert(1)">click</a>',
    '<form action="http://elsewhere.example/"><input name=q></form>',
    '<link rel=stylesheet href="http://elsewhere.example/x.css">',
    '<meta http-equiv="refresh" content="0;url=http://elsewhere.example/">',
    "</textarea></title></noscript><base href=http://elsewhere.example/>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)}",
    "javascript:alert(1)",
    "\u202egnp.exe\u202c \u200bzero\ufeffwidth",
    "a" * 300,
    "__proto__ constructor toString",
    "%3Cscript%3Ealert(1)%3C/script%3E &lt;b&gt;&amp;",
)
"""None of them may be anything but text, wherever it turns up."""


def world_in(folder: Path) -> World:
    """A store of its own; the times in it are close to now, as the page says how long ago."""
    return World(folder, int(time.time() * 1000))


def fill(world: World) -> None:
    _tokens(world)
    _slow_page(world)
    house = world.house()
    _kept(house)
    house.close()


def fill_hostile(world: World) -> None:
    """Each hostile text as a prompt, a path, an output, a note, a fact, a frame, a session."""
    now = world.now
    for number, text in enumerate(HOSTILE_TEXTS):
        where: dict[str, Any] = {"session": f"{text[:60]}", "cwd": f"/code/{HOSTILE}"}
        at = now - HOUR + number * 1000
        world.prompt(f"{text} asks", at=at, **where)
        world.read(f"/code/{HOSTILE}/{text[:80]}", at=at + 100, **where)
        world.bash(f"echo {text}", f"Error: {text}", at=at + 200, **where)
    house = world.house()
    for text in HOSTILE_TEXTS:
        call(house, "codexmem", "save_memory", text=text, title=text, project=HOSTILE)
        fact = {"content": text, "subject": text[:90], "category": "context"}
        call(house, "memento", "store_memory", project=HOSTILE, **fact)
    for text in HOSTILE_TEXTS:
        remember_frame(house, text, project=HOSTILE, next_action=text, blockers=[text])
    house.close()


def many(world: World, number: int) -> None:
    """So many memories of every height, a minute apart; the newest is Note 00000."""
    lines = [
        {
            "kind": "note",
            "title": f"Note {each:05}",
            "text": f"Note {each:05}. " + "It goes on for a while. " * (each % 9),
            "created_at": world.now - each * MINUTE,
        }
        for each in range(number)
    ]
    house = world.house()
    rules = wiring.rules_for(world.settings, API)
    some = [records.read(line, rules=rules, project=API, now=world.now) for line in lines]
    transfer.bring(house.store, some, new_id=wiring.new_id)
    house.close()


def call(house: House, dialect: str, tool: str, project: str = API, **arguments: Any) -> Any:
    if tool == "save_memory":
        arguments["project"] = project
    reply = house.asker(dialect, project)(tool, arguments)
    assert not reply.is_error, reply.text
    try:
        return json.loads(reply.text)
    except ValueError:
        return reply.text


def remember_frame(
    house: House, point: str, *, project: str = API, next_action: str, blockers: list[str]
) -> Any:
    return call(
        house,
        "lex",
        "remember",
        project,
        reference_point=point,
        summary_caption=f"{point}: where it stood",
        status_snapshot={"next_action": next_action, "blockers": blockers},
        module_scope=["core/tokens", "web/login"],
        branch="main",
    )


def _tokens(world: World) -> None:
    """Three sessions about one bug, the last one still open."""
    now = world.now
    start = now - 2 * DAY
    monday: dict[str, Any] = {"session": "monday", "cwd": f"/code/{API}"}
    world.hook("SessionStart", at=start, source="startup", **monday)
    world.prompt(
        "Some users are signed out at random: token refresh fails with 401. Find out why.",
        at=start + MINUTE,
        **monday,
    )
    world.read(TOKENS, at=start + 2 * MINUTE, **monday)
    world.bash("rg -n 'exp' src", "src/lantern/tokens.py:41", at=start + 3 * MINUTE, **monday)
    world.tool(
        "Write", "", file_path=CLOCK_TEST, content="def test_skew(): ...",
        at=start + 5 * MINUTE, **monday,
    )  # fmt: skip
    world.bash(
        "pytest tests/test_clock_skew.py -q",
        "Error: Exit code 1\nE   TokenExpired: exp was 12 s ago\n1 failed",
        at=start + 6 * MINUTE,
        **monday,
    )
    world.edit(TOKENS, "if claims['exp'] + CLOCK_SKEW < now:", at=start + 8 * MINUTE, **monday)
    world.bash("pytest -q", "24 passed in 1.20s", at=start + 9 * MINUTE, **monday)
    world.prompt("Good. Check that staging still answers, then commit.",
                 at=start + 20 * MINUTE, **monday)  # fmt: skip
    world.bash("curl -s localhost:8080/health", '{"ok":true}', at=start + 21 * MINUTE, **monday)
    world.bash(
        'git commit -am "Tokens are good for a minute of clock skew"',
        "[main 3f9c2a1] Tokens are good for a minute of clock skew",
        at=start + 22 * MINUTE,
        **monday,
    )
    world.hook("SessionEnd", at=start + 23 * MINUTE, reason="exit", **monday)
    today: dict[str, Any] = {"session": "today", "cwd": f"/code/{API}"}
    world.prompt("Should the skew be a setting?", at=now - 40 * MINUTE, **today)
    world.read("/code/lantern-api/src/lantern/settings.py", at=now - 38 * MINUTE, **today)
    world.edit(
        "/code/lantern-api/src/lantern/settings.py",
        "clock_skew: int = 60",
        at=now - 30 * MINUTE,
        **today,
    )


def _slow_page(world: World) -> None:
    now = world.now
    web: dict[str, Any] = {"session": "web", "cwd": f"/code/{WEB}"}
    world.prompt("搜索功能为什么这么慢", at=now - DAY - 2 * HOUR, **web)
    world.read("/code/lantern-web/src/search/index.ts", at=now - DAY - HOUR, **web)
    world.tool(
        "WebFetch",
        "Debounce waits until typing stops",
        url="https://example.org/debounce",
        at=now - DAY - 50 * MINUTE,
        **web,
    )
    world.edit(
        "/code/lantern-web/src/search/index.ts",
        "const ask = debounce(search, 150);",
        at=now - DAY - 45 * MINUTE,
        **web,
    )
    world.bash("npm test", "Tests: 31 passed", at=now - DAY - 40 * MINUTE, **web)
    world.hook("SessionEnd", at=now - DAY - 30 * MINUTE, reason="exit", **web)


def _kept(house: House) -> None:
    """What was said to be remembered: a note, a decision, facts, frames."""
    call(
        house,
        "codexmem",
        "save_memory",
        text="Staging runs behind a proxy whose clock is 12 seconds late. "
        "Tokens that are checked there need the skew.",
        title="The staging proxy is late",
    )
    call(
        house,
        "codemem",
        "memory_remember",
        kind="decision",
        title="Clock skew is sixty seconds",
        body="A minute covers every proxy that we have seen; more would weaken expiry.",
        confidence=0.9,
    )
    call(
        house,
        "memento",
        "store_memory",
        content="Ada prefers small commits with a reason in the body",
        subject="Ada",
        category="preference",
    )
    first = "Refresh tokens expire too early"
    remember_frame(house, first, next_action="test the skew", blockers=["staging is down"])
    remember_frame(house, "Skew is a setting", next_action="document clock_skew", blockers=[])
