"""What a command was run for: its principal program, and how a person would put it.

Built on `shell`, so what is quoted runs nothing. Of several commands in one line the one that
says most is told: a commit before a push before a test before what merely leads there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from recollect.llm import shell

MOST_READ = 1_200
MOST_COMMANDS = 12
MOST_ARGUMENTS = 4
_BEARERS = frozenset(
    {"sudo", "time", "nohup", "env", "exec", "command", "nice", "xargs", "timeout"}
)
_RUNNERS = {
    "npx": 1, "bunx": 1, "pnpx": 1, "uvx": 1, "pipx": 2, "poetry": 2, "pipenv": 2, "uv": 2,
    "hatch": 2, "rye": 2, "bundle": 2,
}  # fmt: skip
"""What only runs another program: how many words it takes itself."""
_LEADING = frozenset(
    {"cd", "pushd", "popd", "export", "set", "source", ".", "sleep", "true", "mkdir", "unset"}
    | {"ulimit", "wait", "test", "["}
) | shell.SAYING  # fmt: skip
_TESTERS = frozenset(
    {"pytest", "tox", "nox", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "ctest"}
    | {"playwright", "cypress", "unittest", "py.test", "bats", "nextest"}
)
_SCRIPTED = frozenset({"npm", "pnpm", "yarn", "bun", "make", "just", "task", "cargo", "go", "mix"})
_SCRIPTED |= {"gradle", "gradlew", "mvn", "dotnet", "swift", "deno", "composer", "rake", "bazel"}
_TESTING = frozenset({"test", "tests", "t", "check-tests", "nextest", "unit", "e2e"})
_ADDING: Mapping[str, frozenset[str]] = {
    "pip": frozenset({"install"}), "pip3": frozenset({"install"}), "uv": frozenset({"add", "sync"}),
    "npm": frozenset({"install", "i", "ci", "add"}), "pnpm": frozenset({"add", "install", "i"}),
    "yarn": frozenset({"add", "install"}), "bun": frozenset({"add", "install"}),
    "poetry": frozenset({"add", "install"}), "cargo": frozenset({"add", "install"}),
    "go": frozenset({"get", "install"}), "brew": frozenset({"install"}),
    "apt": frozenset({"install"}), "apt-get": frozenset({"install"}), "gem": frozenset({"install"}),
    "bundle": frozenset({"install", "add"}), "composer": frozenset({"require", "install"}),
}  # fmt: skip
_CHECKERS = frozenset({"ruff", "eslint", "mypy", "flake8", "pylint", "tsc", "prettier", "black"})
_CHECKERS |= {"clippy", "golangci-lint", "shellcheck", "pyright", "biome", "lint-imports"}
_WORDED = re.compile(r"^[\w@.+:/~^=-]+$")


@dataclass(frozen=True, slots=True)
class Errand:
    """`said` is the title when it went well; `program` who ran; `about` words for `concepts`."""

    program: str
    said: str
    about: tuple[str, ...] = ()
    test: str = ""
    """What the tests are run with, as people name it; empty for what is no test."""


def errand(command: str) -> Errand:
    """What the command line was for."""
    found = islice(shell.commands(command[:MOST_READ]), MOST_COMMANDS)
    lines = [_principal(words) for words in found]
    told = [each for words in lines if words and (each := _told(words))]
    best = max(told, key=lambda ranked: ranked[0], default=None)
    if best is not None and best[0] > 0:
        return best[1]
    program = best[1].program if best is not None else ""
    about = best[1].about if best is not None else ()
    return Errand(program, f"Ran `{_shown(command)}`", about)


def _principal(words: Sequence[str]) -> list[str]:
    """Without what only runs it: `sudo -E timeout 60 uv run pytest -q` → `pytest -q`."""
    rest = list(words)
    while rest:
        first = rest[0].rpartition("/")[2]
        if first in _BEARERS:
            rest = rest[1:]
            while rest and (rest[0].startswith("-") or rest[0][:1].isdigit() or "=" in rest[0]):
                rest = rest[1:]
        elif first in {"python", "python3", "py"} and len(rest) > 2 and rest[1] == "-m":
            rest = rest[2:]
        elif (taken := _RUNNERS.get(first)) and (taken == 1 or rest[1:2] in (["run"], ["exec"])):
            rest = rest[taken:]
            while rest and rest[0].startswith("-"):
                rest = rest[1:]
        else:
            return [first, *rest[1:]]
    return []


def _told(words: list[str]) -> tuple[int, Errand] | None:
    """The errand with its rank; rank 0 has nothing better to say than the command itself."""
    program, arguments = words[0], words[1:]
    if not program or program in _LEADING:
        return None
    if teller := _TELLERS.get(program):
        return teller(program, arguments)
    if program in _TESTERS or (program in _SCRIPTED and _script(arguments) in _TESTING):
        name = program if program in _TESTERS else f"{program} {_script(arguments)}"
        return 6, Errand(program, _ran(words), ("testing",), name)
    if arguments and arguments[0] in _ADDING.get(program, ()):
        return 5, _installed(program, arguments)
    if program in _CHECKERS:
        return 4, Errand(program, _ran(words), ("linting",))
    if program in _SCRIPTED and _script(arguments) in {"build", "compile", "package", "assemble"}:
        return 4, Errand(program, _ran(words), ("build",))
    return 0, Errand(program, "")


def _script(arguments: Sequence[str]) -> str:
    named = [word for word in arguments if not word.startswith("-")]
    first = named[1] if named[:1] == ["run"] and len(named) > 1 else (named or [""])[0]
    return re.split(r"[:.]", first)[0]


def _git(_: str, arguments: list[str]) -> tuple[int, Errand]:
    verb, rest = _git_verb(arguments)
    named = [word for word in rest if not word.startswith("-")]
    first, last = (named or [""])[0], (named or [""])[-1]
    if verb == "commit":
        message = _message(rest)
        return 9, Errand("git", f"Committed: {message}" if message else "Committed", ("git",))
    if verb == "push":
        where = " to ".join(reversed(named[:2])) if len(named) > 1 else first
        return 8, Errand("git", f"Pushed {where}" if where else "Pushed", ("git",))
    if verb in {"checkout", "switch"} and "--" not in rest and first:
        is_new = not {"-b", "-B", "-c", "-C", "--create"}.isdisjoint(rest)
        said = f"Created branch {first}" if is_new else f"Switched to {first}"
        return 3, Errand("git", said, ("git", "branch"))
    simple = {
        "merge": f"Merged {last}", "rebase": f"Rebased on {first}", "clone": f"Cloned {first}",
        "pull": f"Pulled {' '.join(named[:2])}".strip(), "fetch": f"Fetched {first}".strip(),
        "tag": f"Tagged {first}", "revert": f"Reverted {first}", "cherry-pick": f"Picked {first}",
    }  # fmt: skip
    if verb in simple and (named or verb in {"pull", "fetch"}):
        return 3, Errand("git", simple[verb], ("git",))
    return 0, Errand("git", "", ("git",))


def _git_verb(arguments: list[str]) -> tuple[str, list[str]]:
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in {"-C", "-c"} else rest[1:]
    return (rest[0], rest[1:]) if rest else ("", [])


def _message(arguments: list[str]) -> str:
    for word, following in pairwise(arguments):
        if word == "--message" or (word[:1] == "-" and word[1:2] != "-" and word.endswith("m")):
            return following.strip().partition("\n")[0]
    for word in arguments:
        if word.startswith("--message="):
            return word.removeprefix("--message=").strip().partition("\n")[0]
    return ""


def _github(_: str, arguments: list[str]) -> tuple[int, Errand]:
    noun, verb = [*arguments, "", ""][:2]
    titled = dict(pairwise(arguments))
    title = titled.get("--title") or titled.get("-t") or ""
    nouns = {"pr": "pull request", "issue": "issue", "release": "release", "repo": "repository"}
    verbs = {
        "create": "Opened", "merge": "Merged", "close": "Closed", "view": "Looked at",
        "list": "Listed", "checkout": "Checked out", "comment": "Commented on", "edit": "Edited",
        "review": "Reviewed", "diff": "Looked at", "status": "Looked at",
    }  # fmt: skip
    if noun not in nouns or verb not in verbs:
        return 2, Errand("gh", f"Asked GitHub: `gh {_shown(' '.join(arguments))}`", ("github",))
    which = (arguments[2:] or [""])[0]
    about = f" {which}" if which and not which.startswith("-") else ""
    plural = "s" if verb == "list" else ""
    said = f"{verbs[verb]} {nouns[noun]}{plural}{about}"
    return 7, Errand("gh", f"{said}: {title}" if title else said, ("github", noun))


def _curl(program: str, arguments: list[str]) -> tuple[int, Errand]:
    url = next((word for word in arguments if "://" in word), "")
    if not url:
        return 0, Errand(program, "")
    method = dict(pairwise(arguments)).get("-X", "")
    return 2, Errand(program, f"Asked {url}" if not method else f"{method} {url}", ("http",))


def _container(program: str, arguments: list[str]) -> tuple[int, Errand]:
    return 2, Errand(program, _ran([program, *arguments]), ("containers",))


def _installed(program: str, arguments: list[str]) -> Errand:
    named = [word for word in arguments[1:] if not word.startswith("-") and _WORDED.match(word)]
    what = ", ".join(named[:MOST_ARGUMENTS]) if named else "what the project needs"
    return Errand(program, f"Installed {what} ({program})", ("dependencies",))


def _ran(words: Sequence[str]) -> str:
    return f"Ran `{_shown(' '.join(words))}`"


def _shown(command: str, most: int = 100) -> str:
    told = " ".join(command.split()).replace("`", "'")
    return told if len(told) <= most else told[: most - 1].rstrip() + "…"


_TELLERS: Mapping[str, Callable[[str, list[str]], tuple[int, Errand]]] = {
    "git": _git,
    "gh": _github,
    "curl": _curl,
    "wget": _curl,
    "docker": _container,
    "podman": _container,
    "kubectl": _container,
}
