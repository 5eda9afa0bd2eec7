"""What `recollect wiring` prints, run as an agent runs it: in a checkout that is not ours."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REQUEST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def wiring(client: str, home: Path) -> str:
    return subprocess.run(
        [sys.executable, "-m", "recollect.cli.main", "wiring", client],
        env={**os.environ, "HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.fixture
def printed(tmp_path: Path) -> str:
    return wiring("claude-code", tmp_path)


def test_the_server_loads_no_module_of_the_checkout_it_starts_in(
    printed: str, tmp_path: Path
) -> None:
    for package in ("recollect", "mcp", "anyio"):
        (tmp_path / package).mkdir()
        trap = f"open({str(tmp_path / 'caught')!r}, 'w')\n"
        (tmp_path / package / "__init__.py").write_text(trap, encoding="utf-8")
    (line,) = (line for line in printed.splitlines() if line.startswith("claude mcp add"))
    command = shlex.split(line.partition(" -- ")[2])

    served = subprocess.run(
        command,
        input=json.dumps(REQUEST) + "\n",
        env={"HOME": str(tmp_path), "PATH": os.defpath},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert not (tmp_path / "caught").exists()
    assert json.loads(served.stdout)["result"]["serverInfo"]["name"] == "recollect"


def test_each_hook_is_captured_by_the_printed_command(printed: str, tmp_path: Path) -> None:
    settings = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])
    event = {"session_id": "s", "cwd": str(tmp_path), "tool_name": "Bash", "prompt": "hello"}

    for name, (group,) in settings["hooks"].items():
        (hook,) = group["hooks"]
        done = subprocess.run(
            [hook["command"], *hook["args"]],
            input=json.dumps({**event, "hook_event_name": name}),
            env={"HOME": str(tmp_path), "PATH": os.defpath},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, ""), name

    waiting = list((tmp_path / ".recollect" / "recollect.db-spool").glob("*.json"))
    assert len(waiting) == len(settings["hooks"]) - 1  # SessionStart, the first, was drained


HOOKS = [
    # client, a payload with what each of its events may say, hooks that keep an event
    (
        "cursor",
        {
            "conversation_id": "s",
            "workspace_roots": ["/code/shop"],
            "prompt": "hello",
            "command": "make",
            "output": "ok",
        },
        7,
    ),
    ("codex", {"session_id": "s", "cwd": "/x", "prompt": "hello", "tool_name": "Bash"}, 5),
    ("gemini", {"session_id": "s", "cwd": "/x", "prompt": "hello", "tool_name": "ls"}, 5),
    ("copilot", {"sessionId": "s", "cwd": "/x", "prompt": "hello", "toolName": "bash"}, 5),
    (
        "windsurf",
        {"trajectory_id": "s", "tool_info": {"user_prompt": "hello", "command_line": "make"}},
        5,
    ),
]


@pytest.mark.parametrize(("client", "event", "count"), HOOKS, ids=[row[0] for row in HOOKS])
def test_each_printed_line_tells_of_its_event(
    client: str, event: dict[str, object], count: int, tmp_path: Path
) -> None:
    printed = wiring(client, tmp_path)
    settings, _ = json.JSONDecoder().raw_decode(printed[printed.index("{") :])
    lines = [_command(entry) for entries in settings["hooks"].values() for entry in entries]
    assert len(lines) == count

    for line in lines:
        done = subprocess.run(
            line,
            shell=True,
            input=json.dumps(event),
            env={"HOME": str(tmp_path), "PATH": os.defpath},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        assert isinstance(json.loads(done.stdout), dict), line

    waiting = list((tmp_path / ".recollect" / "recollect.db-spool").glob("*.json"))
    starts = sum(line.endswith(" context") for line in lines)  # which are drained by themselves
    assert len(waiting) == count - starts


def _command(entry: dict[str, object]) -> str:
    """A client's entry, bare or in a group, to the line that its shell is given."""
    inner = entry.get("hooks", [entry])
    assert isinstance(inner, list)
    (hook,) = inner
    return str(hook["command"])


SERVERS = [
    ("cursor", "mcpServers"),
    ("gemini", "mcpServers"),
    ("copilot", "servers"),
    ("windsurf", "mcpServers"),
    ("codex", "mcp_servers"),
]


@pytest.mark.parametrize(("client", "key"), SERVERS, ids=[row[0] for row in SERVERS])
def test_the_printed_server_is_one(client: str, key: str, tmp_path: Path) -> None:
    printed = wiring(client, tmp_path)
    if client == "codex":
        servers = tomllib.loads(printed[printed.index("[mcp_servers") :])[key]
    elif client == "gemini":
        servers = json.loads(printed[printed.index("{") :])[key]
    else:
        servers = json.loads(printed[printed.rindex("\n\n") :])[key]
    command = [servers["recollect"]["command"], *servers["recollect"]["args"]]
    served = subprocess.run(
        command,
        input=json.dumps(REQUEST) + "\n",
        env={"HOME": str(tmp_path), "PATH": os.defpath},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert json.loads(served.stdout)["result"]["serverInfo"]["name"] == "recollect"
