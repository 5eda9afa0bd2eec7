"""Runs the `console` blocks of a page as a person would type them, in an empty home folder.

A line that begins with `$ ` is typed; the lines below it are what it prints, stdout and stderr
together. `…` stands for anything within a line, and alone on a line for any number of lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "end of example"


@dataclass(frozen=True, slots=True)
class Example:
    command: str
    expected: str


def examples(page: str) -> list[Example]:
    """What a page lets the reader type, in order, with what the page says is printed."""
    found = []
    for block in BLOCK.findall(page):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = piece.partition("\n")
            found.append(Example(command, expected))
    return found


def typed(commands: list[str], home: Path) -> list[str]:
    """What each of the commands prints, typed one after the other into one shell."""
    script = "".join(f"{command}\necho '{END}'\n" for command in commands)
    done = subprocess.run(
        ["bash", "--norc", "-s"],
        input=script,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=home,
        env=environment(home),
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return done.stdout.split(f"{END}\n")[:-1]


def environment(home: Path) -> dict[str, str]:
    """That of somebody who has just installed Recollect; a worker takes any free port."""
    ours = ("RECOLLECT_", "NMEM_", "CODEXMEM_", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = f"{_installed(home)}{os.pathsep}{kept.get('PATH', os.defpath)}"
    return {**kept, "HOME": str(home), "PATH": path, "RECOLLECT_PORT": "0"}


def matches(expected: str, printed: str) -> bool:
    pattern = "".join(_line_pattern(line) for line in expected.splitlines())
    return re.fullmatch(pattern, printed) is not None


def _line_pattern(line: str) -> str:
    if line == "…":
        return r"(?:.*\n)*?"
    return ".*?".join(map(re.escape, line.split("…"))) + r"\n"


def _installed(home: Path) -> Path:
    """A folder with a `recollect` that is the source of this checkout."""
    folder = home / ".bin"
    folder.mkdir(exist_ok=True)
    command = folder / "recollect"
    command.write_text(
        "#!/bin/sh\n"
        f'PYTHONPATH="{ROOT / "src"}" exec "{sys.executable}" -m recollect.cli.main "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    return folder
