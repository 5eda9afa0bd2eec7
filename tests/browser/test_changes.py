"""What a reader does to a memory in the page, and how it is taken back.

Each test has a memory of its own in one store; what the store says of it is asked over HTTP.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from typing import Any

import orjson
import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import Looking
from browser.machine import Machine, running
from browser.past import world_in

NUMBERS = count(1)
SOON = 10.0


@dataclass
class Kept:
    """A memory of the test's own, as the worker knows it."""

    machine: Machine
    id: int
    title: str

    def now(self) -> Any:
        """All that is known of it; None once it is gone for good."""
        status, told = asked(self.machine, "GET", f"/api/viewer/memories/{self.id}")
        assert status in (200, 404)
        return told if status == 200 else None


def asked(machine: Machine, method: str, path: str, body: object = None) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", machine.port, timeout=10)
    connection.request(method, path, None if body is None else orjson.dumps(body))
    response = connection.getresponse()
    told = orjson.loads(response.read())
    connection.close()
    return response.status, told


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with running(world_in(tmp_path_factory.mktemp("changed"))) as machine:
        yield machine


@pytest.fixture
def kept(changed: Machine) -> Kept:
    title = f"Remark {next(NUMBERS)}"
    body = {"text": f"{title} is about lanterns", "title": title, "project": "lantern"}
    status, told = asked(changed, "POST", "/api/memory/save", body)
    assert status == 200, told
    return Kept(changed, told["id"], title)


@pytest.fixture
def window(open_window: Open, changed: Machine, kept: Kept) -> Looking:
    """A window in which the memory is shown in full."""
    window = open_window(changed)
    window.go(id=str(kept.id))
    expect(window.get(".detail-title")).to_have_text(kept.title)
    return window


def do(window: Looking, name: str) -> None:
    window.get(".actions").get_by_role("button", name=name, exact=True).click()


def toast(window: Looking, words: str) -> None:
    expect(window.get(".toast").filter(has_text=words)).to_be_visible()


def test_a_pin_stays_until_it_is_taken_off(window: Looking, kept: Kept) -> None:
    pin = window.get(".actions").get_by_role("button", name="Pin")
    pin.click()
    expect(pin).to_have_attribute("aria-pressed", "true")
    assert kept.now()["is_pinned"]
    expect(window.get(".item.is-chosen")).to_contain_text("Pinned")
    window.press("p")
    expect(pin).to_have_attribute("aria-pressed", "false")
    assert not kept.now()["is_pinned"]


def test_an_edit_keeps_what_was_said_before(window: Looking, kept: Kept) -> None:
    was = kept.now()["text"]
    window.press("e")
    window.page.get_by_role("textbox", name="Title").fill("Another title")
    text = window.page.get_by_role("textbox", name="Text")
    text.fill("Other words, <private>of which some are private</private>.")
    window.press("Control+Enter")
    expect(window.get(".detail-title")).to_have_text("Another title")
    assert "private" not in kept.now()["text"]
    history = window.get(".history")
    expect(history).to_contain_text(f"{kept.title} is about lanterns")
    expect(window.get(".item.is-chosen .item-title")).to_have_text("Another title")
    window.press("u")
    expect(window.get(".detail-title")).to_have_text(kept.title)
    assert kept.now()["text"] == was


def test_an_edit_reads_from_the_side_that_its_text_does(
    open_window: Open, changed: Machine
) -> None:
    body = {"text": "השרת לא עונה " * 60, "project": "lantern"}
    _, told = asked(changed, "POST", "/api/memory/save", body)
    window = open_window(changed)
    window.go(id=str(told["id"]))
    expect(window.get(".detail-title")).not_to_be_empty()
    window.press("e")
    text = window.page.get_by_role("textbox", name="Text")
    assert text.evaluate("(each) => getComputedStyle(each).direction") == "rtl"
    assert int(text.get_attribute("rows") or 0) > 10


def test_an_edit_is_neither_lost_by_a_look_elsewhere_nor_made_twice(
    window: Looking, kept: Kept
) -> None:
    window.press("e")
    text = window.page.get_by_role("textbox", name="Text")
    text.fill("What took a while to write")
    window.get("nav").get_by_role("link", name="Sessions").click()
    expect(window.get(".view-sessions h1")).to_be_visible()
    window.page.go_back()
    expect(window.get(".detail-title")).to_have_text(kept.title)
    window.press("e")
    expect(text).to_have_value("What took a while to write")
    window.get(".detail-form form").evaluate(
        "(form) => { form.requestSubmit(); form.requestSubmit(); }"
    )
    expect(window.get(".detail-form form")).to_have_count(0)
    assert len(kept.now()["history"]) == 1
    assert [each for each in window.asked if each.endswith("/edit")] == [
        f"{window.url}/api/viewer/memories/{kept.id}/edit"
    ]


