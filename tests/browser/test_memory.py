"""The memory panel: found, narrowed, read in full; what changes a memory is in `test_changes`."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine, running
from browser.past import API, WEB, world_in
from contract.world import DAY
from promises import last

TITLES = ".item-title"
SKEW_NOTE = "The staging proxy is late"


def shown(window: Looking) -> list[str]:
    """The titles in the list, once it has them."""
    expect(window.get(".listing[aria-busy]")).to_have_count(0)
    expect(window.get(f"{TITLES}, .list-empty h2").first).to_be_visible()
    return window.get(TITLES).all_inner_texts()


def test_memories_are_listed_newest_first_under_their_days(window: Looking) -> None:
    window.go()
    titles = shown(window)
    assert titles[0] == "Skew is a setting"
    assert SKEW_NOTE in titles
    expect(window.get(".day").first).to_have_text("Today")
    expect(window.get(".summary")).to_have_text(re.compile(r"^\d+ memories, newest first$"))


def test_a_question_is_answered_best_first_with_the_score_of_each(window: Looking) -> None:
    window.go()
    window.page.get_by_role("searchbox", name="Search").fill("proxy clock late")
    expect(window.get(".summary")).to_have_text(re.compile(r"found by words in \d+ ms, best first"))
    assert shown(window)[0] == SKEW_NOTE
    assert window.state()["q"] == "proxy clock late"
    scores = [float(each.split()[-1]) for each in window.get(".score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    expect(window.get("mark").first).to_be_visible()


def test_a_memory_says_why_it_was_found(window: Looking) -> None:
    window.go(q="proxy clock late")
    window.get(TITLES).first.click()
    why = window.get(".why")
    expect(why).to_contain_text("Words")
    expect(why).to_contain_text("Meaning")
    expect(why.get_by_role("row").filter(has_text="Meaning")).to_contain_text("not known")
    whole = why.get_by_role("row").filter(has_text="Together").inner_text().split()[-1]
    assert whole == window.get(".item.is-chosen .score").inner_text().split()[-1]


FILTERS: list[tuple[dict[str, str], Callable[[Looking], object], str]] = [
    # address                  by hand                                             because
    ({"project": WEB}, lambda w: pick(w, "Project", WEB), "only of one project"),
    ({"kind": "prompt"}, lambda w: pick(w, "Kind", "Prompt"), "only of one kind"),
    ({"type": "file_edit"}, lambda w: pick(w, "Type", "file edit"), "only of one type"),
    ({"origin": "web"}, lambda w: pick(w, "Said by", "the web"), "only of one origin"),
    ({"file": "tokens.py"}, lambda w: write(w, "File", "tokens.py"), "only about one file"),
]


def number(summary: str) -> int:
    return int(summary.split(maxsplit=1)[0])


def pick(window: Looking, label: str, option: str) -> None:
    window.page.get_by_role("combobox", name=label, exact=True).select_option(label=option)


def write(window: Looking, label: str, text: str) -> None:
    window.page.get_by_role("textbox", name=label, exact=True).fill(text)
    window.press("Enter")


@pytest.mark.parametrize(("address", "by_hand", "because"), FILTERS, ids=last)
def test_a_filter_is_in_the_address_and_the_address_is_a_filter(
    window: Looking, address: dict[str, str], by_hand: Callable[[Looking], object], because: str
) -> None:
    window.go()
    shown(window)
    everything = window.get(".summary").inner_text()
    window.page.get_by_role("button", name="Filters").click()
    by_hand(window)
    expect(window.get(".chip")).to_have_count(1)
    assert window.state() == {"view": "memory", **address}
    narrowed = shown(window)
    fewer = window.get(".summary").inner_text()
    assert 0 < number(fewer) < number(everything)
    window.go(**address)
    assert shown(window) == narrowed
    expect(window.get(".summary")).to_have_text(fewer)
    window.get(".chip").click()
    expect(window.get(".chip")).to_have_count(0)
    expect(window.get(".summary")).to_have_text(everything)


def test_days_narrow_in_the_time_of_the_reader(window: Looking, machine: Machine) -> None:
    window.go()
    window.page.get_by_role("button", name="Filters").click()
    today = window.page.evaluate("new Date().toLocaleDateString('sv')")
    window.page.get_by_label("From", exact=True).fill(today)
    expect(window.get(".chip")).to_have_text("Since Today")
    midnight = int(window.state()["since"])
    assert midnight <= machine.world.now < midnight + DAY
    assert set(window.get(".day").all_inner_texts()) == {"Today"}


def test_the_way_back_leads_through_what_was_looked_at(window: Looking) -> None:
    window.go(project=API)
    window.get(TITLES).first.click()
    expect(window.get(".detail-title")).to_have_text("Skew is a setting")
    window.page.go_back()
    expect(window.get(".detail-whole")).to_be_hidden()
    assert window.state() == {"project": API}
    window.page.go_forward()
    expect(window.get(".detail-title")).to_have_text("Skew is a setting")


def test_one_in_full_has_its_source_its_session_and_its_neighbours(window: Looking) -> None:
    window.go(q="committed clock skew", type="git_commit")
    window.get(TITLES).first.click()
    detail = window.get(".detail-whole")
    expect(detail).to_contain_text("Tokens are good for a minute of clock skew")
    expect(detail.get_by_role("link", name="session 1")).to_be_visible()
    expect(detail).to_contain_text("Good. Check that staging still answers")
    detail.get_by_text("The event, as it was kept").click()
    expect(detail.locator("pre")).to_contain_text('"tool": "Bash"')
    detail.locator(".around a").first.click()
    expect(window.get(".detail-title")).not_to_contain_text("Committed")


def test_a_frame_says_where_work_stood(window: Looking) -> None:
    window.go(kind="frame")
    window.get(TITLES).get_by_text("Refresh tokens expire too early").click()
    detail = window.get(".detail-whole")
    expect(detail).to_contain_text("test the skew")
    expect(detail).to_contain_text("staging is down")
    expect(detail.locator(".chip").first).to_have_text("core/tokens")


def test_everything_works_by_keys_alone(window: Looking) -> None:
    window.go()
    titles = shown(window)
    window.press("j", "j")
    assert titles[1] in window.focused()
    window.press("k", "Enter")
    expect(window.get(".detail-title")).to_be_focused()
    expect(window.get(".detail-title")).to_have_text(titles[0])
    window.press("Escape")
    expect(window.get(".detail-whole")).to_be_hidden()
    assert titles[0] in window.focused()
    window.press("/")
    expect(window.get(".search-field")).to_be_focused()
    window.page.keyboard.type("debounce")
    window.press("Enter")
    expect(window.get(".summary")).to_contain_text("found")
    expect(window.get(".virtual-row:focus")).to_have_count(1)
    window.press("Enter")
    expect(window.get(".detail-whole")).to_contain_text("debounce")


def test_what_is_not_there_is_said(window: Looking) -> None:
    window.go(q="zebra", project=API)
    expect(window.get(".list-empty")).to_contain_text("Nothing here answers that")
    window.page.get_by_role("button", name="Search without filters").click()
    window.page.get_by_role("button", name="Show everything").click()
    assert len(shown(window)) > 5
    assert window.state() == {}


BAD = [
    # address            said                        because
    ({"since": "soon"}, ".list-empty [role=alert]", "since is no moment"),
    ({"kind": "thing"}, ".list-empty [role=alert]", "kind is none of those"),
    ({"id": "999999"}, ".detail .problem", "there is no memory of this number"),
    ({"id": "../../x"}, ".detail .problem", "an id is not a path"),
]


@pytest.mark.parametrize(("address", "place", "because"), BAD, ids=last)
def test_a_bad_address_is_answered_in_words(
    window: Looking, address: dict[str, str], place: str, because: str
) -> None:
    window.is_away = True  # what is refused is a failed request to the console
    window.go(**address)
    expect(window.get(place)).to_be_visible()
    expect(window.get(".search-field")).to_be_enabled()


def test_an_empty_store_teaches_the_first_step(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(world_in(tmp_path_factory.mktemp("empty"))) as machine:
        window = open_window(machine)
        window.go()
        expect(window.get(".list-empty")).to_contain_text("recollect wiring claude-code")
        assert window.seriously() == []
        kept = machine.world.run("mark", "The first of all")
        assert kept.returncode == 0, kept.stderr
        window.page.reload()
        assert shown(window) == ["The first of all"]


def test_a_phone_shows_one_thing_at_a_time(open_window: Open, machine: Machine) -> None:
    phone = open_window(machine, viewport=PHONE)
    phone.go()
    phone.page.get_by_role("button", name="Filters").click()
    assert phone.sideways() == 0
    phone.get(TITLES).first.click()
    expect(phone.get(".detail-title")).to_be_visible()
    assert phone.sideways() == 0
    assert phone.get(".listing").evaluate("(each) => each.inert")
    phone.page.get_by_role("button", name="Edit").click()
    assert phone.sideways() == 0
    phone.page.get_by_role("button", name="Back to the list").click()
    expect(phone.get(TITLES).first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_stands_in_anybodys_way(
    open_window: Open, machine: Machine, scheme: str
) -> None:
    window = open_window(machine, color_scheme=scheme)
    window.go(q="token", project=API)
    window.page.get_by_role("button", name="Filters").click()
    window.get(TITLES).first.click()
    expect(window.get(".why")).to_be_visible()
    assert window.seriously() == []
    window.page.get_by_role("button", name="Edit").click()
    assert window.seriously() == []
    window.press("Escape", "Escape")
    window.press("?")
    assert window.seriously() == []
