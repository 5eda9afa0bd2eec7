"""The frames panel: where work stood, and the modules around it as a drawing and in words."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import PHONE, Looking
from browser.machine import Machine, running
from browser.past import API, call, fill, world_in

POLICY = {
    "modules": {
        "web/app": {"owns_paths": ["web/app/**"], "allowed_callers": []},
        "cli": {"owns_paths": ["cli/**"], "allowed_callers": []},
        "web/login": {"owns_paths": ["web/login/**"], "allowed_callers": ["web/app"]},
        "core/tokens": {"owns_paths": ["src/**"], "allowed_callers": ["web/login", "cli"]},
        "core/clock": {
            "owns_paths": ["src/clock/**"],
            "allowed_callers": ["core/tokens"],
            "forbidden_callers": ["web/login"],
        },
        "core/zone": {"owns_paths": ["src/zone/**"], "allowed_callers": ["core/clock"]},
    }
}
TITLES = ".item-title"
EARLY = "Refresh tokens expire too early"
DRAWN = "Where the clock is wrong"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The past that all have, and one more frame with everything; the worker knows a policy."""
    folder = tmp_path_factory.mktemp("frames")
    policy = folder / "lexmap.policy.json"
    policy.write_text(json.dumps(POLICY), encoding="utf-8")
    world = world_in(folder)
    fill(world)
    house = world.house()
    call(
        house,
        "lex",
        "remember",
        reference_point=DRAWN,
        summary_caption="A drawing of the skew",
        status_snapshot={
            "next_action": "ask for a new proxy",
            "merge_blockers": ["a review"],
            "tests_failing": ["test_skew"],
        },
        module_scope=["core/clock", "gone/module"],
        branch="clock",
        jira="LAN-7",
        keywords=["clock", "skew"],
        images=[{"data": base64.b64encode(_png()).decode("ascii")}],
    )
    house.close()
    world.environ["LEX_POLICY_PATH"] = str(policy)
    with running(world) as machine:
        yield machine


