"""A list of thousands: only what is near the window exists, nothing overlaps, nothing jumps."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import Looking
from browser.machine import Machine, running
from browser.past import many, world_in

NUMBER = 1_000
MOST_ROWS = 60
SOON = 30.0
LAST = f"Note {NUMBER - 1:05}"

LAID = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const rows = [...document.querySelectorAll('.virtual-row')].map((row) =>
        row.getBoundingClientRect());
    const gaps = rows.slice(1).map((row, at) => Math.abs(row.top - rows[at].bottom));
    return { rows: rows.length, worst: Math.max(0, ...gaps) };
}"""

UPPERMOST = """() => {
    const list = document.querySelector('.virtual').getBoundingClientRect();
    const row = document.elementFromPoint(list.left + 60, list.top + 4).closest('.virtual-row');
    return row.querySelector('.item-title').textContent;
}"""
"""What the row says that is the first in sight."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    world = world_in(tmp_path_factory.mktemp("full"))
    many(world, NUMBER)
    with running(world) as machine:
        yield machine


@pytest.fixture
def window(open_window: Open, full: Machine) -> Looking:
    window = open_window(full)
    window.go()
    expect(window.get(".item-title").first).to_have_text("Note 00000")
    return window


def assert_laid_out(window: Looking) -> None:
    laid = window.page.evaluate(LAID)
    assert laid["rows"] < MOST_ROWS
    assert laid["worst"] < 1


def test_all_are_reached_page_by_page_and_few_exist(window: Looking) -> None:
    expect(window.get(".summary")).to_have_text("1,000 memories, newest first")
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        window.get(".virtual").evaluate("(each) => { each.scrollTop = each.scrollHeight; }")
        assert window.get(".virtual-row").count() < MOST_ROWS
        if window.get(".item-title").get_by_text(LAST, exact=True).count():
            break
    window.press("j", "End")
    expect(window.get(".item-title").get_by_text(LAST, exact=True)).to_be_in_viewport()
    expect(window.get(".virtual-row").last).to_have_attribute("aria-posinset", str(NUMBER))
    assert_laid_out(window)


def test_keys_lead_through_rows_that_do_not_exist_yet(window: Looking) -> None:
    for number in range(40):
        window.press("j")
        assert f"Note {number:05}" in window.focused()
    expect(window.get(".virtual-row:focus")).to_be_in_viewport()
    assert_laid_out(window)
    window.press("Home")
    expect(window.get(".item-title").first).to_be_in_viewport()
    assert "Note 00000" in window.focused()


def test_what_is_read_stays_while_the_window_changes(window: Looking) -> None:
    window.get(".virtual").evaluate("(each) => { each.scrollTop = 3000; }")
    expect(window.get(".virtual-row").first).to_be_attached()
    before = window.page.evaluate(UPPERMOST)
    window.page.set_viewport_size({"width": 1000, "height": 700})
    assert_laid_out(window)
    assert window.page.evaluate(UPPERMOST) == before


def test_what_is_read_stays_while_the_worker_restarts(window: Looking, full: Machine) -> None:
    window.is_away = True
    expect(window.get(".connection")).to_have_text("Live")
    window.press("j")
    with window.page.expect_response(lambda each: "cursor=" in each.url):
        window.press("End")
    full.stop()
    expect(window.get(".connection")).to_contain_text("away")
    with window.page.expect_event("requestfailed", lambda each: "cursor=" in each.url):
        window.press("End")
    expect(window.get(".virtual-row:focus")).to_contain_text("Note 00119")
    before = window.page.evaluate(UPPERMOST)
    full.start()
    with window.page.expect_response(lambda each: "cursor=" in each.url, timeout=20_000):
        expect(window.get(".connection")).to_have_text("Live", timeout=20_000)
    assert window.page.evaluate(UPPERMOST) == before
    assert_laid_out(window)


def test_a_result_is_on_the_page_at_once(window: Looking) -> None:
    window.page.get_by_role("searchbox", name="Search").fill("note 00421")
    expect(window.get(".item-title").first).to_have_text("Note 00421")
    assert_laid_out(window)
