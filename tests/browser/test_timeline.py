"""The timeline: a line that is dragged over time, and what there was to remember until then."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine
from browser.past import WEB
from contract.world import DAY, HOUR

TITLES = ".time-list .line-title"
NEWEST = "Skew is a setting"


def shown(window: Looking, **state: str) -> None:
    window.go(view="timeline", **state)
    expect(window.get(TITLES).first).to_be_visible()
    expect(window.get(".strip-bar").first).to_be_attached()


def drag(window: Looking, start: float, end: float, *, key: str | None = None) -> None:
    """Over the strip, from one share of its width to another."""
    box = window.get(".strip").bounding_box()
    assert box is not None
    mouse, middle = window.page.mouse, box["y"] + box["height"] / 2
    if key:
        window.page.keyboard.down(key)
    mouse.move(box["x"] + box["width"] * start, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * (start + end) / 2, middle)
    mouse.move(box["x"] + box["width"] * end, middle)
    mouse.up()
    if key:
        window.page.keyboard.up(key)


def test_the_line_stands_at_the_end_where_everything_is_remembered(window: Looking) -> None:
    shown(window)
    expect(window.get(TITLES).first).to_have_text(NEWEST)
    expect(window.get(".moment")).to_contain_text("Until Today")
    assert "at" not in window.state()


def test_what_was_remembered_until_a_moment_is_what_the_line_is_dragged_to(
    window: Looking, machine: Machine
) -> None:
    shown(window)
    drag(window, 0.9, 0.3)
    expect(window.get(TITLES).first).to_contain_text("Some users are signed out")
    at = int(window.state()["at"])
    assert machine.world.now - 2 * DAY < at < machine.world.now - DAY
    window.page.reload()
    expect(window.get(TITLES).first).to_contain_text("Some users are signed out")
    window.press("Escape")
    expect(window.get(TITLES).first).to_have_text(NEWEST)


def test_keys_move_the_line_from_bar_to_bar(window: Looking) -> None:
    shown(window)
    slider = window.page.get_by_role("slider", name="The moment that is shown")
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Today, .* memor"))
    window.press("Home")
    expect(window.get(".time-list")).to_contain_text("Nothing was remembered until then")
    window.press("ArrowRight")
    expect(window.get(TITLES).first).to_contain_text("Some users are signed out")
    window.press("End")
    expect(window.get(TITLES).first).to_have_text(NEWEST)
    window.press("ArrowLeft", "ArrowLeft")
    expect(window.get(TITLES).first).not_to_have_text(NEWEST)


def test_a_stretch_is_chosen_and_stays_in_other_views(window: Looking, machine: Machine) -> None:
    shown(window)
    drag(window, 0.4, 0.6, key="Shift")
    expect(window.page).to_have_url(re.compile("since=.*until="))
    since, until = int(window.state()["since"]), int(window.state()["until"])
    assert machine.world.now - 2 * DAY < since < until < machine.world.now
    expect(window.get(TITLES).first).to_be_visible()
    window.press("2")
    expect(window.get(".item-title")).to_have_count(1)
    assert int(window.state()["since"]) == since
    window.press("3")
    window.page.get_by_role("button", name="All", exact=True).click()
    expect(window.get(TITLES).first).to_have_text(NEWEST)
    assert "since" not in window.state()


def test_more_and_less_time_is_shown(window: Looking, machine: Machine) -> None:
    shown(window)
    day = window.page.get_by_role("button", name="Day", exact=True)
    day.click()
    expect(day).to_have_attribute("aria-pressed", "true")
    state = window.state()
    assert int(state["until"]) - int(state["since"]) == DAY
    window.press("+")
    expect(day).to_have_attribute("aria-pressed", "false")
    state = window.state()
    assert abs(int(state["until"]) - int(state["since"]) - DAY // 2) < 10
    assert abs(int(state["until"]) - machine.world.now) < HOUR
    window.press("[")
    expect(window.page).not_to_have_url(re.compile(f"since={state['since']}"))
    assert int(window.state()["until"]) < int(state["until"])


def test_kinds_and_a_project_narrow_it(window: Looking) -> None:
    shown(window)
    kinds = window.page.get_by_role("group", name="Kinds")
    kinds.get_by_role("button", name=re.compile("^Frame")).click()
    expect(window.get(TITLES)).to_have_text([NEWEST, "Refresh tokens expire too early"])
    kinds.get_by_role("button", name=re.compile("^Fact")).click()
    expect(window.get(TITLES)).to_have_count(3)
    assert window.state()["kind"] == "frame,fact"
    window.go(view="timeline", project=WEB)
    expect(window.get(TITLES).first).to_be_visible()
    expect(window.get(".time-list .line-mark").filter(has_text="lantern-api")).to_have_count(0)


def test_a_phone_scrubs_with_a_finger(open_window: Open, machine: Machine) -> None:
    phone = open_window(machine, viewport=PHONE, has_touch=True)
    shown(phone)
    assert phone.sideways() == 0
    box = phone.get(".strip").bounding_box()
    assert box is not None
    phone.page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + 40)
    expect(phone.get(TITLES).first).to_contain_text("Some users are signed out")
