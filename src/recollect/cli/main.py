"""`recollect`: which command was meant, and nothing else.

A command's module is imported when the command runs.

Options of the whole program (`--db`) may stand before the command or after it.
"""

from __future__ import annotations

import io
import sys
from importlib import import_module

COMMANDS = {
    "record": ("hook", "main", "read one hook event on stdin and keep it"),
    "hook": ("delivery", "main", "tell the worker what an agent did, from one of its hooks"),
    "serve": ("serve", "run", "serve memories to an agent over stdio (MCP)"),
    "mcp": ("serve", "run", "the same as serve"),
    "up": ("up", "run_up", "start the worker"),
    "down": ("up", "run_down", "stop the worker"),
    "search": ("reading", "search", "search memories"),
    "find": ("asking", "find", "find memories by words and by meaning"),
    "pack": ("packing", "pack", "what helps with a question, within a budget of tokens"),
    "explain": ("asking", "explain", "why an earlier answer was what it was"),
    "status": ("reading", "status", "what the store holds"),
    "jobs": ("jobs", "jobs", "what is queued and what failed, and try that again"),
    "context": ("reading", "context", "what a new session would be told"),
    "mark": ("keeping", "mark", "remember a remark"),
    "pin": ("keeping", "pin", "keep a memory through every sweep"),
    "unpin": ("keeping", "unpin", "let a memory go with its time"),
    "purge": ("care", "purge", "remove memories for good"),
    "import": ("moving", "import_", "bring memories from a file, one a line"),
    "export": ("moving", "export", "write every memory, one a line"),
    "maintain": ("care", "maintain", "compact, rebuild, sweep, summarise"),
    "embed": ("embedding", "embed", "make everything findable by meaning"),
    "doctor": ("doctor", "doctor", "check the store, and repair what is derived"),
    "model": ("model", "model", "build the model that finds by meaning, or show its state"),
    "encrypt": ("encryption", "encrypt", "encrypt the store"),
    "config": ("showing", "config", "show every setting and where it comes from"),
    "wiring": ("showing", "wiring", "print what to put into an agent's settings"),
    "lex": ("lex", "lex", "frames, which say where work stands, and modules"),
    "nmem": ("main", "main", "the same commands under nmem's name"),
}
"""Command → module, function, and a line of help."""

GLOBAL_OPTIONS = ("--db",)


def main(argv: list[str] | None = None) -> int:
    arguments = _with_globals_last(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0
    command, *rest = arguments
    if command == "--version":
        from recollect import __version__

        print(f"recollect {__version__}")
        return 0
    if command not in COMMANDS:
        print(f"recollect: there is no command {command!r}; try recollect --help", file=sys.stderr)
        return 2
    _speak_utf8()
    module, function, _ = COMMANDS[command]
    run = getattr(import_module(f"recollect.cli.{module}"), function)
    status: int = run(rest)
    return status


def _speak_utf8() -> None:
    """Whatever the locale: memories hold every script, and JSON is read as UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _with_globals_last(arguments: list[str]) -> list[str]:
    moved: list[str] = []
    rest = list(arguments)
    while rest and rest[0].startswith(GLOBAL_OPTIONS):
        moved.append(rest.pop(0))
        if "=" not in moved[-1] and rest:
            moved.append(rest.pop(0))
    return rest[:1] + moved + rest[1:] if rest else moved


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name:{width}}  {about}" for name, (_, _, about) in COMMANDS.items())
    return "usage: recollect [--db FILE] COMMAND ...\n\n" + "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
