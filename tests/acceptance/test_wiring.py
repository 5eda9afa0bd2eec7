"""What `recollect wiring` prints, run as an agent runs it: in a checkout that is not ours."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
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


@pytest.fixture
def printed(tmp_path: Path) -> str:
    return subprocess.run(
        [sys.executable, "-m", "recollect.cli.main", "wiring", "claude-code"],
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


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
