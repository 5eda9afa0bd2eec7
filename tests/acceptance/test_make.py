"""What a person gets from make, without a package index: the set-up meets a stand-in for Python.

The real set-up is what brought these tests here; see `.ci/run`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from models import FOLDER, needs_model
from recollect.embed import model_file

ROOT = Path(__file__).parents[2]
TARGETS = (
    "setup",
    "model",
    "up",
    "down",
    "demo",
    "test",
    "check",
    "bench",
    "bench-retrieval",
    "wheel",
    "help",
)
NOTHING_TO_FETCH = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "RECOLLECT_MODEL_DIR": ""}

# As much of Python as the Makefile asks for: how old it is, and a venv whose pip only takes notes.
STAND_IN = """#!/bin/sh
case "$*" in
    -V) echo "Python {version}" ;;
    *version_info*) exit {is_old} ;;
    *ensurepip*) exit {has_no_venv} ;;
    "-m venv .venv")
        mkdir -p .venv/bin
        cp "$0" .venv/bin/python
        printf '#!/bin/sh\\necho recollect 0\\n' > .venv/bin/recollect
        chmod +x .venv/bin/recollect ;;
    *"pip install"*) echo "$*" >> installed.txt ;;
    *) echo "not expected: $*" >&2; exit 3 ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that the set-up depends on, in a folder of their own."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def stand_in(checkout: Path, *, version: str = "3.12.1", old: int = 0, venvless: int = 0) -> str:
    path = checkout / "python"
    text = STAND_IN.format(version=version, is_old=old, has_no_venv=venvless)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return f"PYTHON={path}"


def make(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments],
        capture_output=True,
        cwd=checkout,
        env={**inherited, **environment},
        text=True,
        timeout=120,
        check=False,
    )


def test_make_alone_lists_what_there_is_to_do(checkout: Path) -> None:
    listed = make(checkout)
    assert listed.returncode == 0
    assert [name for name in TARGETS if f"  make {name:11} " not in listed.stdout] == []


def test_setup_happens_once_until_a_pin_changes(checkout: Path) -> None:
    python = stand_in(checkout)
    notes = checkout / "installed.txt"
    first = make(checkout, "setup", python)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines()[-1] == "Set up: recollect 0 in .venv/bin/recollect"
    make(checkout, "setup", python)
    assert len(notes.read_text(encoding="utf-8").splitlines()) == 1
    newer = (checkout / ".venv" / ".set-up").stat().st_mtime + 2
    os.utime(checkout / "constraints.txt", (newer, newer))
    make(checkout, "setup", python)
    assert len(notes.read_text(encoding="utf-8").splitlines()) == 2


def test_setup_installs_the_pinned_packages_and_names_no_index(checkout: Path) -> None:
    make(checkout, "setup", stand_in(checkout))
    command = (checkout / "installed.txt").read_text(encoding="utf-8")
    assert "--editable .[dev,llm] --constraint constraints.txt" in command
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if pin.count("==") != 1 or "/" in pin or pin[0] == "-"] == []


REFUSED = [
    # what is wrong               said
    ({"version": "3.9.6", "old": 1}, "is Python 3.9.6, and Recollect needs 3.11 or newer"),
    ({"venvless": 1}, "cannot make a virtual environment; on Debian: apt install python3-venv"),
]


@pytest.mark.parametrize(("wrong", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_setup_says_what_it_needs(checkout: Path, wrong: dict[str, int], said: str) -> None:
    refused = make(checkout, "setup", stand_in(checkout, **wrong))  # type: ignore[arg-type]
    assert refused.returncode != 0
    assert said in refused.stdout
    assert not (checkout / ".venv").exists()


def test_setup_says_that_there_is_no_python(checkout: Path) -> None:
    refused = make(checkout, "setup", "PYTHON=/nowhere/python3")
    assert refused.returncode != 0
    assert "There is no /nowhere/python3 here" in refused.stdout


def test_up_says_where_it_listens_and_what_to_do_next(checkout: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "RECOLLECT_PORT": "0", **NOTHING_TO_FETCH}
    _set_up_with_this_python(checkout)
    try:
        up = make(checkout, "up", **environment)
        assert up.returncode == 0, up.stderr
        assert "There is no model: search goes on by words only" in up.stdout
        assert "listening on http://127.0.0.1:" in up.stdout
        assert ".venv/bin/recollect wiring claude-code" in up.stdout
        assert "make down" in up.stdout
    finally:
        down = make(checkout, "down", **environment)
    assert down.returncode == 0
    assert down.stdout.startswith("stopped: process ")


@needs_model
def test_up_says_nothing_of_a_model_that_is_there(checkout: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "RECOLLECT_PORT": "0", **NOTHING_TO_FETCH}
    environment["RECOLLECT_MODEL_DIR"] = str(FOLDER)
    _set_up_with_this_python(checkout)
    try:
        up = make(checkout, "up", **environment)
        assert (up.returncode, up.stderr) == (0, "")
        assert "model" not in up.stdout
    finally:
        make(checkout, "down", **environment)


@needs_model
def test_a_release_carries_the_model_and_everything_that_is_data(checkout: Path) -> None:
    """Its users build nothing: the file is found where `model_file.PACKAGED` says."""
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout / name)
    shutil.copytree(ROOT / "src", checkout / "src", ignore=shutil.ignore_patterns("*.pyc"))
    _set_up_with_this_python(checkout)
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)

    built = make(checkout, "wheel", f"MODELS={FOLDER}", **NOTHING_TO_FETCH)

    assert built.returncode == 0, built.stderr
    (wheel,) = (checkout / "dist").glob("recollect-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        held = set(packed.namelist())
        content = packed.read(f"recollect/embed/model/{model_file.FILE}")
    assert sha256(content).hexdigest() == model_file.CHECKSUM
    source = ROOT / "src"
    data = {
        str(path.relative_to(source))
        for pattern in ("*.sql", "*.json", "*.py")
        for path in (source / "recollect").rglob(pattern)
    }
    assert data - held == set()


def test_down_before_any_set_up_says_so(checkout: Path) -> None:
    down = make(checkout, "down")
    assert down.returncode != 0
    assert down.stdout == "nothing is set up here, so nothing runs\n"


def _set_up_with_this_python(checkout: Path) -> None:
    folder = checkout / ".venv" / "bin"
    folder.mkdir(parents=True)
    command = folder / "recollect"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT / "src"}" \\\n'
        f'exec "{sys.executable}" -m recollect.cli.main "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    (checkout / ".venv" / ".set-up").touch()