def _png() -> bytes:
    """Four by three pixels of one colour."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    rows = b"".join(b"\0" + b"\x25\x61\x52" * 4 for _ in range(3))
    head = struct.pack(">IIBBBBB", 4, 3, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def opened(window: Looking, title: str) -> None:
    window.go(view="frames")
    window.get(TITLES).filter(has_text=title).click()
    expect(window.get(".trace-title")).to_have_text(title)


def test_frames_are_listed_newest_first_with_what_comes_next(window: Looking) -> None:
    window.go(view="frames")
    expect(window.get(TITLES)).to_have_text([DRAWN, "Skew is a setting", EARLY])
    expect(window.get(".item").last).to_contain_text("Next: test the skew")
    expect(window.get(".item").last).to_contain_text("1 blocker")


def test_a_frame_says_where_work_stood(window: Looking) -> None:
    opened(window, DRAWN)
    expect(window.get(".frame-caption")).to_have_text("A drawing of the skew")
    expect(window.get(".frame-status > div")).to_have_text(
        ["Nextask for a new proxy", "In the way of merginga review", "Tests that failtest_skew"]
    )
    expect(window.get(".frame-facts")).to_contain_text("clock, skew")
    expect(window.get(".trace-facts")).to_contain_text("LAN-7")
    expect(window.get(".trace-facts")).to_contain_text(API)


def test_its_images_are_shown(window: Looking) -> None:
    opened(window, DRAWN)
    image = window.get(".frame-images img")
    expect(image).to_have_js_property("complete", value=True)
    assert image.evaluate("(each) => [each.naturalWidth, each.naturalHeight]") == [4, 3]
    expect(window.get(".frame-images a")).to_have_text(re.compile(r"^Image 1: image/png, \d+ B$"))


def test_the_modules_around_it_are_drawn(window: Looking) -> None:
    opened(window, EARLY)
    modules = window.get(".atlas .module text")
    expect(modules).to_have_text(["core/tokens", "web/login", "web/app", "cli", "core/clock"])
    expect(window.get(".atlas .is-seed text")).to_have_text(["core/tokens", "web/login"])
    expect(window.get(".atlas .arrow.is-never")).to_have_count(1)
    expect(window.get(".atlas .arrow.is-call")).to_have_count(4)
    window.get(".atlas-words summary").click()
    expect(window.get(".atlas-words li")).to_contain_text(
        ["web/login may call core/tokens", "web/login must not call core/clock (forbidden caller)"]
    )


def test_no_arrow_runs_over_a_module_that_is_not_its_own(window: Looking) -> None:
    opened(window, EARLY)
    expect(window.get(".atlas .module")).to_have_count(5)
    crossed = window.page.evaluate(
        """() => [...document.querySelectorAll(".atlas .arrow")].flatMap((arrow) => {
            const told = arrow.querySelector("title").textContent;
            const length = arrow.getTotalLength();
            const points = Array.from({ length: 100 },
                (_, at) => arrow.getPointAtLength((length * at) / 99));
            return [...document.querySelectorAll(".atlas .module")].filter((module) => {
                const name = module.querySelector("text").textContent;
                const { x, y, width, height } = module.querySelector("rect").getBBox();
                return !told.split(" ").includes(name) && points.some((point) => point.x > x
                    && point.x < x + width && point.y > y && point.y < y + height);
            }).map((module) => `${told} over ${module.textContent}`);
        })"""
    )
    assert crossed == []


def test_further_and_fewer_modules_are_a_step_away(window: Looking) -> None:
    opened(window, EARLY)
    more = window.page.get_by_role("button", name="More modules")
    more.focus()
    window.press("Enter")
    expect(window.get(".atlas .module")).to_have_count(6)
    expect(more).to_be_focused()
    fewer = window.page.get_by_role("button", name="Fewer modules")
    fewer.click()
    fewer.click()
    expect(window.get(".atlas .module")).to_have_count(2)
    expect(fewer).to_be_disabled()


def test_a_module_that_the_policy_lacks_is_named(window: Looking) -> None:
    opened(window, DRAWN)
    around = window.page.get_by_role("region", name="Modules around it")
    expect(around).to_contain_text("The policy does not know gone/module.")
    expect(window.get(".atlas .module").filter(has_text="gone/module")).to_have_count(1)


def test_a_module_leads_to_the_frames_about_it(window: Looking) -> None:
    opened(window, DRAWN)
    window.get(".atlas .module").filter(has_text="core/clock").focus()
    window.press("Enter")
    expect(window.get(TITLES)).to_have_text([DRAWN])
    assert window.state() == {"view": "frames", "module": "core/clock"}
    window.page.get_by_role("button", name="Without: Module core/clock").click()
    expect(window.get(TITLES)).to_have_count(3)


def test_frames_are_found_by_their_words_and_narrowed_by_branch_and_ticket(window: Looking) -> None:
    window.go(view="frames")
    window.page.get_by_role("searchbox", name="Search frames").fill("refresh")
    expect(window.get(TITLES)).to_have_text([EARLY])
    assert window.state()["q"] == "refresh"
    window.page.get_by_role("searchbox", name="Search frames").fill("zebra")
    expect(window.get(".list-empty")).to_contain_text("No frame is like that")
    window.page.get_by_role("button", name="Show all frames").click()
    expect(window.get(TITLES)).to_have_count(3)
    opened(window, DRAWN)
    window.get(".trace-facts").get_by_text("LAN-7").click()
    expect(window.get(TITLES)).to_have_text([DRAWN])


def test_keys_lead_through_frames(window: Looking) -> None:
    window.go(view="frames")
    expect(window.get(TITLES)).to_have_count(3)
    window.press("j", "j", "j", "Enter")
    expect(window.get(".trace-title")).to_have_text(EARLY)
    window.press("Escape")
    expect(window.get(".trace-title")).to_have_count(0)
    expect(window.get(".virtual-row.is-active")).to_be_focused()


def test_a_phone_shows_the_drawing_without_growing(open_window: Open, machine: Machine) -> None:
    phone = open_window(machine, viewport=PHONE)
    opened(phone, EARLY)
    expect(phone.get(".atlas .module")).to_have_count(5)
    assert phone.sideways() == 0
