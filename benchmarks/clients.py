"""Clients of a worker over HTTP, as hooks are: each keeps a connection and posts tool uses.

An event is acknowledged when it was answered `queued` or `deduped`. What a client posts is told by
its number and that of the event, so nothing has to be remembered but which were acknowledged.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.home import Home
from recollect import wiring
from recollect.capture import codec, scrub, spool
from recollect.capture.platforms import claude_code
from recollect.worker import presence

CWD = "/code/shop"
ACKNOWLEDGED = ("queued", "deduped")
PATIENCE = 30


@dataclass(frozen=True, slots=True)
class Event:
    """A tool use that occurs once; `text` is what its memory says."""

    client: int
    number: int

    @property
    def session(self) -> str:
        return f"client-{self.client}"

    @property
    def text(self) -> str:
        return f"pytest tests/test_{self.client}.py -k case_{self.number}"

    def host(self) -> dict[str, object]:
        """As a host's own hook would tell of it."""
        return {
            "session_id": self.session,
            "cwd": CWD,
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": self.text},
            "tool_response": {"stdout": f"{self.number} passed in 0.{self.client}s\n" * 20},
            "tool_use_id": f"toolu-{self.client}-{self.number}",
        }

    def body(self) -> bytes:
        """As a hook posts it."""
        host = self.host()
        names = ("tool_name", "tool_input", "tool_response", "cwd", "tool_use_id")
        body = {"contentSessionId": self.session, **{name: host[name] for name in names}}
        return json.dumps(body).encode()


class Line:
    """One connection that is kept."""

    def __init__(self, home: Home) -> None:
        here = presence.find(home.settings.worker_file)
        assert here is not None, "no worker is running"
        self._connection = http.client.HTTPConnection(here.host, here.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise OSError(f"{method} {path}: {response.status} {answer}")
        return answer

    def post(self, event: Event) -> bool:
        answer = self.ask("POST", "/api/sessions/observations", event.body())
        return answer["status"] in ACKNOWLEDGED

    def search(self, query: str) -> None:
        """nmem's search, with ranking and all that it catches up on before."""
        call = {"name": "search", "arguments": {"query": query, "project": None}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = self.ask("POST", "/mcp/nmem", json.dumps(message).encode())
        assert "result" in answer, answer

    def close(self) -> None:
        self._connection.close()


@dataclass
class Crowd:
    """So many clients at once. Each goes on until it is told to stop, or its worker is gone."""

    home: Home
    clients: int
    next_numbers: Counter[int] = field(default_factory=Counter)
    acknowledged: set[Event] = field(default_factory=set)
    unanswered: list[Event] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def post_until(self, is_over: Callable[[], bool]) -> list[threading.Thread]:
        """Begin, and give the threads that do it."""
        threads = [
            threading.Thread(target=self._post, args=(client, is_over), daemon=True)
            for client in range(self.clients)
        ]
        for thread in threads:
            thread.start()
        return threads

    def _post(self, client: int, is_over: Callable[[], bool]) -> None:
        line = Line(self.home)
        answered, seconds = [], []
        try:
            while not is_over():
                event = Event(client, self.next_numbers[client])
                self.next_numbers[client] += 1
                began = time.perf_counter()
                try:
                    is_acknowledged = line.post(event)
                except (OSError, http.client.HTTPException, ValueError):
                    with self._lock:
                        self.unanswered.append(event)
                    return  # killed while it answered, or before
                seconds.append(time.perf_counter() - began)
                if is_acknowledged:
                    answered.append(event)
        finally:
            line.close()
            with self._lock:
                self.acknowledged.update(answered)
                self.seconds += seconds


def into_spool(home: Home, events: Iterable[Event]) -> None:
    """What a hook does with an event of which nobody knows whether it arrived."""
    settings = home.settings
    for event in events:
        document = claude_code.document_of(
            event.host(), at=time.time_ns() // 10**6, fresh_key=str, size_of=lambda _: None
        )
        assert document is not None
        whole = scrub.scrubbed({**document, "project": "shop"}, wiring.rules_for(settings, "shop"))
        assert whole is not None
        spool.append(settings.spool_dir, codec.compact(whole).encode("ascii"))


def stored(home: Home) -> Counter[str]:
    """What every observation says, once all that waits is read."""
    house = wiring.open_house(home.settings)
    try:
        house.catch_up()
        return Counter(
            memory.text
            for session_id in house.store.sessions.ids()
            for memory in house.store.memories.of_session(session_id)
            if memory.kind == "observation"
        )
    finally:
        house.close()
