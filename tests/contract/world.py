"""A small world for contract tests: hook events at chosen times, and doors to ask through.

Events take the real way: host JSON → document → cleaned → spool. Only the clock is ours.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from recollect import settings as configuration
from recollect import wiring
from recollect.capture import codec, disk, scrub, spool
from recollect.capture.platforms import claude_code
from recollect.capture.project import project_of

NOW = 1_790_000_000_000
"""The present of every world with a fixed clock."""

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    is_error: bool

    @property
    def json(self) -> Any:
        assert not self.is_error, self.text
        return json.loads(self.text)

    @property
    def error(self) -> str:
        assert self.is_error, self.text
        return self.text


class Door(Protocol):
    def call(self, tool: str, /, **arguments: object) -> Answer: ...

    def ask(self, method: str, params: Mapping[str, object]) -> dict[str, Any]: ...

    def close(self) -> None: ...


@dataclass
class World:
    """One store in a throw-away home. Times are milliseconds; `now` is fixed by the test."""

    home: Path
    now: int
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = itertools.count()
        self.environ = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(sys.path),
            **self.environ,
        }
        self.settings = configuration.load(self.environ, db=str(self.home / "r.db"))

    def hook(
        self,
        event: str,
        *,
        session: str = "s1",
        cwd: str = "/code/alpha",
        at: int | None = None,
        **payload: object,
    ) -> None:
        """A hook event at a time; without one, a millisecond before the present."""
        host = {"session_id": session, "cwd": cwd, "hook_event_name": event, **payload}
        number = next(self._numbers)
        document = claude_code.document_of(
            host,
            at=self.now - 1 if at is None else at,
            fresh_key=lambda: f"fresh-{number}",
            size_of=disk.size_of,
        )
        if document is None:
            return
        project, _ = project_of(cwd, home=str(self.home))
        rules = wiring.rules_for(self.settings, project)
        event_document = scrub.scrubbed({**document, "project": project}, rules)
        if event_document is not None:
            blob = codec.compact(event_document).encode("ascii")
            spool.append(self.settings.spool_dir, blob)

    def prompt(self, text: str, **where: Any) -> None:
        self.hook("UserPromptSubmit", prompt=text, **where)

    def tool(self, name: str, response: object = "", /, **call: Any) -> None:
        where = {
            key: call.pop(key) for key in ("session", "cwd", "at", "tool_use_id") if key in call
        }
        self.hook("PostToolUse", tool_name=name, tool_input=call, tool_response=response, **where)

    def bash(self, command: str, response: object = "", **where: Any) -> None:
        self.tool("Bash", response, command=command, **where)

    def read(self, path: str, **where: Any) -> None:
        self.tool("Read", "contents", file_path=path, **where)

    def edit(self, path: str, new: str = "x = 1", **where: Any) -> None:
        self.tool("Edit", "", file_path=path, old_string="", new_string=new, **where)

    def house(self) -> wiring.House:
        """The house in this process, with the world's clock, and nothing left in the spool."""
        house = wiring.open_house(self.settings, clock=lambda: self.now)
        house.catch_up()
        return house

    def run(
        self, *arguments: str, stdin: bytes = b"", **environ: str
    ) -> subprocess.CompletedProcess[str]:
        """The real command line, in this world's home."""
        done = subprocess.run(
            [sys.executable, "-m", "recollect.cli.main", "--db", self.settings.store, *arguments],
            input=stdin,
            capture_output=True,
            env={**self.environ, **environ},
            cwd=self.home,
            check=False,
            timeout=60,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    def door(self, kind: str, *, cwd: str, dialect: str = "nmem") -> Door:
        Path(cwd).mkdir(parents=True, exist_ok=True)
        return (StdioDoor if kind == "stdio" else HttpDoor)(self, cwd, dialect)


class _Numbered:
    """Requests in the handshake era, numbered; the results as `Answer`."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)

    def ask(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        return self._exchange(message)

    def call(self, tool: str, /, **arguments: object) -> Answer:
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        (content,) = answer["result"]["content"]
        assert content["type"] == "text"
        return Answer(content["text"], answer["result"].get("isError", False))

    def _exchange(self, message: dict[str, object]) -> dict[str, Any]:
        raise NotImplementedError


INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "contract-test", "version": "1"},
}


class StdioDoor(_Numbered):
    """`recollect serve` as a client starts it."""

    def __init__(self, world: World, cwd: str, dialect: str) -> None:
        super().__init__()
        serve = ["recollect.cli.main", "serve", "--dialect", dialect, "--db", world.settings.store]
        self._process = subprocess.Popen(
            [sys.executable, "-m", *serve],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=world.environ,
            cwd=cwd,
        )
        self.ask("initialize", INITIALIZE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _exchange(self, message: dict[str, object]) -> dict[str, Any]:
        self._send(message)
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert answer["id"] == message["id"]
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=20)


class HttpDoor(_Numbered):
    """`/mcp/<dialect>` of a real worker."""

    def __init__(self, world: World, cwd: str, dialect: str) -> None:
        super().__init__()
        self._path = f"/mcp/{dialect}"
        command = [sys.executable, "-m", "recollect.cli.main", "up", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--db", world.settings.store],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=world.environ,
            cwd=cwd,
        )
        self.address = self._told()
        self._connection = http.client.HTTPConnection(*self.address, timeout=30)

    def _told(self) -> tuple[str, int]:
        """Where the worker says that it listens."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if b"http://" in line:
                address = line.decode().split("http://")[1].split()[0].strip("/.,;")
                host, _, port = address.rpartition(":")
                return host, int(port)
        raise AssertionError("the worker did not say where it listens")

    def _exchange(self, message: dict[str, object]) -> dict[str, Any]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
        }
        self._connection.request("POST", self._path, json.dumps(message), headers)
        response = self._connection.getresponse()
        answer: dict[str, Any] = json.loads(response.read())
        return answer

    def close(self) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.communicate(timeout=20)
