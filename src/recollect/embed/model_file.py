"""The one file that a model is: where it lies, and whether it is what it should be.

It holds the weights and the vocabulary. Its bytes are known beforehand, because `build` makes the
same ones everywhere; any others are not used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

NAME = "all-MiniLM-L6-v2"
FILE = os.path.join(NAME, "int8.safetensors")
SIZE = 23_298_352
CHECKSUM = "24e0421130d2db42f59e23e2f3431e21752c99303b8b11549c0c02eaecfefdc7"
PACKAGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model")
"""Where a release puts the file, so that its users need not build one."""

HOW_TO_BUILD = "run `recollect model build`"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A place where the file was looked for. `problem` is empty when it is there and sound."""

    path: str
    problem: str
    is_there: bool
    content: bytes = field(default=b"", repr=False)

    @property
    def is_ready(self) -> bool:
        return not self.problem

    @property
    def state(self) -> str:
        if self.is_ready:
            return "ready"
        return f"corrupt: {self.problem}" if self.is_there else "missing"


def find(folders: Sequence[str]) -> tuple[ModelFile, tuple[str, ...]]:
    """The first sound file, or else the first place; and what is wrong with those before it."""
    problems: list[str] = []
    files = [look(os.path.join(folder, FILE)) for folder in folders]
    for file in files:
        if file.is_ready:
            return file, tuple(problems)
        if file.is_there:
            problems.append(f"{file.path} {file.problem}; {HOW_TO_BUILD}")
    if not problems:
        problems.append(f"there is no model at {files[0].path}; {HOW_TO_BUILD}")
    return files[0], tuple(problems)


def look(path: str) -> ModelFile:
    try:
        with open(path, "rb") as file:
            content = file.read(SIZE + 1)
    except (FileNotFoundError, NotADirectoryError):
        return ModelFile(path, "is missing", is_there=False)
    except IsADirectoryError:
        return ModelFile(path, "is a folder", is_there=True)
    except OSError as problem:
        return ModelFile(path, f"cannot be read ({problem.strerror})", is_there=True)
    problem_found = _problem(content)
    return ModelFile(path, problem_found, is_there=True, content=b"" if problem_found else content)


def _problem(content: bytes) -> str:
    if not content:
        return "is empty"
    if len(content) < SIZE:
        return f"is cut short ({len(content)} of {SIZE} bytes)"
    from hashlib import sha256  # OpenSSL, which a session's start can do without

    found = sha256(content).hexdigest()
    if found != CHECKSUM:
        return f"has another checksum ({found[:12]}… instead of {CHECKSUM[:12]}…)"
    return ""
