"""What there is to look up can be looked up, and links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.examples import ROOT
from recollect.cli.main import COMMANDS
from recollect.dialect import registry
from recollect.model import errors
from recollect.settings import PROJECT_SETTINGS, SETTINGS

SHELVES = ("*.md", "docs/**/*.md", "changelog.d/*.md")
PAGES = sorted(page for shelf in SHELVES for page in ROOT.glob(shelf))
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ERRORS = [kind for kind in vars(errors).values() if isinstance(kind, type)]
CODES = [kind.code for kind in ERRORS if issubclass(kind, errors.RecollectError)]

LOOKED_UP = [
    *[("settings.md", f"`{row.name}`") for row in (*SETTINGS, *PROJECT_SETTINGS)],
    *[("settings.md", f"`{name}`") for row in SETTINGS for name in row.variables],
    *[("commands.md", f"## `recollect {name}`") for name in COMMANDS],
    *[("errors.md", f"## `{code}`") for code in CODES],
    *[
        (f"{dialect}-tools.md", f"## `{tool.name}`")
        for dialect in registry.names()
        for tool in registry.load(dialect).tools
    ],
]


@pytest.mark.parametrize(("page", "entry"), LOOKED_UP)
def test_everything_is_in_the_reference(page: str, entry: str) -> None:
    assert entry in (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")


def test_generated_pages_are_what_would_be_generated() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_commands_that_pages_name_exist() -> None:
    """In code spans and blocks; `recollect NAME`, with or without the folder in front."""
    named = {
        name
        for page in PAGES
        for code in re.findall(r"`[^`]+`", page.read_text(encoding="utf-8"))
        for name in re.findall(r"(?:^|[`/\n ])recollect ([a-z]+)", code)
    }
    assert named - set(COMMANDS) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = [link for link in LINK.findall(_prose(page)) if not _leads_somewhere(page, link)]
    assert broken == []


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name) if name else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
