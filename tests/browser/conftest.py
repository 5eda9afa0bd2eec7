"""A worker with a past and a browser for each module; a window of its own for each test.

Every window is asked at the end whether something happened that must not: see `Looking.wrong`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.looking import Looking, launched, looking
from browser.machine import Machine, running
from browser.past import fill, world_in

Open = Callable[..., Looking]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for the whole session: while it is open, an event loop runs in this thread."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A worker whose store nobody changes for good."""
    world = world_in(tmp_path_factory.mktemp("past"))
    fill(world)
    with running(world) as machine:
        yield machine


@pytest.fixture
def open_window(browser: Browser) -> Iterator[Open]:
    """`open_window(machine, viewport=PHONE, color_scheme="dark")`; all must stay quiet."""
    windows: list[Looking] = []

    def opened(machine: Machine, **options: Any) -> Looking:
        window = looking(browser, machine.url, **options)
        windows.append(window)
        return window

    yield opened
    for window in windows:
        window.assert_quiet()
        window.context.close()


@pytest.fixture
def window(open_window: Open, machine: Machine) -> Looking:
    """A window on the worker with a past."""
    return open_window(machine)
