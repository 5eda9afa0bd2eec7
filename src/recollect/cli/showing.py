"""Commands that show: `config show`, `wiring`."""

from __future__ import annotations

import json
import os
import shlex
import sys

from recollect.cli.front import command, parser, settings_of

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SessionEnd",
)
TIMEOUT = 10
"""Seconds that Claude Code gives a hook before it goes on without it."""


@command
def config(argv: list[str]) -> int:
    flags = parser("config", "Show every setting, its value and where it comes from.")
    flags.add_argument("what", choices=["show"])
    settings = settings_of(flags.parse_args(argv))
    rows = settings.shown()
    widths = [max(len(row[column]) for row in rows) for column in (0, 2)]
    for name, value, origin in rows:
        print(f"{name:{widths[0]}}  {origin:{widths[1]}}  {value}")
    return 0


@command
def wiring(argv: list[str]) -> int:
    """The lines to paste. Nothing is written: the agent's settings are the user's."""
    flags = parser("wiring", "Print what to put into an agent's settings.")
    flags.add_argument("client", choices=["claude-code"])
    args = flags.parse_args(argv)
    store = ["--db", os.path.abspath(args.db)] if args.db else []
    print("Into ~/.claude/settings.json:\n")
    print(_hooks(store))
    print("\nThen, once, in a terminal:\n")
    print(f"claude mcp add --scope user recollect -- {shlex.join(_serve_command(store))}")
    return 0


def hook_command(store: list[str]) -> list[str]:
    """The fast way in: this interpreter without its site packages, straight into the hook's file.

    It stays the same from version to version, because Codex trusts a hook by the hash of its line.
    """
    hook = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hook.py")
    return [sys.executable, "-I", "-S", hook, "record", "--exit-zero", *store]


def _hooks(store: list[str]) -> str:
    """JSON with a line for each event, as a person would lay it out."""
    program, *arguments = hook_command(store)
    entry = {"type": "command", "command": program, "args": arguments, "timeout": TIMEOUT}
    line = json.dumps([{"hooks": [entry]}])
    events = ",\n".join(f'    "{event}": {line}' for event in EVENTS)
    return f'{{\n  "hooks": {{\n{events}\n  }}\n}}'


def _serve_command(store: list[str]) -> list[str]:
    """`-I`: an agent starts servers in the user's checkout, whose modules are not ours to run."""
    module = ["-I", "-m", "recollect.cli.main"]
    return [sys.executable, *module, "serve", "--dialect", "nmem", *store]
