"""The operations panel: how the worker has been doing, looked into, filtered, taken along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine, running
from browser.past import HOSTILE_TEXTS, world_in
from browser.work import ERROR, HOSTILE, LATELY, fill_operations
from contract.world import World
from promises import last

LISTS = ("Searches", "Session timings", "Failures")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A worker with searches, work and failures behind it."""
    world = world_in(tmp_path_factory.mktemp("busy"))
    fill_operations(world)
    with running(world) as machine:
        yield machine


@pytest.fixture
def panel(open_window: Open, busy: Machine) -> Looking:
    """It is open, and everything is told."""
    return _opened(open_window(busy))


def _opened(window: Looking, /, **state: str) -> Looking:
    window.go(view="operations", **state)
    expect(window.get("main h1")).to_have_text("Operations")
    expect(_card(window, "Storage by project").locator("tbody tr").first).to_be_visible()
    expect(window.get(".chart canvas")).to_have_count(2)
    return window


@contextmanager
def _with(world: World, open_window: Open, **options: Any) -> Iterator[tuple[Machine, Looking]]:
    """A worker of this world for one test, and a window on it that may notice its end."""
    with running(world) as machine:
        window = open_window(machine, **options)
        yield machine, window
        window.assert_quiet()
        window.is_away = True


def _card(window: Looking, name: str) -> Locator:
    return window.page.get_by_role("region", name=name, exact=True)


def _rows(window: Looking, name: str) -> Locator:
    return _card(window, name).locator(".ops-row")


def _field(window: Looking, name: str) -> Locator:
    return window.page.get_by_role("search").locator(f"[name={name}]")


def _tell(machine: Machine, session: str, number: int = 1) -> None:
    """So many tool uses, as a hook sends them."""
    connection = HTTPConnection("127.0.0.1", machine.port, timeout=10)
    for each in range(number):
        told = {
            "contentSessionId": session,
            "tool_name": "Bash",
            "tool_input": {"command": f"make {session} {each}"},
            "tool_response": "ok",
            "cwd": "/code/lantern-api",
        }
        body = json.dumps(told)
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/sessions/observations", body, headers)
        answered = connection.getresponse()
        assert answered.status == 200, answered.read()
        answered.read()
    connection.close()


def test_everything_that_was_promised_is_there(panel: Looking) -> None:
    expect(panel.get("[data-counter=failed] .ops-count")).to_have_text("1")
    for name in ("pending", "processing", "queueDepth"):
        expect(panel.get(f"[data-counter={name}] .ops-count")).to_have_text("0")
    expect(_rows(panel, "Searches")).to_have_count(10)
    expect(_card(panel, "Searches")).to_contain_text(f"10 of {LATELY + 1}")
    expect(_card(panel, "Session timings")).to_contain_text("6 messages, 5 of them well.")
    expect(_rows(panel, "Session timings")).to_have_count(6)
    expect(_card(panel, "Failures").get_by_label("Failure classes")).to_have_text(
        re.compile("timeout 2.*network 1")
    )
    expect(_card(panel, "Spool and store")).to_contain_text("sound")
    expect(_card(panel, "Index")).to_contain_text("Found by words")
    expect(_card(panel, "Model results")).to_contain_text("Observations")
    expect(_card(panel, "Storage by project")).to_contain_text("token refresh")
    legend = panel.get(".ops-legend")
    expect(legend).to_contain_text(f"Searches{LATELY}")
    expect(legend).to_contain_text("Failures3")
    assert panel.seriously() == []


def test_a_row_opens_and_tells_everything(panel: Looking) -> None:
    failure = _rows(panel, "Failures").first
    failure.locator("summary").click()
    expect(failure.locator("pre")).to_have_text(f"{ERROR}: token refresh")
    search = _rows(panel, "Searches").first
    search.locator("summary").click()
    expect(search).to_contain_text("3 observations, 1 summary, 0 prompts")
    panel.get("body").press("r")
    expect(failure.locator("pre")).to_be_visible()
    _card(panel, "Searches").get_by_role("button", name="Show more").click()
    expect(_rows(panel, "Searches")).to_have_count(LATELY + 1)


