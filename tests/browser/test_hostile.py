"""Whatever a memory says is text: hostile strings change nothing about the page.

Panels that show memories are listed in `PLACES`; a window notices by itself what must not happen
(`Looking.wrong`), here it is asked as well what has become of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import DESK, PHONE, Looking
from browser.machine import Machine, running
from browser.past import HOSTILE, HOSTILE_TEXTS, fill_hostile, world_in

PLACES = [
    # view                                  shown when           because
    ({"view": "memory"}, ".item", "the list of memories"),
    ({"view": "memory", "q": "alert"}, ".item mark", "what a search found, with marks"),
    ({"view": "memory", "project": HOSTILE, "kind": "note"}, ".item", "a list that is narrowed"),
    ({"view": "memory", "q": HOSTILE_TEXTS[0]}, ".summary", "a question that is hostile itself"),
    ({"view": "sessions"}, ".view-sessions h1", "the list of sessions"),
    ({"view": "sessions", "session": "1"}, ".view-sessions h1", "one session's trace"),
    ({"view": "timeline"}, ".view-timeline h1", "what happened when"),
    ({"view": "frames"}, ".view-frames h1", "the list of frames"),
    ({"view": "live"}, ".view-live h1", "what the next session is told"),
    ({"view": "operations"}, ".view-operations h1", "queue, searches, storage by project"),
]
"""Addresses, what is there when they are shown, and what they are."""

OURS = "/viewer/assets/"
STRANGE = f"""() => [
    ...document.querySelectorAll(
        'script:not([src^="{OURS}"]), link:not([href^="{OURS}"]), style, iframe, object, embed'
        + ', base, meta[http-equiv], form[action]'
        + ', img:not([src^="{OURS}"]):not([src^="/api/viewer/"])'
        + ', a[href^="javascript:"], [style*="url("]'),
    ...[...document.querySelectorAll('*')].filter((each) =>
        [...each.attributes].some(({{ name }}) => name.startsWith('on') || name === 'srcdoc')),
].map((each) => each.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    world = world_in(tmp_path_factory.mktemp("hostile"))
    fill_hostile(world)
    with running(world) as machine:
        yield machine


def assert_inert(window: Looking) -> None:
    assert window.page.evaluate(STRANGE) == []
    assert window.sideways() == 0


def move(window: Looking, **state: str) -> None:
    """To another address within the page, as the browser's own buttons do."""
    window.page.evaluate(
        "(to) => { history.pushState(null, '', to); dispatchEvent(new Event('popstate')); }",
        f"/viewer?{urlencode(state)}",
    )


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["at a desk", "on a phone"])
def test_stored_text_is_text(open_window: Open, hostile: Machine, viewport: dict[str, int]) -> None:
    window = open_window(hostile, viewport=viewport)
    window.go()
    for state, there, _ in PLACES:
        move(window, **state)
        expect(window.get(there).first).to_be_visible()
        assert_inert(window)


@pytest.mark.parametrize("kind", ["observation", "prompt", "note", "fact", "frame"])
def test_a_memory_in_full_is_text(open_window: Open, hostile: Machine, kind: str) -> None:
    window = open_window(hostile)
    window.go(kind=kind)
    expect(window.get(".item").first).to_be_visible()
    for _ in HOSTILE_TEXTS:
        window.press("j", "Enter")
        expect(window.get(".detail-title")).to_be_focused()
        assert_inert(window)
        for details in window.get(".detail details").all():
            details.evaluate("(each) => { each.open = true; }")
        window.press("Escape")


@pytest.mark.parametrize("text", HOSTILE_TEXTS[:3])
def test_text_is_shown_as_it_is_and_edited_as_it_is(
    open_window: Open, hostile: Machine, text: str
) -> None:
    window = open_window(hostile)
    window.go(kind="note")
    notes = window.page.evaluate(
        "fetch('/api/viewer/memories?kind=note').then((all) => all.json())"
    )
    (id_,) = [note["id"] for note in notes["items"] if note["title"] == text]
    window.go(kind="note", id=str(id_))
    expect(window.get(".detail-title")).to_have_text(text)
    window.press("e")
    expect(window.page.get_by_role("textbox", name="Title")).to_have_value(text)
    assert_inert(window)


def test_a_hostile_address_is_text_too(open_window: Open, hostile: Machine) -> None:
    window = open_window(hostile)
    window.is_away = True  # some are refused, which the console tells
    window.go(project=HOSTILE_TEXTS[0], view=HOSTILE_TEXTS[0])
    for text in HOSTILE_TEXTS:
        move(window, q=text, project=text, type=text, file=text, id=text, view=text)
        expect(window.get(".search-field")).to_have_value(text)
        expect(window.get(".chip")).to_have_count(4)
        assert_inert(window)
