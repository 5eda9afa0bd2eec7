"""A timeline as a page: everything that was said is there, and none of it is markup."""

from __future__ import annotations

import html.parser
from typing import Any

from recollect.cli.lex_page import page

EVIL = '<script>alert("1")</script>&amp;'


def step(number: int, **more: Any) -> dict[str, Any]:
    return {
        "frame": {
            "id": f"frame-{number}",
            "timestamp": f"2026-01-0{number}T10:00:00.000Z",
            "summary_caption": f"caption {number}",
            "reference_point": "the lock",
            "status_snapshot": {"next_action": "try again", **more.pop("status", {})},
            "module_scope": more.pop("scope", ["a"]),
        },
        **more,
    }


class Reader(html.parser.HTMLParser):
    """Every tag that a browser would see, and all the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_changed_stands_at_each_frame() -> None:
    told = Reader(
        page(
            "T-1",
            [
                step(1, status={"blockers": ["no key"]}, blockersAdded=["no key"]),
                step(
                    2,
                    scope=["a", "b/c"],
                    status={"tests_failing": ["test_x"]},
                    modulesAdded=["b/c"],
                    blockersRemoved=["no key"],
                ),
            ],
        )
    ).text
    for words in (
        *("T-1: timeline", "2 frames, 2026-01-01 to 2026-01-02", "2026-01-01 10:00 UTC"),
        *("caption 1", "New blocker: no key", "+ touches b/c", "Resolved: no key"),
        *("Failing: test_x", "Next: try again", "2 of 2", "1 of 2"),
    ):
        assert words in told


def test_nothing_that_was_said_becomes_markup() -> None:
    evil = step(
        1,
        scope=[EVIL],
        status={"blockers": [EVIL], "tests_failing": [EVIL], "next_action": EVIL},
        modulesAdded=[EVIL],
        blockersAdded=[EVIL],
    )
    for name in ("id", "summary_caption", "reference_point"):
        evil["frame"][name] = EVIL
    evil["frame"]["timestamp"] = f'2026"><img src=x onerror=alert(1)>{EVIL}'
    read = Reader(page(EVIL, [evil]))
    assert not {"script", "img"} & set(read.tags)
    assert read.text.count('alert("1")') >= 9


def test_a_page_loads_nothing() -> None:
    text = page("T-1", [step(1)])
    assert "default-src 'none'" in text
    assert not {"src=", "href=", "url(", "@import"} & {
        each for each in ("src=", "href=", "url(", "@import") if each in text
    }


def test_a_timeline_without_frames_is_a_page_too() -> None:
    assert "0 frames" in Reader(page("none", [])).text
    assert "1 frame, 2026-01-01" in Reader(page("one", [step(1)])).text