def test_an_edit_can_be_dropped(window: Looking, kept: Kept) -> None:
    do(window, "Edit")
    window.page.get_by_role("textbox", name="Text").fill("What nobody wanted")
    window.press("Escape")
    expect(window.get(".detail-form form")).to_have_count(0)
    expect(window.get(".detail-title")).to_be_focused()
    assert "nobody" not in kept.now()["text"]


def test_outdated_is_marked_with_its_reason_and_restored(window: Looking, kept: Kept) -> None:
    window.press("x")
    window.page.get_by_role("textbox", name="Why?").fill("It was a misunderstanding")
    window.press("Enter")
    expect(window.get(".banner")).to_contain_text("Outdated since")
    assert kept.now()["is_outdated"]
    window.page.get_by_role("button", name="Undo").click()
    expect(window.get(".banner")).to_have_count(0)
    assert not kept.now()["is_outdated"]


def test_what_is_deleted_is_gone_from_sight_and_back_by_undo(window: Looking, kept: Kept) -> None:
    do(window, "Delete")
    expect(window.get(".item-title").filter(has_text=re.compile(f"^{kept.title}$"))).to_have_count(
        0
    )
    assert kept.now()["is_outdated"]
    window.press("u")
    expect(window.get(".item-title").filter(has_text=re.compile(f"^{kept.title}$"))).to_have_count(
        1
    )
    assert not kept.now()["is_outdated"]
    expect(window.get(".toast")).to_have_count(0)


def test_what_is_deleted_stays_when_it_is_restored_instead(window: Looking, kept: Kept) -> None:
    do(window, "Delete")
    toast(window, "Deleted, for good in a moment")
    window.press("f")
    window.page.get_by_role("checkbox", name="Outdated").check()
    window.get(".item-title").filter(has_text=re.compile(f"^{kept.title}$")).click()
    window.get(".banner").get_by_role("button", name="Restore").click()
    expect(window.get(".banner")).to_have_count(0)
    expect(window.get(".toast")).to_have_count(0)
    window.page.goto("about:blank")
    assert not kept.now()["is_outdated"]


def test_a_notice_stays_while_it_is_pointed_at_or_has_the_focus(
    window: Looking, kept: Kept
) -> None:
    window.page.clock.install()
    do(window, "Delete")
    notice = window.get(".toast")
    dismiss = notice.get_by_role("button", name="Dismiss")
    notice.hover()
    dismiss.focus()
    window.page.mouse.move(0, 0)
    window.page.clock.run_for(60_000)
    expect(notice).to_be_visible()
    assert kept.now()["is_outdated"]
    dismiss.blur()
    with window.page.expect_response(lambda each: each.request.method == "DELETE"):
        window.page.clock.run_for(11_000)
    expect(notice).to_have_count(0)


def test_what_is_deleted_is_gone_for_good_when_nobody_wants_it_back(
    window: Looking, kept: Kept
) -> None:
    window.press("#")
    toast(window, "Deleted, for good in a moment")
    with window.page.expect_response(lambda each: each.request.method == "DELETE") as gone:
        window.page.get_by_role("button", name="Dismiss").click()
    assert gone.value.status == 200
    assert kept.now() is None


def test_what_is_deleted_is_gone_for_good_when_the_page_is_left(
    window: Looking, kept: Kept
) -> None:
    do(window, "Delete")
    toast(window, "Deleted, for good in a moment")
    window.page.goto("about:blank")
    deadline = time.monotonic() + SOON
    while kept.now() is not None:
        assert time.monotonic() < deadline, "the memory is still there"


def test_what_is_refused_is_said_and_changes_nothing(
    window: Looking, kept: Kept, changed: Machine
) -> None:
    window.is_away = True  # a refused request is a failed one to the console
    asked(changed, "DELETE", f"/api/viewer/memories/{kept.id}")
    do(window, "Pin")
    toast(window, "It could not be pinned: ")
    expect(window.get(".toast.is-problem")).to_have_attribute("role", "alert")


def test_news_come_on_top_and_what_is_read_stays_where_it_is(
    open_window: Open, changed: Machine, kept: Kept
) -> None:
    window = open_window(changed)
    for number in range(30):
        body = {"text": f"Filling {number}", "project": "lantern"}
        asked(changed, "POST", "/api/memory/save", body)
    window.go()
    expect(window.get(".connection")).to_have_text("Live")
    reading = window.get(".item-title").filter(has_text=re.compile("^Filling 20$"))
    expect(window.get(".item-title").first).to_be_visible()
    window.get(".virtual").evaluate("(each) => { each.scrollTop = 700; }")
    expect(reading).to_be_in_viewport()
    before = reading.bounding_box()
    event = {
        "session_id": "live", "hook_event_name": "UserPromptSubmit", "cwd": "/code/lantern",
        "prompt": "What came meanwhile",
    }  # fmt: skip
    changed.world.run("record", stdin=orjson.dumps(event))
    expect(window.get("#said")).to_have_text(re.compile("new memor"), timeout=15_000)
    after = reading.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2
    window.get(".virtual").evaluate("(each) => { each.scrollTop = 0; }")
    expect(window.get(".item-title").first).to_have_text("What came meanwhile")
