"""Each view as it looks on a usual day. `make pictures` keeps what is seen here in docs/images."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.conftest import Open
from browser.looking import DESK, PHONE
from browser.machine import Machine, running
from browser.past import fill, world_in
from browser.test_frames import POLICY
from browser.work import fill_operations
from promises import last

SCENES = [
    # state                        shown when this is   light or dark  window  because
    ({"view": "memory", "q": "token refresh"}, ".virtual-row", "light", DESK, "memory"),
    ({"view": "sessions", "session": "1"}, ".trace-title", "light", DESK,
     "sessions"),
    ({"view": "timeline"}, ".line-title", "dark", DESK, "timeline"),
    ({"view": "frames"}, "article a", "light", DESK, "frames"),
    ({"view": "live"}, ".next-text", "light", DESK, "live"),
    ({"view": "operations"}, ".ops-storage tbody tr", "light", DESK, "operations"),
    ({"view": "operations"}, ".ops-storage tbody tr", "dark", PHONE, "operations-phone"),
    ({"view": "memory"}, ".virtual-row", "dark", PHONE, "memory-phone"),
]  # fmt: skip


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("usual")
    policy = folder / "lexmap.policy.json"
    policy.write_text(json.dumps(POLICY), encoding="utf-8")
    world = world_in(folder)
    fill(world)
    fill_operations(world)
    world.environ["LEX_POLICY_PATH"] = str(policy)
    with running(world) as machine:
        yield machine


@pytest.mark.parametrize(("state", "shown", "scheme", "viewport", "because"), SCENES, ids=last)
def test_a_view_shows_itself_whole(
    open_window: Open,
    busy: Machine,
    state: dict[str, str],
    shown: str,
    scheme: str,
    viewport: dict[str, int],
    because: str,
) -> None:
    window = open_window(busy, color_scheme=scheme, viewport=viewport)
    window.go(**state)
    expect(window.get(shown).first).to_be_visible()
    if state["view"] in ("memory", "frames") and viewport is DESK:
        window.get(shown).first.click()
    if state["view"] == "operations":
        expect(window.get(".chart canvas")).to_have_count(2)
    if state["view"] == "frames":
        expect(window.get("main svg text").first).to_be_visible()
    window.page.wait_for_load_state("load")
    expect(window.get(".waiting")).to_have_count(0)
    assert window.sideways() == 0
    window.picture(f"viewer-{because}")
