"""Every example in the documentation does what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.examples import ROOT, environment, examples, matches, typed

PAGES = sorted(
    path
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if examples(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_really_happens(page: Path, tmp_path: Path) -> None:
    shown = examples(page.read_text(encoding="utf-8"))
    try:
        printed = typed([example.command for example in shown], tmp_path)
    finally:
        typed(["recollect down"], tmp_path)
    assert len(printed) == len(shown)
    for example, output in zip(shown, printed, strict=True):
        assert matches(example.expected, output), f"$ {example.command}\n{output}"


def test_the_first_look_in_the_readme_is_what_the_demo_prints(tmp_path: Path) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (excerpt,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    demo = subprocess.run(
        [sys.executable, str(ROOT / "demo" / "replay.py")],
        capture_output=True,
        env={**environment(tmp_path), "PYTHONPATH": str(ROOT / "src")},
        text=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert matches(f"…\n{excerpt}", demo.stdout), demo.stdout


MATCHING = [
    # page             printed                matches   because
    ("a\nb\n", "a\nb\n", True, "the same is the same"),
    ("a\n", "a\nb\n", False, "nothing more may be printed"),
    ("a\n…\n", "a\nb\nc\n", True, "… alone is any number of lines"),
    ("a\n…\nc\n", "a\nc\n", True, "… alone may be no line at all"),
    ("a … c\n", "a b c\n", True, "… within a line is anything"),
    ("a … c\n", "a b\nc\n", False, "… within a line does not cross its end"),
    ("", "oops\n", False, "what is silent on the page is silent"),
]


@pytest.mark.parametrize(
    ("page", "printed", "is_matching", "because"), MATCHING, ids=[row[-1] for row in MATCHING]
)
def test_examples_are_compared_whole(
    page: str, printed: str, is_matching: bool, because: str
) -> None:
    assert matches(page, printed) is is_matching, because
