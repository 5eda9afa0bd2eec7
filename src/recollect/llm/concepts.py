"""Words under which an observation is filed: what it shows, its language, its technology.

Only what is plainly there: nothing is guessed from a name that could mean several things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

WHAT_CHANGED = "what-changed"
KNOWN = (
    *("how-it-works", "why-it-exists", WHAT_CHANGED, "problem-solution"),
    *("gotcha", "pattern", "trade-off"),
)
"""The published ones; rules can tell one of them, a model knows them all."""

_LANGUAGES = {
    "python": "py pyi pyx ipynb", "javascript": "js jsx mjs cjs", "typescript": "ts tsx mts cts",
    "rust": "rs", "go": "go", "java": "java", "kotlin": "kt kts", "swift": "swift", "c": "c h",
    "c++": "cpp cc cxx hpp hh", "c#": "cs", "ruby": "rb erb", "php": "php", "scala": "scala",
    "elixir": "ex exs", "erlang": "erl", "haskell": "hs", "lua": "lua", "r": "r", "dart": "dart",
    "shell": "sh bash zsh fish", "powershell": "ps1", "sql": "sql", "html": "html htm",
    "css": "css scss sass less", "vue": "vue", "svelte": "svelte", "markdown": "md mdx",
    "yaml": "yaml yml", "toml": "toml", "json": "json jsonc", "xml": "xml", "protobuf": "proto",
    "terraform": "tf tfvars", "zig": "zig", "nix": "nix", "graphql": "graphql gql",
}  # fmt: skip
_OF_EXTENSION = {ext: name for name, exts in _LANGUAGES.items() for ext in exts.split()}
_OF_NAME = {
    "dockerfile": "docker", "makefile": "make", "cargo.toml": "cargo", "package.json": "npm",
    "pyproject.toml": "packaging", "go.mod": "go", "cmakelists.txt": "cmake", "justfile": "just",
    "docker-compose.yml": "docker", "requirements.txt": "dependencies",
}  # fmt: skip
_OF_PROGRAM = {
    "pytest": "python", "pip": "python", "pip3": "python", "python": "python", "uv": "python",
    "python3": "python", "mypy": "python", "ruff": "python", "npm": "javascript",
    "node": "javascript", "tsc": "typescript", "cargo": "rust", "rustc": "rust", "go": "go",
    "psql": "postgresql", "sqlite3": "sqlite", "mysql": "mysql", "redis-cli": "redis",
    "kubectl": "kubernetes", "docker": "docker", "terraform": "terraform", "make": "make",
}  # fmt: skip
_TEST = re.compile(
    r"(?:^|[/\\])(?:tests?|specs?|__tests__)[/\\]|(?:^|[/\\])test_|[._](?:test|spec)s?\."
)
_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,8})$")


def of_files(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        name = path.replace("\\", "/").rpartition("/")[2].lower()
        if special := _OF_NAME.get(name):
            yield special
        if found := _EXTENSION.search(name):
            yield _OF_EXTENSION.get(found[1], found[1])
        if _TEST.search(path):
            yield "testing"


def of_program(program: str) -> Iterator[str]:
    if program:
        yield program.lower()
        if technology := _OF_PROGRAM.get(program.lower()):
            yield technology
