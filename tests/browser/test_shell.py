"""The frame around the panels: the door, the rail, keys, colours."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine, running
from browser.past import world_in
from promises import last

TOKEN = "a token of the tests, long enough"
VIEWS = ["Memory", "Sessions", "Timeline", "Frames", "Live", "Operations"]


def test_the_page_says_what_it_is_and_that_it_is_live(window: Looking) -> None:
    window.page.goto(f"{window.url}/viewer")
    expect(window.page).to_have_title(re.compile("Memory .* CodexMem Viewer"))
    expect(window.get(".connection")).to_have_text("Live")
    expect(window.get("nav[aria-label=Views] a")).to_have_count(6)
    assert window.get("main h1").count() == 1


def test_the_choice_of_colours_stays(window: Looking) -> None:
    window.go()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = window.page.evaluate(paper)
    button = window.page.get_by_role("button", name=re.compile("Colours"))
    button.click()
    button.click()
    expect(button).to_have_attribute("aria-label", "Colours: Dark")
    dark = window.page.evaluate(paper)
    assert light != dark
    window.page.reload()
    assert window.page.evaluate(paper) == dark


def test_colours_are_those_of_the_system_unless_chosen(open_window: Open, machine: Machine) -> None:
    dark = open_window(machine, color_scheme="dark")
    dark.go()
    scheme = dark.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert scheme == "rgb(21, 21, 19)"


def test_keys_are_told_and_can_be_turned_off(window: Looking) -> None:
    window.go()
    expect(window.get("main h1")).to_be_visible()
    window.press("?")
    dialog = window.page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("undo what was just done")
    dialog.get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Close").click()
    window.press("?")
    expect(dialog).to_have_count(0)


def test_a_worker_with_a_token_asks_for_it_once(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(world_in(tmp_path_factory.mktemp("locked")), token=TOKEN) as locked:
        window = open_window(locked)
        window.is_away = True  # a refused question is a failed one to the console
        window.go()
        door = window.page.get_by_role("dialog", name="This worker asks for its token")
        field = door.get_by_label("Token")
        expect(field).to_be_focused()
        window.press("Escape")
        expect(door).to_be_visible()
        field.fill("not the token")
        window.press("Enter")
        expect(door.get_by_role("alert")).to_have_text("This is not the worker's token.")
        field.fill(TOKEN)
        window.press("Enter")
        expect(door).to_have_count(0)
        expect(window.get(".connection")).to_have_text("Live")
        assert window.page.evaluate("document.cookie + JSON.stringify(localStorage)") == "{}"
        window.page.reload()
        expect(window.get(".connection")).to_have_text("Live")
        expect(door).to_have_count(0)


def test_a_worker_that_restarts_is_noticed_and_found_again(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(world_in(tmp_path_factory.mktemp("restarted"))) as machine:
        window = open_window(machine)
        window.is_away = True
        window.go()
        connection = window.get(".connection")
        expect(connection).to_have_text("Live")
        machine.stop()
        expect(connection).to_have_text("The worker is away; trying again")
        machine.start()
        expect(connection).to_have_text("Live", timeout=20_000)


def test_a_worker_that_comes_back_with_a_token_asks_for_it(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(world_in(tmp_path_factory.mktemp("changed"))) as machine:
        window = open_window(machine)
        window.is_away = True
        window.go()
        expect(window.get(".connection")).to_have_text("Live")
        machine.stop()
        machine.token = TOKEN
        machine.start()
        door = window.page.get_by_role("dialog", name="This worker asks for its token")
        door.get_by_label("Token").fill(TOKEN, timeout=20_000)
        window.press("Enter")
        expect(window.get(".connection")).to_have_text("Live")


def test_digits_lead_to_every_view(window: Looking) -> None:
    window.go()
    for key, name in enumerate(VIEWS, start=1):
        window.press(str(key))
        expect(window.get("nav a[aria-current=page]")).to_have_attribute("title", f"{name} ({key})")
        expect(window.page).to_have_title(re.compile(f"^{name} "))
        expect(window.get("main h1").first).to_be_attached()
        expect(window.get("#said")).not_to_be_empty()
    assert window.get("main").evaluate("(each) => each === document.activeElement")


def test_a_phone_shows_every_view_without_scrolling_sideways(
    open_window: Open, machine: Machine
) -> None:
    phone = open_window(machine, viewport=PHONE)
    phone.go()
    expect(phone.get("main h1")).to_be_visible()
    assert phone.sideways() == 0
    for link in phone.get("nav[aria-label=Views] a").all():
        box = link.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["height"] >= 44
        wider = "(each) => each.scrollWidth - each.clientWidth"
        assert link.evaluate(wider) <= 0, f"{link.inner_text()} is cut"


def test_an_address_of_no_view_shows_the_first(window: Looking) -> None:
    window.go(view="<script>")
    expect(window.get("nav a[aria-current=page]")).to_have_text("Memory")


def test_the_whole_is_counted_now_and_then_however_much_happens(window: Looking) -> None:
    window.go()
    told = window.page.evaluate("""async () => {
        const { overviews } = await import("/viewer/assets/overview.js");
        const asked = [];
        const overview = overviews(async () => {
            asked.push(performance.now());
            await new Promise((done) => { setTimeout(done, 40); });
            if (asked.length === 3) throw new Error("away");
            return asked.length;
        });
        const fresh = () => overview({ isFresh: true }).catch((error) => error.message);
        const answers = [await overview(), await overview()];
        answers.push(...await Promise.all([fresh(), fresh(), fresh()]), await overview());
        answers.push(await fresh(), await overview());
        return { answers, apart: asked[1] - asked[0] };
    }""")
    assert told["answers"] == [1, 1, 2, 2, 2, 2, "away", 4]
    assert told["apart"] >= 5 * 40 - 5, "it rests four times as long as it took"


STRANGE = [
    # an address                                                   because
    ({"view": "timeline", "at": "9e99"}, "no moment is so late"),
    ({"view": "timeline", "since": "-" + "9" * 17}, "none is so early"),
    ({"view": "timeline", "until": "9" * 16}, "a number, and no date"),
    ({"view": "timeline", "kind": "<b>"}, "there is no such kind"),
    ({"view": "operations", "since": "9" * 20, "bucket": "1-" + "9" * 20}, "no stretch of time"),
    ({"view": "live", "source": "<b>", "project": "\U0001f600"}, "no session starts like that"),
    ({"view": "sessions", "session": "../1", "since": "soon"}, "no number of a session"),
    ({"view": "frames", "frame": "../../memories", "since": "soon"}, "no frame"),
]


@pytest.mark.parametrize(("state", "because"), STRANGE, ids=last)
def test_whatever_an_address_says_its_view_is_shown(
    window: Looking, state: dict[str, str], because: str
) -> None:
    window.is_away = True  # some are refused, which the console tells
    window.go(**state)
    expect(window.get("main h1").first).to_have_text(state["view"].capitalize())
    window.page.wait_for_load_state("networkidle")
    expect(window.get("main h1").first).to_have_text(state["view"].capitalize())
