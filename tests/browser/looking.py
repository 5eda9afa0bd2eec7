"""Somebody who looks at the viewer in a real browser, and notices whatever should not happen.

Chromium is the system's own; nothing downloads a browser.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Playwright,
    Request,
    expect,
)

PATIENCE = 20_000
"""Milliseconds that the page has for anything, on a machine that does other things as well."""
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
NOTICED = """
window.noticed = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.noticed.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""
"""In every page before its own scripts: what the policy forbade."""


def launched(playwright: Playwright) -> Browser:
    found = [path for name in NAMES if (path := shutil.which(name))]
    found += [path for path in ON_MACOS if Path(path).exists()]
    assert found, "there is no Chromium here; on Debian: apt install chromium"
    expect.set_options(timeout=PATIENCE)
    return playwright.chromium.launch(executable_path=found[0], args=FLAGS)


@dataclass
class Looking:
    """One window. `wrong` holds what a page must never do; see `assert_quiet`."""

    url: str
    context: BrowserContext
    page: Page
    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """Every address that was asked for, in order."""
    is_away: bool = False
    """While the worker is, the browser complains of connections on its console."""

    def go(self, **state: str) -> None:
        """Open a view by its address: `go(view="memory", q="token")`."""
        self.page.goto(f"{self.url}/viewer?{urlencode(state)}")

    def state(self) -> dict[str, str]:
        """What the address says."""
        asked: dict[str, str] = self.page.evaluate(
            "Object.fromEntries(new URLSearchParams(location.search))"
        )
        return asked

    def get(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """The text of what has the focus, or its label."""
        text: str = self.page.evaluate(
            "(document.activeElement.ariaLabel ?? document.activeElement.innerText ?? '').trim()"
        )
        return text

    def seriously(self) -> list[str]:
        """What axe finds that is serious or worse."""
        assert AXE.exists(), "there is no axe-core here; make axe installs it"
        # Not as a script of the page: its policy forbids that, as it should.
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: list[dict[str, Any]] = self.page.evaluate(
            "axe.run().then((told) => told.violations)"
        )
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    def sideways(self) -> int:
        """Pixels by which the page is wider than its window."""
        wider: int = self.page.evaluate(
            "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth"
        )
        return wider

    def picture(self, name: str) -> None:
        """A screenshot, into the folder that RECOLLECT_PICTURES names; without one, none."""
        folder = os.environ.get("RECOLLECT_PICTURES")
        if folder:
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"), animations="disabled")

    def assert_quiet(self) -> None:
        """Nothing was complained of, forbidden, asked of elsewhere, or said in a dialog."""
        try:
            forbidden = self.page.evaluate("window.noticed")
        except Error:  # the window is closed
            forbidden = []
        assert [*self.wrong, *(forbidden or [])] == []


def looking(browser: Browser, url: str, **options: Any) -> Looking:
    """A new window, with nothing in it of those before."""
    context = browser.new_context(
        viewport=options.pop("viewport", DESK),
        locale="en-GB",
        timezone_id="Europe/Berlin",
        reduced_motion="reduce",
        **options,
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(NOTICED)
    window = Looking(url, context, context.new_page())
    _listen(window)
    return window


def _listen(window: Looking) -> None:
    def on_console(message: Any) -> None:
        is_about_absence = window.is_away and "Failed to load resource" in message.text
        if message.type in ("error", "warning") and not is_about_absence:
            window.wrong.append(f"console: {message.text}")

    def on_request(request: Request) -> None:
        window.asked.append(request.url)
        if not request.url.startswith((f"{window.url}/", "data:")):
            window.wrong.append(f"asked elsewhere: {request.url}")

    def on_dialog(dialog: Any) -> None:
        window.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    window.page.on("console", on_console)
    window.page.on("request", on_request)
    window.page.on("dialog", on_dialog)
    window.page.on("pageerror", lambda error: window.wrong.append(f"error: {error}"))
    window.page.on("popup", lambda popup: window.wrong.append(f"popup: {popup.url}"))
