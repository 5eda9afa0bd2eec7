"""The sessions panel: which there were, one from first prompt to summary, and a file over time."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine
from browser.past import API, CLOCK_TEST, TOKENS, WEB
from contract.world import DAY

FIRST = "Some users are signed out at random: token refresh fails with 401. Find out why."
SECOND = "Good. Check that staging still answers, then commit."
TODAY = "Should the skew be a setting?"
TITLES = ".item-title"
SIDE = ".detail"


def first_session(window: Looking) -> None:
    window.go(view="sessions", project=API)
    window.get(TITLES).filter(has_text="Some users").click()
    expect(window.get(".trace-title")).to_contain_text("Some users")


def test_sessions_are_listed_newest_first_under_their_days(window: Looking) -> None:
    window.go(view="sessions")
    titles = window.get(TITLES)
    expect(titles).to_have_text([TODAY, "搜索功能为什么这么慢", FIRST])
    expect(window.get(".day").first).to_have_text("Today")
    newest, older = window.get(".item-foot").first, window.get(".item-foot").last
    expect(newest).to_contain_text("no end yet")
    for told in (API, "2 days ago", "23 min", "2 prompts"):
        expect(older).to_contain_text(told)


def test_a_session_is_told_from_its_first_prompt_to_its_summary(window: Looking) -> None:
    first_session(window)
    side = window.get(SIDE)
    expect(side.get_by_role("region", name="Summary")).to_contain_text(
        "Tokens are good for a minute"
    )
    for fact in (API, "claude-code", "23 min", "2 prompts"):
        expect(window.get(".trace-facts")).to_contain_text(fact)
    expect(window.get(".asked-text").first).to_have_text(FIRST)
    expect(window.get(".asked-head").first).to_contain_text("6 things done")
    window.get(f"{SIDE} .virtual").evaluate("(each) => each.scrollTo(0, each.scrollHeight)")
    expect(window.get(".asked-text").last).to_have_text(SECOND)
    expect(window.get(".line-title").last).to_be_visible()
    assert "session" in window.state()


def test_what_was_done_opens_as_a_memory(window: Looking) -> None:
    first_session(window)
    window.get(f"{SIDE} .line-title").filter(has_text="Read tokens.py").click()
    expect(window.get(".detail-title")).to_have_text("Read tokens.py")
    assert window.state()["view"] == "memory"
    window.page.go_back()
    expect(window.get(".trace-title")).to_contain_text("Some users")


def test_a_file_has_a_history_over_sessions(window: Looking) -> None:
    first_session(window)
    window.get(".trace-files").get_by_title(TOKENS).click()
    expect(window.get(".trace-title")).to_have_text(TOKENS)
    history = window.get(f"{SIDE} .line-title")
    expect(history).to_have_text([re.compile("^Edited tokens.py"), "Read tokens.py"])
    window.get(f"{SIDE} a.line-mark").first.click()
    expect(window.get(".asked-text").first).to_have_text(FIRST)


def test_a_file_is_found_by_the_end_of_its_path(window: Looking) -> None:
    window.go(view="sessions")
    window.get(".story-more summary").click()
    window.page.get_by_label("History of a file").fill("tests/test_clock_skew.py")
    window.press("Enter")
    expect(window.get(f"{SIDE} .line-file").first).to_have_attribute(
        "title", re.compile(re.escape(CLOCK_TEST))
    )
    assert window.state()["file"] == "tests/test_clock_skew.py"
    window.page.get_by_label("History of a file").fill("no/such/file.py")
    window.press("Enter")
    expect(window.get(SIDE)).to_contain_text("Nothing is remembered of this file")


def test_what_is_chosen_is_in_the_address_and_comes_back_with_it(
    window: Looking, machine: Machine
) -> None:
    window.go(view="sessions")
    window.page.get_by_label("Project").select_option(WEB)
    expect(window.get(TITLES)).to_have_count(1)
    window.get(TITLES).click()
    expect(window.get(".trace-facts")).to_contain_text(WEB)
    state = window.state()
    assert state["project"] == WEB
    window.page.reload()
    expect(window.get(TITLES)).to_have_count(1)
    expect(window.get(".item.is-chosen")).to_have_count(1)
    assert window.state() == state
    window.go(view="sessions", since=str(machine.world.now - DAY // 2))
    expect(window.get(TITLES)).to_have_text([TODAY])
    expect(window.page.get_by_label("From")).to_be_visible()
    window.go(view="sessions", until=str(machine.world.now - 30 * DAY))
    window.page.get_by_role("button", name="Show all sessions").click()
    expect(window.get(TITLES)).to_have_count(3)


def test_a_session_that_is_not_there_says_so(window: Looking) -> None:
    window.is_away = True  # the console tells of what was not found
    window.go(view="sessions", session="999")
    expect(window.get(SIDE).get_by_role("alert")).to_have_text("there is no session 999")


def test_keys_lead_through_sessions(window: Looking) -> None:
    window.go(view="sessions")
    expect(window.get(TITLES)).to_have_count(3)
    window.press("j", "j", "Enter")
    expect(window.get(".item.is-chosen")).to_contain_text("搜索功能为什么这么慢")
    expect(window.get(".story-side")).to_be_focused()
    expect(window.get(".trace-title")).to_be_visible()
    window.press("ArrowDown")
    expect(window.get(f"{SIDE} .virtual-row").first).to_be_focused()
    window.press("Escape")
    expect(window.get(".virtual-row.is-active")).to_contain_text("搜索功能为什么这么慢")
    expect(window.get(".virtual-row.is-active")).to_be_focused()
    window.press("k", "Enter")
    expect(window.get(".trace-title")).to_have_text(TODAY)


def test_keys_go_from_prompt_to_prompt(window: Looking) -> None:
    first_session(window)
    prompt = window.get(f"{SIDE} .virtual-row.is-active .asked-text")
    window.press("n")
    expect(prompt).to_have_text(FIRST)
    window.press("n")
    expect(prompt).to_have_text(SECOND)
    window.press("p")
    expect(prompt).to_have_text(FIRST)


def test_a_phone_shows_the_list_or_the_session(open_window: Open, machine: Machine) -> None:
    phone = open_window(machine, viewport=PHONE)
    phone.go(view="sessions")
    phone.get(TITLES).first.click()
    expect(phone.get(".trace-title")).to_be_visible()
    assert phone.sideways() == 0
    phone.page.get_by_role("button", name="All sessions").click()
    expect(phone.get(TITLES).first).to_be_visible()
    expect(phone.get(".trace-title")).to_have_count(0)
