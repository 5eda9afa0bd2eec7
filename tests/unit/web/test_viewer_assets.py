"""What the viewer's files may not hold, and how much they may weigh."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest

import recollect.web

ASSETS = Path(recollect.web.__file__).parent / "viewer" / "assets"
OURS = sorted(path for path in ASSETS.rglob("*.js") if "vendor" not in path.parts)
VIEWS = re.findall(r'id: "(\w+)"', (ASSETS / "views.js").read_text(encoding="utf-8"))
SHEETS = sorted(ASSETS.rglob("*.css"))
MOST_BYTES = 300_000
MOST_SENT = 150_000
LONGEST = 320

FORBIDDEN = [
    # what                                       because
    (r"\b(inner|outer)HTML\b", "text would become elements"),
    (r"insertAdjacentHTML|setHTML|parseFromString|createContextualFragment", "the same"),
    (r"document\.write", "the same"),
    (r"\beval\(|new Function\b|setTimeout\(\s*[\"'`]", "text would become a program"),
    (r"setAttribute\(\s*[\"'](style|on\w+)[\"']", "the policy forbids it, and rightly"),
    (r"\bsrcdoc\b", "text would become a page"),
    (r"https?://(?!www\.w3\.org/)", "nothing is asked of anybody else"),
    (r"sendBeacon|WebSocket|importScripts", "there is one way to the worker"),
]


def name(path: Path) -> str:
    return str(path.relative_to(ASSETS))


@pytest.mark.parametrize("path", OURS, ids=name)
def test_no_script_has_a_way_around_text_nodes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [(what, because) for what, because in FORBIDDEN if re.search(what, text)]
    assert found == []


@pytest.mark.parametrize("path", OURS, ids=name)
def test_a_script_says_what_lives_there_and_stays_readable(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= LONGEST
    assert [line for line in lines if len(line) > 110] == []


@pytest.mark.parametrize("path", SHEETS, ids=name)
def test_no_sheet_asks_for_anything_elsewhere(path: Path) -> None:
    assert re.findall(r"url\(\s*[\"']?(?!data:)[^)]*|@import", path.read_text("utf-8")) == []


def test_the_page_has_no_script_style_or_handler_of_its_own() -> None:
    page = (ASSETS / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=", page) == []
    asked = re.findall(r"(?:src|href)=\"([^\"]+)\"", page)
    assert [each for each in asked if not each.startswith(("/viewer/assets/", "#"))] == []


def test_the_whole_page_is_small() -> None:
    """What a browser is sent for all views together, and what we have written of it."""
    files = [path for path in ASSETS.rglob("*") if path.is_file()]
    sent = {name(path): len(gzip.compress(path.read_bytes(), 6, mtime=0)) for path in files}
    ours = {name(path): path.stat().st_size for path in files if "vendor" not in path.parts}
    for sizes, most in ((sent, MOST_SENT), (ours, MOST_BYTES)):
        assert sum(sizes.values()) < most, sorted(sizes.items(), key=lambda each: -each[1])[:5]


def imported(path: Path, seen: set[Path]) -> set[Path]:
    """All that a module imports, and what that imports."""
    text = path.read_text(encoding="utf-8")
    for found in re.findall(
        r"^(?:import|export)\b[^;]*?[\"'](\.[^\"']+)[\"'];", text, re.MULTILINE
    ):
        other = (path.parent / found).resolve()
        if other not in seen:
            seen.add(other)
            imported(other, seen)
    return seen


def listed(constant: str) -> set[str]:
    """The names in a list of `early.js`, with the lists that it takes in."""
    text = (ASSETS / "early.js").read_text(encoding="utf-8")
    found = re.search(rf"\b{constant}(?: =|:) ((?:[\"`][^\"`]*[\"`]\s*\+?\s*)+)", text)
    assert found is not None, f"early.js has no list for {constant}"
    names = " ".join(re.findall(r"[\"`]([^\"`]*)[\"`]", found[1])).split()
    taken = {name[2:-1] for name in names if name.startswith("$")}
    return {name for name in names if not name.startswith("$")}.union(*map(listed, taken))


@pytest.mark.parametrize("view", VIEWS)
def test_the_modules_of_a_view_are_fetched_side_by_side(view: str) -> None:
    shell = imported(ASSETS / "app.js", set())
    needed = imported(ASSETS / "panels" / f"{view}.js", set()) - shell
    assert listed("SHELL") == {name(path.with_suffix("")) for path in shell}
    assert listed(view) == {name(path.with_suffix("")) for path in needed}


def test_third_party_code_comes_with_its_licence_and_version() -> None:
    vendored = [folder for folder in (ASSETS / "vendor").glob("*") if folder.is_dir()]
    lacking = [
        f"{folder.name}/{needed}"
        for folder in vendored
        for needed in ("LICENSE", "VERSION")
        if not (folder / needed).is_file()
    ]
    assert lacking == []


def test_third_party_code_is_what_was_published() -> None:
    told = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ASSETS / "vendor").glob("*/VERSION"))
    )
    sums = dict(re.findall(r"^([0-9a-f]{64})  (\S+)", told, re.MULTILINE))
    found = {
        hashlib.sha256(path.read_bytes()).hexdigest(): path.name
        for path in (ASSETS / "vendor").rglob("*")
        if path.is_file() and path.name != "VERSION"
    }
    assert found == sums
    assert found