FILTERS = [
    # the numbers are those of searches, work and failures that are shown then
    ("q", "refresh 11", {"q": "refresh 11"}, (1, 6, 3), "text, of searches"),
    ("project", "token refresh", {"project": "token refresh"}, (5, 6, 3), "a whole project"),
    ("mode", "hybrid", {"mode": "hybrid"}, (6, 6, 3), "a mode"),
    ("session", "1", {"session": "1"}, (10, 3, 0), "a session, of work"),
    ("class", "network", {"class": "network"}, (10, 6, 1), "a class, of failures"),
]


@pytest.mark.parametrize(("field", "value", "state", "shown", "because"), FILTERS, ids=last)
def test_a_filter_is_in_the_address_and_can_be_shared(
    panel: Looking,
    field: str,
    value: str,
    state: dict[str, str],
    shown: tuple[int, ...],
    because: str,
) -> None:
    control = _field(panel, field)
    if control.evaluate("each => each.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)
    for name, number in zip(LISTS, shown, strict=True):
        expect(_rows(panel, name), because).to_have_count(number)
    assert panel.state() == {"view": "operations", **state}
    panel.page.reload()
    expect(control).to_have_value(value)
    for name, number in zip(LISTS, shown, strict=True):
        expect(_rows(panel, name), because).to_have_count(number)
    panel.page.get_by_role("button", name="Clear filters").click()
    expect(_rows(panel, "Searches")).to_have_count(10)
    assert panel.state() == {"view": "operations"}


def test_from_and_to_hold_for_everything_and_take_what_people_write(
    open_window: Open, busy: Machine
) -> None:
    now = busy.world.now
    since, until = now - 9 * 60_000 - 30_000, now - 7 * 60_000 - 30_000
    window = _opened(open_window(busy), since=str(since), until=str(until))
    expect(_rows(window, "Failures")).to_have_count(2)
    expect(_rows(window, "Searches")).to_have_count(1)
    expect(window.get(".ops-legend")).to_contain_text("Failures2")
    window.go(view="operations", until="2020-01-01T00:00:00Z")
    expect(window.page.get_by_label("To", exact=True)).to_have_value("2020-01-01T01:00")
    expect(_card(window, "Searches")).to_contain_text("No search matches these filters.")


def test_exports_carry_the_filters(panel: Looking) -> None:
    _field(panel, "mode").select_option("hybrid")
    link = panel.page.get_by_role("link", name="Export Searches CSV")
    expect(link).to_have_attribute("href", re.compile("mode=hybrid"))
    with panel.page.expect_download() as taken:
        link.click()
    lines = taken.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("ts,query,project,mode")
    assert len(lines) == 1 + 6
    for name in LISTS:
        for form in ("CSV", "NDJSON"):
            export = panel.page.get_by_role("link", name=f"Export {name} {form}")
            asked = urlsplit(export.get_attribute("href") or "")
            assert asked.path.endswith("/export")
            assert parse_qs(asked.query)["format"] == [form.lower()]


def test_dragging_looks_closer_and_escape_leads_back(panel: Looking) -> None:
    over = panel.get(".chart .u-over").first.bounding_box()
    assert over is not None
    x, y = over["x"], over["y"] + over["height"] / 2
    panel.page.mouse.move(x + over["width"] * 0.5, y)
    panel.page.mouse.down()
    panel.page.mouse.move(x + over["width"] * 0.99, y, steps=4)
    panel.page.mouse.up()
    expect(panel.page.get_by_role("button", name="Whole window")).to_be_visible()
    state = panel.state()
    span = int(state["until"]) - int(state["since"])
    assert 25 * 60_000 < span < 31 * 60_000
    expect(panel.page.get_by_label("From", exact=True)).not_to_have_value("")
    expect(panel.get(".ops-legend")).not_to_contain_text(f"Searches{LATELY}")
    panel.page.mouse.move(0, 0)
    panel.press("Escape")
    expect(panel.get(".ops-legend")).to_contain_text(f"Searches{LATELY}")
    assert panel.state() == {"view": "operations"}


def test_a_point_is_looked_into_by_keys_alone(panel: Looking) -> None:
    chart = panel.page.get_by_role("slider", name="Counts over time")
    chart.focus()
    told = re.compile("1 failure$")
    for _ in range(12):
        panel.press("ArrowLeft")
        if told.search(chart.get_attribute("aria-valuetext") or ""):
            break
    expect(chart).to_have_attribute("aria-valuetext", told)
    panel.press("Enter")
    expect(_rows(panel, "Failures")).to_have_count(1)
    assert set(panel.state()) == {"view", "bucket"}
    link = panel.page.get_by_role("link", name="Export Failures CSV")
    start, end = (int(each) for each in panel.state()["bucket"].split("-"))
    asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    assert (asked["from"], asked["to"]) == ([str(start)], [str(end - 1)])
    panel.page.get_by_role("button", name="Clear drill-down").click()
    expect(_rows(panel, "Failures")).to_have_count(3)


def test_how_far_back_trends_go_is_chosen(panel: Looking) -> None:
    panel.page.get_by_role("button", name="6 h").click()
    expect(panel.get(".ops-legend")).to_contain_text(f"Searches{LATELY + 1}")
    assert panel.state() == {"view": "operations", "window": "21600"}
    panel.page.get_by_role("button", name="1 h").click()
    expect(panel.get(".ops-legend")).to_contain_text(f"Searches{LATELY}")
    panel.page.get_by_text("The last ten stretches as a table").click()
    stretches = _card(panel, "The last ten stretches").locator("tbody tr")
    expect(stretches).to_have_count(10)
    stretches.nth(3).get_by_role("link").click()
    expect(panel.page.get_by_role("button", name="Clear drill-down")).to_be_visible()


def test_many_failures_are_told_loudly(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = world_in(tmp_path_factory.mktemp("failing"))
    fill_operations(world)
    with _with(world, open_window) as (_, window):
        _opened(window, window="900")
        # The last stretch of what is shown ends with the third failure, a second of it at a time.
        until = str(world.now - 7 * 60_000 + 100)
        expect(window.get(".ops-alert")).to_have_text("")
        window.go(view="operations", since=str(world.now - 24 * 3_600_000), until=until)
        expect(window.get(".ops-alert")).to_have_text(
            re.compile(r"3 failures in the last stretch, where 0\.\d are usual\.")
        )


def test_what_happens_is_shown_as_it_happens(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = world_in(tmp_path_factory.mktemp("happening"))
    fill_operations(world)
    with _with(world, open_window) as (machine, window):
        _opened(window)
        window.is_away = True
        stream = _card(window, "Event stream")
        expect(window.get(".connection")).to_have_text("Live")
        _tell(machine, "first")
        expect(stream.locator("[data-topic='model.result']").first).to_be_visible()
        expect(_rows(window, "Session timings")).to_have_count(7)
        window.get("body").press("p")
        before = stream.locator("li").count()
        _tell(machine, "second")
        expect(stream.get_by_role("button", name=re.compile(r"Go on \(\d+\)"))).to_be_visible()
        assert stream.locator("li").count() == before
        stream.get_by_role("button", name=re.compile("Go on")).click()
        expect(stream).to_contain_text("queue.depth")
        assert stream.locator("li").count() > before
        _tell(machine, "third", 120)
        expect(_rows(window, "Session timings")).to_have_count(10)
        expect(_card(window, "Session timings")).to_contain_text("10 of 128")
        assert len(stream.locator("ol").inner_text()) < 20_000
        machine.stop()
        expect(window.get(".connection")).to_contain_text("away")
        window.get("body").press("r")
        expect(window.get("main [role=alert]:not(:empty)")).to_have_count(1)
        machine.start()
        expect(window.get(".connection")).to_have_text("Live", timeout=20_000)
        expect(window.get("main [role=alert]:not(:empty)")).to_have_count(0)
        stream.get_by_role("button", name="Clear").click()
        _tell(machine, "fourth")
        expect(stream.locator("[data-topic='model.result']").first).to_be_visible()
        expect(_card(window, "Session timings")).to_contain_text("10 of 129")


def test_failed_work_is_tried_again_and_counters_are_reset_on_the_second_press(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = world_in(tmp_path_factory.mktemp("retried"))
    fill_operations(world)
    house = world.house()
    with house.store.transaction():
        house.store.operations.count({"observation.parse_fail": 7})
    house.close()
    with _with(world, open_window) as (_, window):
        _opened(window)
        model = _card(window, "Model results")
        expect(model).to_contain_text("7")
        zero = model.get_by_role("button")
        zero.click()
        expect(zero).to_have_text("Sure? Press again")
        expect(model).to_contain_text("7")
        zero.click()
        expect(model).not_to_contain_text("7")
        window.page.get_by_role("button", name="Try again").click()
        expect(window.get(".toast")).to_contain_text(
            ["The counters", "1 message will be tried again"]
        )
        expect(window.get("[data-counter=failed] .ops-count")).to_have_text("0")


def test_nothing_that_was_stored_is_more_than_text_here(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = world_in(tmp_path_factory.mktemp("hostile"))
    fill_operations(world, text=HOSTILE)
    house = world.house()
    for text in HOSTILE_TEXTS:
        house.asker("nmem", text[:60])("search", {"query": f'"{text[:40]}"'})
    house.close()
    with _with(world, open_window) as (machine, window):
        _opened(window)
        for name in ("Searches", "Failures"):
            _rows(window, name).first.locator("summary").click()
            expect(_rows(window, name).first.locator(".ops-inside")).to_contain_text(HOSTILE)
        expect(_card(window, "Storage by project")).to_contain_text(HOSTILE)
        _tell(machine, HOSTILE)
        expect(_card(window, "Event stream").locator("li").first).to_be_visible()
        _field(window, "project").select_option(HOSTILE)
        expect(_rows(window, "Searches").first).to_contain_text(HOSTILE)
        window.is_away = True  # a refused question is a failed one to the console
        window.go(view="operations", q=HOSTILE, mode="<b>", session=HOSTILE, bucket=HOSTILE)
        expect(window.get("main h1")).to_be_visible()
        expect(_card(window, "Searches").get_by_role("alert")).to_contain_text(
            "mode must be one of"
        )
        assert (
            window.get("main img, main b, main iframe, main style, main form[action]").count() == 0
        )


def test_before_anything_happened_it_says_what_will(
    open_window: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with _with(world_in(tmp_path_factory.mktemp("nothing")), open_window) as (_, window):
        window.go(view="operations")
        for name, says in (
            ("Searches", "Nobody has searched yet."),
            ("Session timings", "No message has been read"),
            ("Failures", "Nothing has failed."),
            ("Event stream", "Quiet so far."),
            ("Storage by project", "Nothing is stored yet."),
        ):
            expect(_card(window, name)).to_contain_text(says)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(open_window: Open, busy: Machine, scheme: str) -> None:
    phone = _opened(open_window(busy, viewport=PHONE, color_scheme=scheme))
    assert phone.sideways() == 0
    assert phone.seriously() == []
    expect(phone.page.get_by_role("search")).to_be_hidden()
    phone.get("body").press("/")
    expect(phone.page.get_by_label("Query or project has")).to_be_focused()


def test_a_picture_of_it(panel: Looking) -> None:
    panel.picture("operations")
    expect(panel.get("main h1")).to_have_text("Operations")
