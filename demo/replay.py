"""Replays `session.jsonl` as an agent's hooks would, and shows what is remembered of it.

Everything is the real thing: each line goes through the command that `recollect wiring` prints,
the questions through the command line and an MCP server. Only the store is thrown away.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.cli.wires import hook_command

SESSION = Path(__file__).with_name("session.jsonl")
SECRET = "AKIAIOSFODNN7EXAMPLE"  # the example key of AWS's own documentation
PRIVATE = "Example Shipping"


def main() -> None:
    *events, next_start = SESSION.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder:
        demo = Demo(Path(folder))
        demo.capture(events)
        demo.search("clock skew")
        demo.timeline("tests/test_clock_skew.py")
        demo.privacy()
        demo.next_session(next_start)
    print("\nThe store was thrown away. Next: make up, then .venv/bin/recollect wiring claude-code")


class Demo:
    """A store in a folder of its own, and the environment of somebody who has just installed it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = ["--db", str(folder / "recollect.db")]
        ours = ("RECOLLECT_", "NMEM_")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(ours)
        } | {"HOME": str(folder)}

    def capture(self, events: Sequence[str]) -> None:
        say("An agent works on two projects. Each hook cleans its event and keeps it on disk.")
        took = []
        for event in events:
            began = time.perf_counter()
            self.run(hook_command("record", "--exit-zero", *self.store), given=event)
            took.append((time.perf_counter() - began) * 1000)
        projects = {json.loads(event)["cwd"].rpartition("/")[2] for event in events}
        print(f"{len(events)} events of {' and '.join(sorted(projects))}, ", end="")
        print(f"{statistics.median(took):.0f} ms each (median)")

    def search(self, query: str) -> None:
        say(f"What do we know about {query}? Words are found by their stem, best match first.")
        for hit in self.found(query):
            print(f"#{hit['id']:<3} {hit['obs_type']:<16} {hit['content_preview'][:78]}")

    def timeline(self, query: str) -> None:
        anchor = next(hit for hit in self.found(f'"{query}"') if hit["obs_type"] == "command_error")
        say(f"What happened around the failed test #{anchor['id']}? (an MCP call, as agents make)")
        answer = self.call_tool("timeline", {"anchor": anchor["id"], "before": 3, "after": 4})
        for entry in (*answer["before"], answer["anchor"], *answer["after"]):
            mark = ">" if entry == answer["anchor"] else " "
            print(f"{mark} #{entry['id']:<3} {entry['obs_type']:<14} {entry['content'][:78]}")

    def privacy(self) -> None:
        say("A command held a secret, and one prompt was private. Neither is anywhere on disk.")
        (hit,) = self.found("staging", "--type", "command")
        print(f"#{hit['id']:<3} {hit['content_preview']}")
        written = b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())
        for text in (SECRET, PRIVATE):
            print(f"{text!r} occurs {written.count(text.encode())} times in all files of the store")

    def next_session(self, event: str) -> None:
        say("The next session in lantern-api starts. This is what the agent is told by itself:")
        print(self.run(hook_command("record", "--exit-zero", *self.store), given=event), end="")

    def found(self, query: str, *flags: str) -> list[dict[str, Any]]:
        command = [sys.executable, "-m", "recollect.cli.main", "search", query, *flags]
        hits: list[dict[str, Any]] = json.loads(self.run([*command, *self.store]))
        return hits

    def call_tool(self, name: str, arguments: dict[str, object]) -> Any:
        """One MCP conversation over stdio: hello, the call, goodbye."""
        client = {"name": "demo", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        messages = (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": name, "arguments": arguments},
            },
        )
        server = [sys.executable, "-m", "recollect.cli.main", "serve", "--dialect", "nmem"]
        lines = "".join(json.dumps(message) + "\n" for message in messages)
        *_, answer = self.run([*server, *self.store], given=lines).splitlines()
        return json.loads(json.loads(answer)["result"]["content"][0]["text"])

    def run(self, command: Sequence[str], given: str = "") -> str:
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.environment,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
        return done.stdout


def say(text: str) -> None:
    print(f"\n== {text}")


if __name__ == "__main__":
    main()
