"""The live panel: what happens while one looks, how much waits, what the next session is told.

The store is empty at first, so what all panels say of an empty one is asked here as well.
"""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine, running
from browser.past import world_in
from promises import last

FEED = ".live-feed .line-title"
TOLD = ".next-text"
SOON = 15_000
PROJECT = "lantern-live"
WHERE: dict[str, Any] = {"session": "live", "cwd": f"/code/{PROJECT}"}

EMPTY = [
    # view       says                               because
    ("sessions", "recollect wiring claude-code", "a session begins with an agent"),
    ("timeline", "recollect wiring claude-code", "so does a day"),
    ("frames", "recollect lex remember", "a frame can be kept by hand"),
    ("live", "recollect mark", "and so can a remark, which is the quickest to see"),
]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Of a store that is empty until the tests below put something into it; each of them puts what
    it needs, as they may be shared out among processes, in this order."""
    with running(world_in(tmp_path_factory.mktemp("live"))) as machine:
        yield machine


def now() -> int:
    return int(time.time() * 1000)


def post(machine: Machine, path: str, **body: object) -> None:
    asked = Request(
        machine.url + path,
        data=json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json"},
    )
    with urlopen(asked) as answer:
        assert answer.status in (200, 201, 202)


def watching(window: Looking, machine: Machine, text: str) -> None:
    """The panel is open, and something was asked and done before that is in its feed."""
    machine.world.prompt(text, at=now(), **WHERE)
    machine.world.bash(f"echo {text}", at=now(), **WHERE)
    window.go(view="live")
    expect(window.get(FEED).filter(has_text=text)).to_have_count(2, timeout=SOON)


@pytest.mark.parametrize(("view", "says", "because"), EMPTY, ids=last)
def test_what_is_empty_teaches_the_first_step(
    window: Looking, tmp_path: Path, view: str, says: str, because: str
) -> None:
    window.go(view=view)
    expect(window.get(".empty pre").first).to_contain_text(says)
    expect(window.get(".empty h2").first).to_be_visible()
    program, *arguments = shlex.split(
        window.get(".empty pre").first.inner_text().replace("\\\n", "")
    )
    assert program == "recollect"
    done = world_in(tmp_path).run(*arguments)
    assert done.returncode == 0, done.stderr


def test_what_an_agent_does_appears_while_one_looks(window: Looking, machine: Machine) -> None:
    window.go(view="live")
    expect(window.get(".empty")).to_contain_text("Waiting for something to happen")
    machine.world.prompt("Why is the lantern blue?", at=now(), **WHERE)
    machine.world.read("/code/lantern-live/lamp.py", at=now(), **WHERE)
    expect(window.get(FEED).first).to_have_text("Read lamp.py", timeout=SOON)
    expect(window.get(FEED)).to_have_text(["Read lamp.py", "Why is the lantern blue?"])
    expect(window.get(".live-head")).to_contain_text(
        re.compile(r"\d+ events? since this was opened")
    )


def test_the_next_session_is_told_with_what_it_costs(window: Looking, machine: Machine) -> None:
    watching(window, machine, "Can it be brighter?")
    expect(window.get(TOLD)).to_contain_text("Can it be brighter?", timeout=SOON)
    cost = window.get(".next-cost")
    expect(cost).to_have_text(re.compile(rf"^\d+ tokens in \d+ lines, for {PROJECT}$"))
    expect(window.get(".next")).to_contain_text(f"{PROJECT} is the project of the newest session")
    before = cost.inner_text()
    machine.world.edit("/code/lantern-live/lamp.py", "colour = 'blue'", at=now(), **WHERE)
    expect(window.get(TOLD)).to_contain_text("colour = 'blue'", timeout=SOON)
    expect(cost).not_to_have_text(before)
    said = machine.world.run("context", "--project", PROJECT).stdout
    rows = [line for line in said.splitlines() if line.startswith("| #")]
    assert rows
    shown = window.get(TOLD).inner_text()
    assert [line for line in shown.splitlines() if line.startswith("| #")] == rows
    window.page.get_by_label("How it starts").select_option("compact")
    expect(window.page).to_have_url(re.compile("source=compact"))
    expect(window.get(TOLD)).to_contain_text("lamp.py")


def test_the_name_of_a_project_is_whole_however_long(window: Looking) -> None:
    name = "p" * 120
    window.go(view="live", project=name)
    cost = window.get(".next-cost")
    expect(cost).to_contain_text(name)
    assert cost.evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0


def test_sessions_that_begin_and_end_are_told(window: Looking, machine: Machine) -> None:
    window.go(view="live")
    expect(window.get(".connection")).to_have_text("Live")
    session = {"contentSessionId": "by-http", "project": PROJECT}
    post(machine, "/api/sessions/init", **session, prompt="Paint it green")
    post(machine, "/api/sessions/complete", contentSessionId="by-http")
    expect(window.get(".notice").first).to_contain_text(re.compile(r"Session \d+ is complete"))
    expect(window.get(".live-feed")).to_contain_text("Paint it green", timeout=SOON)


def test_a_feed_that_is_held_waits_with_what_comes(window: Looking, machine: Machine) -> None:
    watching(window, machine, "Build the lantern")
    first = window.get(FEED).first
    before = first.inner_text()
    hold = window.page.get_by_role("button", name="Hold")
    hold.click()
    machine.world.bash("make lantern", "done", at=now(), **WHERE)
    more = window.get(".live-more")
    expect(more).to_have_text(re.compile(r"\d+ more came"), timeout=SOON)
    expect(first).to_have_text(before)
    more.click()
    expect(window.get(".live-feed")).to_contain_text("make lantern")
    expect(hold).to_have_attribute("aria-pressed", "false")


def test_what_happened_while_the_worker_was_away_comes_with_it(
    window: Looking, machine: Machine
) -> None:
    window.go(view="live")
    expect(window.get(".connection")).to_have_text("Live")
    window.is_away = True
    machine.stop()
    expect(window.get(".connection")).not_to_have_text("Live")
    machine.world.read("/code/lantern-live/meanwhile.py", at=now(), **WHERE)
    machine.start()
    expect(window.get(FEED).filter(has_text="Read meanwhile.py")).to_be_visible(timeout=20_000)
    expect(window.get(".connection")).to_have_text("Live", timeout=20_000)


def test_the_queue_is_counted(window: Looking) -> None:
    window.go(view="live")
    expect(window.get(".depths dt")).to_have_text(["waiting", "being read", "failed"])
    expect(window.get(".depths dd")).to_have_text([re.compile(r"^\d+$")] * 3)
    expect(window.get(".live-queue")).to_contain_text("Everything captured is taken up")


def test_a_phone_shows_all_of_it(open_window: Open, machine: Machine) -> None:
    phone = open_window(machine, viewport=PHONE)
    watching(phone, machine, "Can it be carried?")
    phone.get(TOLD).scroll_into_view_if_needed()
    expect(phone.get(TOLD)).to_contain_text("Can it be carried?", timeout=SOON)
    assert phone.sideways() == 0
