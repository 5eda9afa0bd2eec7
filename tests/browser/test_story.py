"""What holds for all panels of the story: no barriers, in light and dark, and nothing but text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import DESK, PHONE
from browser.machine import Machine, running
from browser.past import API, HOSTILE, HOSTILE_TEXTS, fill, fill_hostile, world_in
from promises import last

SHOWN = [
    # address                                      shown when            because
    ({"view": "sessions", "session": "1"}, ".trace-title", "a session"),
    ({"view": "sessions", "file": "tokens.py"}, ".line-title", "the history of a file"),
    ({"view": "timeline", "project": API}, ".line-title", "the timeline"),
    ({"view": "frames", "project": API}, ".frame-caption", "a frame"),
    ({"view": "live"}, ".next-text", "what happens now"),
]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The past that all have, and a hostile one."""
    world = world_in(tmp_path_factory.mktemp("story"))
    fill(world)
    fill_hostile(world)
    with running(world) as machine:
        yield machine


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize(("state", "there", "because"), SHOWN, ids=last)
def test_axe_finds_nothing_serious(
    open_window: Open,
    machine: Machine,
    state: dict[str, str],
    there: str,
    because: str,
    colours: str,
) -> None:
    window = open_window(machine, color_scheme=colours)
    window.go(**state)
    if state["view"] == "frames":
        window.get(".item-title").first.click()
    expect(window.get(there).first).to_be_visible()
    assert window.seriously() == []
    if colours == "light":
        window.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        assert window.seriously() == []
        assert window.sideways() == 0


HOSTILE_PLACES = [
    # address                                      shown when            because
    ({"view": "sessions", "project": HOSTILE}, ".item-title", "the list of sessions"),
    ({"view": "timeline", "project": HOSTILE}, ".line-title", "the timeline"),
    ({"view": "frames", "project": HOSTILE}, ".item-title", "the list of frames"),
    ({"view": "live", "project": HOSTILE}, ".next-text", "what happens, and what is told"),
]
STRANGE = """() => document.querySelectorAll(
    "main :is(script, style, iframe, object, embed, base, meta, link, form[action], [srcdoc]),"
    + "main img:not([src^='/']), main a[href^='javascript:'], main [onclick], main [onerror]"
).length"""
"""How many elements there are that none of ours has made."""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("state", "there", "because"), HOSTILE_PLACES, ids=last)
def test_lists_show_hostile_text_as_text(
    open_window: Open,
    machine: Machine,
    state: dict[str, str],
    there: str,
    because: str,
    viewport: dict[str, int],
) -> None:
    window = open_window(machine, viewport=viewport)
    window.go(**state)
    expect(window.get(there).first).to_be_visible()
    expect(window.get("main")).to_contain_text("&lt;b&gt;&amp;")
    assert window.page.evaluate(STRANGE) == 0
    assert window.sideways() == 0


@pytest.mark.parametrize("view", ["sessions", "frames"])
def test_each_hostile_one_in_full_is_text(open_window: Open, machine: Machine, view: str) -> None:
    window = open_window(machine)
    window.go(view=view, project=HOSTILE)
    expect(window.get(".item-title").first).to_be_visible()
    titles = set()
    for _ in HOSTILE_TEXTS:
        window.press("j", "Enter")
        title = window.get(".trace-title")
        expect(title).to_be_visible()
        titles.add(title.inner_text())
        assert window.page.evaluate(STRANGE) == 0
        assert window.sideways() == 0
        window.press("Escape")
        expect(title).to_have_count(0)
    assert len(titles) == len(HOSTILE_TEXTS)
    assert any("<script>" in title for title in titles)


def test_a_hostile_address_is_text_too(open_window: Open, machine: Machine) -> None:
    window = open_window(machine)
    window.is_away = True  # what is not there is complained of on the console
    for view, text in zip(cycle(("sessions", "timeline", "frames", "live")), HOSTILE_TEXTS[:8]):
        named = {"project": text, "file": text, "module": text, "kind": text, "frame": text}
        window.go(view=view, at=text, source=text, session=text, **named)
        expect(window.get("main h1")).to_be_visible()
        expect(window.get("main :is(.empty, .problem, .next-text)").first).to_be_attached()
        assert window.page.evaluate(STRANGE) == 0
        assert window.sideways() == 0
