"""What is pasted into each client: where it belongs, its hooks in its own form, its MCP server.

Which of a client's events are worth a hook is decided here; what their JSON means, in
`capture.platforms`. Nothing is written: the files are the user's.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

TIMEOUT = 10
"""Seconds that a client gives a hook before it goes on without it; the hook needs a fraction."""
CODEX_TIMEOUT = 3
"""What Codex grants at the end of a session, where it grants least."""
SERVER = "recollect"

CLAUDE_CODE = (
    *("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"),
    *("Stop", "SessionEnd"),
)
CURSOR = {
    "sessionStart": "context",
    "beforeSubmitPrompt": "session-init",
    "afterShellExecution": "observation",
    "afterMCPExecution": "observation",
    "afterFileEdit": "observation",
    "stop": "summarize",
    "sessionEnd": "session-end",
}
"""Cursor's event → ours. `postToolUse` would tell of the same uses a second time."""
CODEX = {
    "SessionStart": "context",
    "UserPromptSubmit": "session-init",
    "PostToolUse": "observation",
    "Stop": "summarize",
    "SessionEnd": "session-end",
}
GEMINI = {
    "SessionStart": "context",
    "BeforeAgent": "session-init",
    "AfterTool": "observation",
    "AfterAgent": "summarize",
    "SessionEnd": "session-end",
}
COPILOT = {
    "sessionStart": "context",
    "userPromptSubmitted": "session-init",
    "postToolUse": "observation",
    "agentStop": "summarize",
    "sessionEnd": "session-end",
}
WINDSURF = {
    "pre_user_prompt": "session-init",
    "post_write_code": "observation",
    "post_run_command": "observation",
    "post_mcp_tool_use": "observation",
    "post_cascade_response": "summarize",
}


@dataclass(frozen=True, slots=True)
class Wire:
    """A place and what goes into it; `store` is `--db FILE`, or nothing."""

    place: str
    lines: Callable[[list[str]], str]


def wires(client: str) -> tuple[Wire, ...]:
    return CLIENTS[client]


def hook_command(*words: str) -> list[str]:
    """The fast way in: this interpreter without its site packages, straight into the hook's file.

    It stays the same from version to version, because Codex trusts a hook by the hash of its line.
    """
    hook = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hook.py")
    return [sys.executable, "-I", "-S", hook, *words]


def serve_command(*words: str) -> list[str]:
    """`-I`: an agent starts servers in the user's checkout, whose modules are not ours to run."""
    return [sys.executable, "-I", "-m", "recollect.cli.main", "serve", *words]


def _claude_hooks(store: list[str]) -> str:
    program, *arguments = hook_command("record", "--exit-zero", *store)
    entry = {"type": "command", "command": program, "args": arguments, "timeout": TIMEOUT}
    return _hooks({event: [{"hooks": [entry]}] for event in CLAUDE_CODE})


def _claude_server(store: list[str]) -> str:
    command = shlex.join(serve_command("--dialect", "nmem", *store))
    return f"claude mcp add --scope user {SERVER} -- {command}"


def _cursor_hooks(store: list[str]) -> str:
    entries = {event: [{"command": line}] for event, line in _lines("cursor", CURSOR, store)}
    return _hooks(entries, version=1)


def _codex_hooks(store: list[str]) -> str:
    return _hooks(
        {
            event: [{"hooks": [{"type": "command", "command": line, "timeout": CODEX_TIMEOUT}]}]
            for event, line in _lines("codex", CODEX, store)
        }
    )


def _codex_server(store: list[str]) -> str:
    program, *arguments = serve_command(*store)
    # A basic string of TOML is written like one of JSON.
    return "\n".join(
        (
            f"[mcp_servers.{SERVER}]",
            f"command = {json.dumps(program)}",
            f"args = {json.dumps(arguments)}",
        )
    )


def _gemini_hooks(store: list[str]) -> str:
    milliseconds = TIMEOUT * 1000
    entries = {
        event: [
            {
                "hooks": [
                    {"name": SERVER, "type": "command", "command": line, "timeout": milliseconds}
                ]
            }
        ]
        for event, line in _lines("gemini", GEMINI, store)
    }
    return _hooks(entries, mcpServers=_server(store))


def _copilot_hooks(store: list[str]) -> str:
    entries = {
        event: [{"type": "command", "command": line, "timeoutSec": TIMEOUT}]
        for event, line in _lines("copilot", COPILOT, store)
    }
    return _hooks(entries, version=1)


def _windsurf_hooks(store: list[str]) -> str:
    return _hooks(
        {
            event: [{"command": line, "show_output": False}]
            for event, line in _lines("windsurf", WINDSURF, store)
        }
    )


def _mcp_servers(store: list[str]) -> str:
    return json.dumps({"mcpServers": _server(store)}, indent=2)


def _code_servers(store: list[str]) -> str:
    program, *arguments = serve_command(*store)
    entry = {"type": "stdio", "command": program, "args": arguments}
    return json.dumps({"servers": {SERVER: entry}}, indent=2)


def _server(store: list[str]) -> dict[str, object]:
    program, *arguments = serve_command(*store)
    return {SERVER: {"command": program, "args": arguments}}


def _lines(platform: str, events: Mapping[str, str], store: list[str]) -> list[tuple[str, str]]:
    """Each event of the client with its command, as one line for a shell."""
    return [
        (theirs, shlex.join(hook_command("hook", *store, platform, ours)))
        for theirs, ours in events.items()
    ]


def _hooks(entries: Mapping[str, object], **beside: object) -> str:
    """JSON with a line for each event, as a person would lay it out."""
    events = ",\n".join(f'    "{event}": {json.dumps(entry)}' for event, entry in entries.items())
    others = "".join(f'  "{name}": {json.dumps(value)},\n' for name, value in beside.items())
    return f'{{\n{others}  "hooks": {{\n{events}\n  }}\n}}'


CLIENTS: Mapping[str, tuple[Wire, ...]] = {
    "claude-code": (
        Wire("Into ~/.claude/settings.json:", _claude_hooks),
        Wire("Then, once, in a terminal:", _claude_server),
    ),
    "cursor": (
        Wire("Into ~/.cursor/hooks.json:", _cursor_hooks),
        Wire("Into ~/.cursor/mcp.json:", _mcp_servers),
    ),
    "codex": (
        Wire("Into ~/.codex/hooks.json:", _codex_hooks),
        Wire("Into ~/.codex/config.toml:", _codex_server),
    ),
    "gemini": (Wire("Into ~/.gemini/settings.json:", _gemini_hooks),),
    "copilot": (
        Wire("Into ~/.copilot/hooks/recollect.json:", _copilot_hooks),
        Wire("Into .vscode/mcp.json, or the user's mcp.json of VS Code:", _code_servers),
    ),
    "windsurf": (
        Wire("Into ~/.codeium/windsurf/hooks.json:", _windsurf_hooks),
        Wire("Into ~/.codeium/windsurf/mcp_config.json:", _mcp_servers),
    ),
}
"""What each client takes, in the order in which it is printed."""
