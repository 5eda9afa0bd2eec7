"""`recollect hook` as a client starts it: with a worker that runs, is dead, hangs or is stopped."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import recollect
from commands import PATIENCE, Home
from promises import last, promise
from recollect import settings as configuration
from recollect import wiring
from recollect.capture import seal, spool
from recollect.model.memory import Kind

HOOK = str(Path(recollect.__file__).parent / "cli" / "hook.py")
WIRED = (sys.executable, "-I", "-S", HOOK)
CAP = 0.3
"""Seconds that a hook may take, beside what Python itself does."""
KEY = "5a" * 32
SECRET = "ghp_" + "a1B2c3D4" * 5
HEAVY = "re json dataclasses typing enum pathlib hashlib tomllib datetime collections functools"
WORDS = {"RECOLLECT_EMBEDDER": "none"}

CLAUDE = '{"continue":true,"suppressOutput":true}\n'
PROMPT = {"session_id": "s1", "cwd": "/code/shop", "prompt": "Fix the login"}
TOOL = {
    "session_id": "s1",
    "cwd": "/code/shop",
    "tool_name": "Bash",
    "tool_input": {"command": "make test"},
    "tool_response": {"stdout": "ok", "stderr": ""},
}


@dataclass
class Ended:
    code: int
    out: str
    err: str
    seconds: float


@dataclass
class Client:
    """A user's machine on which hooks run."""

    home: Home
    environ: dict[str, str] = field(default_factory=dict)

    def hook(self, *words: str, stdin: object = None, **variables: str) -> Ended:
        return self.start("hook", *words, stdin=stdin, **variables)

    def start(self, *words: str, stdin: object = None, **variables: str) -> Ended:
        blob = stdin if isinstance(stdin, bytes) else json.dumps(stdin or {}).encode()
        environ = {**self.home.environment(), "RECOLLECT_PROJECT": "", **self.environ, **variables}
        began = time.monotonic()
        done = subprocess.run(
            [*WIRED, *words],
            input=blob,
            capture_output=True,
            env=environ,
            cwd=self.home.folder,
            timeout=PATIENCE,
            check=False,
        )
        seconds = time.monotonic() - began
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode(), seconds)

    @property
    def spool(self) -> str:
        return f"{self.home.store}-spool"

    def waiting(self) -> list[dict[str, Any]]:
        return [json.loads(spool.read(self.spool, name)) for name in spool.waiting(self.spool)]

    def kept(self, session: str = "s1") -> list[str]:
        """What is remembered of a session in the order in which it is stored."""
        loaded = configuration.load(self.home.environment(), db=self.home.store)
        house = wiring.open_house(loaded)
        memories = house.store.memories.of_session(session)
        house.close()
        ordered = sorted(memories, key=lambda memory: memory.id)
        return [memory.text for memory in ordered if memory.kind is not Kind.LIFECYCLE]

    def wait_for(self, count: int, session: str = "s1") -> list[str]:
        deadline = time.monotonic() + PATIENCE
        while len(self.kept(session)) < count or spool.waiting(self.spool):
            assert time.monotonic() < deadline, (self.kept(session), self.waiting())
        return self.kept(session)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A machine on which a worker runs, for all tests that only tell it something."""
    home = Home(tmp_path_factory.mktemp("running"))
    with home.worker(**WORDS):
        home.wait_until_ready()
        yield Client(home)


@pytest.fixture
def alone(tmp_path: Path) -> Client:
    """A machine without a worker."""
    return Client(Home(tmp_path))


CURSOR = {"conversation_id": "cursor", "workspace_roots": ["/code/shop"]}
GEMINI = {"session_id": "gemini", "cwd": "/code/shop"}
COPILOT = {"sessionId": "copilot", "cwd": "/code/shop"}
TOLD: list[tuple[str, str, list[tuple[str, Any]], str]] = [
    # platform, session, payloads by event, the line that is answered
    (
        "claude-code",
        "claude",
        [
            ("session-init", {**PROMPT, "session_id": "claude"}),
            ("observation", {**TOOL, "session_id": "claude"}),
            ("summarize", {"session_id": "claude", "last_assistant_message": "Fixed."}),
            ("session-complete", {"session_id": "claude"}),
        ],
        CLAUDE,
    ),
    (
        "cursor",
        "cursor",
        [
            ("session-init", {**CURSOR, "generation_id": "g1", "prompt": "Fix the login"}),
            ("observation", {**CURSOR, "command": "make test", "output": "ok"}),
            ("summarize", {**CURSOR, "status": "completed", "text": "Fixed."}),
            ("session-end", {**CURSOR, "reason": "completed"}),
        ],
        '{"continue":true}\n',
    ),
    (
        "codex",
        "codex",
        [
            ("session-init", {**PROMPT, "session_id": "codex", "turn_id": "1"}),
            ("observation", {"conversation_id": "codex", "cwd": "/code/shop", "command": "ls"}),
            ("summarize", {"session_id": "codex", "last_assistant_message": "Fixed."}),
            ("session-end", {"session_id": "codex", "reason": "exit"}),
        ],
        CLAUDE,
    ),
    (
        "raw",
        "raw",
        [
            ("session-init", {"sessionId": "raw", "cwd": "/code/shop", "prompt": "Fix the login"}),
            ("observation", {"sessionId": "raw", "toolName": "Read", "toolInput": {"path": "a"}}),
            ("summarize", {"sessionId": "raw", "output": "Fixed."}),
            ("session-complete", {"sessionId": "raw"}),
        ],
        '{"continue":true,"suppressOutput":true,"exitCode":0}\n',
    ),
    (
        "gemini",
        "gemini",
        [
            ("session-init", {**GEMINI, "prompt": "Fix the login"}),
            (
                "observation",
                {
                    **GEMINI,
                    "tool_name": "run_shell_command",
                    "tool_input": {"command": "make"},
                    "tool_response": {"llmContent": "Exit Code: 0"},
                },
            ),
            ("summarize", {**GEMINI, "prompt_response": "Fixed."}),
            ("session-end", {**GEMINI, "reason": "exit"}),
        ],
        CLAUDE,
    ),
    (
        "copilot",
        "copilot",
        [
            ("session-init", {**COPILOT, "prompt": "Fix the login"}),
            ("observation", {**COPILOT, "toolName": "bash", "toolArgs": '{"command":"make"}'}),
            ("summarize", {**COPILOT, "stopReason": "end_turn"}),
            ("session-end", {**COPILOT, "reason": "complete"}),
        ],
        "{}\n",
    ),
]


@promise("codexmem:hook:reply", "codexmem:hook:fields", "codexmem:hook:requests")
@pytest.mark.parametrize(
    ("platform", "session", "events", "line"), TOLD, ids=[row[0] for row in TOLD]
)
def test_the_worker_is_told(
    running: Client, platform: str, session: str, events: list[tuple[str, Any]], line: str
) -> None:
    for event, payload in events:
        ended = running.hook(platform, event, stdin=payload)
        assert (ended.code, ended.out, ended.err) == (0, line, ""), event
    kept = running.wait_for(3, session)
    assert kept[0] == "Fix the login"
    assert len(kept) == 3


@contextlib.contextmanager
def hanging() -> Iterator[int]:
    """A listener that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        yield listener.getsockname()[1]


@contextlib.contextmanager
def closed() -> Iterator[int]:
    """A port at which nobody listens."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@contextlib.contextmanager
def answering(status: int, body: bytes, heard: list[Any] | None = None) -> Iterator[int]:
    """A server that answers everything alike."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            told = self.rfile.read(length)
            if heard is not None:
                heard.append((self.path, dict(self.headers), json.loads(told)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
            """Nothing on stderr."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


UNHEARD: list[tuple[Callable[[], contextlib.AbstractContextManager[int]], str]] = [
    (closed, "nobody listens"),
    (hanging, "somebody listens and never answers"),
    (lambda: answering(500, b"{}"), "the worker is broken"),
    (lambda: answering(404, b'{"error": "x"}'), "an older worker does not know the route"),
    (lambda: answering(401, b'{"error": "x"}'), "the token is another one"),
    (lambda: answering(503, b'{"status": "initializing"}'), "the worker is just starting"),
    (lambda: answering(200, b"<html>Hello</html>"), "another program has the port"),
    (lambda: answering(200, b'{"status": "ok"}'), "another program that speaks JSON"),
]


@promise("codexmem:hook:degrades")
@pytest.mark.parametrize(("world", "because"), UNHEARD, ids=last)
def test_what_no_worker_has_taken_waits_in_the_spool(
    alone: Client, world: Callable[[], contextlib.AbstractContextManager[int]], because: str
) -> None:
    with world() as port:
        ended = alone.hook(
            "claude-code",
            "observation",
            stdin=TOOL,
            CODEXMEM_WORKER_PORT=str(port),
            RECOLLECT_PORT="",
        )
    assert (ended.code, ended.out, ended.err) == (0, CLAUDE, "")
    [document] = alone.waiting()
    assert (document["kind"], document["input"]) == ("tool_use", {"command": "make test"})


@promise("codexmem:hook:degrades")
def test_a_worker_that_hangs_costs_less_than_300_ms(tmp_path: Path) -> None:
    taken, bare = [], []
    with hanging() as port:
        for number in range(5):
            client = Client(Home(tmp_path / str(number)))
            client.home.folder.mkdir()
            ended = client.hook("raw", "session-init", stdin=PROMPT, RECOLLECT_PORT=str(port))
            taken.append(ended.seconds)
            assert len(client.waiting()) == 1
            began = time.monotonic()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            bare.append(time.monotonic() - began)
    assert min(taken) < CAP + min(bare)


@promise("codexmem:hook:degrades", "codexmem:hook:order", "codexmem:hook:once")
def test_a_stopped_worker_gets_everything_later_in_order_and_once(tmp_path: Path) -> None:
    client = Client(Home(tmp_path))
    with client.home.worker(**WORDS) as worker:
        client.home.wait_until_ready()
        client.hook("raw", "session-init", stdin={**PROMPT, "prompt": "first"})
        os.kill(worker.pid, signal.SIGSTOP)
        try:
            # The first of these is sent to the worker, which takes it once it is awake again; it
            # also waits in the spool, because nobody answered.
            for number in range(4):
                given = {**TOOL, "tool_input": {"command": f"make {number}"}}
                ended = client.hook("claude-code", "observation", stdin=given)
                assert (ended.code, ended.out) == (0, CLAUDE)
            client.hook("raw", "session-init", stdin={**PROMPT, "prompt": "second"})
            given = {**TOOL, "tool_input": {"command": "make again"}}
            client.hook("claude-code", "observation", stdin=given)
            assert len(client.waiting()) == 6
        finally:
            os.kill(worker.pid, signal.SIGCONT)
        kept = client.wait_for(7)
        client.hook("raw", "session-init", stdin={**PROMPT, "prompt": "third"})
        kept = client.wait_for(8)
    # What the worker was sent and what waits may meet at its awakening, so that one event has no
    # certain place; the others keep theirs.
    assert kept.count("make 0") == 1
    kept.remove("make 0")
    assert kept == ["first", "make 1", "make 2", "make 3", "second", "make again", "third"]


@promise("codexmem:hook:degrades", "codexmem:hook:order")
def test_what_waited_for_a_worker_is_there_when_one_starts(alone: Client) -> None:
    for event, payload in TOLD[0][2]:
        assert alone.hook("claude-code", event, stdin=payload).code == 0
    assert [document["kind"] for document in alone.waiting()] == [
        *("prompt", "tool_use", "turn_end", "session_stop"),
    ]
    with alone.home.worker(**WORDS):
        alone.home.wait_until_ready()
        kept = alone.wait_for(3, "claude")
    assert kept[:2] == ["Fix the login", "make test"]
    assert len(kept) == 3


@promise("codexmem:hook:once")
def test_hooks_that_tell_the_same_event_at_once_make_one_memory(running: Client) -> None:
    event = {**TOOL, "session_id": "twice", "tool_use_id": "toolu_1"}
    recorded = {**event, "hook_event_name": "PostToolUse"}
    with ThreadPoolExecutor(4) as pool:
        tasks = [
            pool.submit(running.hook, "claude-code", "observation", stdin=event),
            pool.submit(running.hook, "codex", "observation", stdin=event),
            pool.submit(running.start, "record", stdin=recorded),
            pool.submit(running.hook, "claude-code", "observation", stdin=event),
        ]
        assert [task.result().code for task in tasks] == [0, 0, 0, 0]
    # A later event of the same session: when it is there, so is all that came before it.
    running.hook("raw", "session-init", stdin={**PROMPT, "session_id": "twice", "prompt": "end"})
    running.wait_for(2, "twice")
    assert sorted(running.kept("twice")) == ["end", "make test"]


@promise("codexmem:hook:address")
def test_the_worker_may_be_named_by_the_published_settings(alone: Client) -> None:
    heard: list[Any] = []
    with answering(200, b'{"status": "queued"}', heard) as port:
        folder = alone.home.folder / "codexmem"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps({"CODEXMEM_WORKER_PORT": str(port)}))
        ended = alone.hook(
            "claude-code",
            "observation",
            stdin={**TOOL, "tool_use_id": "toolu_7"},
            CODEXMEM_DATA_DIR=str(folder),
            RECOLLECT_PORT="",
            RECOLLECT_TOKEN="t0ken",
        )
    assert (ended.code, ended.out) == (0, CLAUDE)
    [(path, headers, body)] = heard
    assert path == "/api/sessions/observations"
    assert headers["Authorization"] == "Bearer t0ken"
    assert headers["Host"] == f"127.0.0.1:{port}"
    assert body == {
        "contentSessionId": "s1",
        "tool_name": "Bash",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "ok", "stderr": ""},
        "cwd": "/code/shop",
        "tool_use_id": "toolu_7",
        "platform": "claude-code",
    }
    assert list(folder.iterdir()) == [folder / "settings.json"]


@promise("codexmem:hook:address")
def test_a_store_that_is_named_is_not_told_to_the_worker_of_another(alone: Client) -> None:
    heard: list[Any] = []
    with answering(200, b'{"status": "queued"}', heard) as port:
        store = str(alone.home.folder / "other.db")
        ended = alone.hook(
            "--db", store, "raw", "observation", stdin=TOOL, RECOLLECT_PORT=str(port)
        )
    assert ended.code == 0
    assert heard == []
    assert len(spool.waiting(f"{store}-spool")) == 1


@promise("codexmem:hook:privacy")
def test_nothing_private_leaves_the_hook(alone: Client) -> None:
    heard: list[Any] = []
    private = f"<private>my cat is called Mitzi</private> {SECRET}"
    events = [
        ("session-init", {**PROMPT, "prompt": f"Look {private}"}),
        ("observation", {**TOOL, "tool_input": {"command": private, "content": private}}),
        ("observation", {**TOOL, "tool_response": [{"type": "text", "text": private}]}),
        ("summarize", {**PROMPT, "last_assistant_message": private}),
        ("session-init", {**PROMPT, "prompt": "<private>Mitzi</private>"}),
    ]
    with answering(200, b'{"status": "queued"}', heard) as port:
        for event, payload in events:
            alone.hook("claude-code", event, stdin=payload, RECOLLECT_PORT=str(port))
    for event, payload in events:
        alone.hook("claude-code", event, stdin=payload)
    assert len(heard) == len(events)
    assert len(alone.waiting()) == len(events)
    everything = json.dumps(heard).encode() + b"".join(
        path.read_bytes() for path in alone.home.folder.rglob("*") if path.is_file()
    )
    assert b"Mitzi" not in everything
    assert SECRET.encode() not in everything


PRIVATE = {**PROMPT, "prompt": "<private>Mitzi</private>"}


@promise("codexmem:hook:privacy")
@pytest.mark.parametrize("is_alive", [True, False])
def test_what_is_done_in_a_private_turn_does_not_wait(alone: Client, is_alive: bool) -> None:
    """Nor where a worker has heard the prompt and died since."""
    if is_alive:
        with answering(200, b'{"sessionDbId": 1}', []) as port:
            alone.hook("raw", "session-init", stdin=PRIVATE, RECOLLECT_PORT=str(port))
    else:
        alone.hook("raw", "session-init", stdin=PRIVATE)
    secretive = {**TOOL, "tool_input": {"command": "ls Mitzi"}}
    assert alone.hook("raw", "observation", stdin=secretive).code == 0
    alone.hook("raw", "summarize", stdin={**PROMPT, "last_assistant_message": "Mitzi is fed"})
    alone.hook("raw", "observation", stdin={**TOOL, "session_id": "s2"})
    alone.hook("raw", "session-complete", stdin=PROMPT)
    alone.hook("raw", "session-init", stdin=PROMPT)
    alone.hook("raw", "observation", stdin=TOOL)
    assert [(each["session_id"], each["kind"]) for each in alone.waiting()] == [
        *([] if is_alive else [("s1", "prompt")]),
        ("s2", "tool_use"),
        ("s1", "session_stop"),
        ("s1", "prompt"),
        ("s1", "tool_use"),
    ]
    files = [path.read_bytes() for path in alone.home.folder.rglob("*") if path.is_file()]
    assert all(b"Mitzi" not in blob for blob in files)


@promise("codexmem:hook:privacy")
def test_under_a_key_the_spool_is_sealed(alone: Client) -> None:
    assert alone.hook("raw", "session-init", stdin=PROMPT, RECOLLECT_KEY=KEY).code == 0
    [name] = spool.waiting(alone.spool)
    blob = spool.read(alone.spool, name)
    assert seal.is_sealed(blob)
    assert json.loads(seal.unseal(bytes.fromhex(KEY), blob))["text"] == "Fix the login"


WRONG = [
    ([], "nothing is said"),
    (["claude-code"], "the event is missing"),
    (["emacs", "observation"], "an unknown platform"),
    (["cursor", "PostToolUse"], "an unknown event"),
    (["cursor", "observation", "more"], "a word too much"),
    (["--db"], "a flag without its value"),
]


@promise("codexmem:hook:usage")
@pytest.mark.parametrize(("words", "because"), WRONG, ids=last)
def test_a_wrong_command_line_is_told(alone: Client, words: list[str], because: str) -> None:
    ended = alone.hook(*words, stdin=TOOL)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("recollect: usage: recollect hook [--db FILE] {claude-code,")


TROUBLE = [
    # stdin, environment, what stderr says, because
    (b"", {}, "the input is empty", "no input"),
    (b"{", {}, "the input is not JSON", "broken input"),
    (b"[]", {}, "the input is not a JSON object", "another JSON value"),
    (b"\xff", {}, "the input is not UTF-8", "no text"),
    (b"{}", {"RECOLLECT_KEY": "short"}, "RECOLLECT_KEY is not a key", "a key that is none"),
    (b"{}", {"RECOLLECT_HOME": "/dev/null/x"}, "the event could not be kept", "no place to keep"),
]


@promise("codexmem:hook:reply", "codexmem:hook:usage")
@pytest.mark.parametrize(("stdin", "environ", "words", "because"), TROUBLE, ids=last)
def test_trouble_is_told_on_stderr_and_stops_nobody(
    alone: Client, stdin: bytes, environ: dict[str, str], words: str, because: str
) -> None:
    ended = alone.hook("claude-code", "session-init", stdin=stdin, **environ)
    assert (ended.code, ended.out) == (0, CLAUDE)
    assert words in ended.err
    assert ended.err.count("\n") == 1


@promise("codexmem:hook:reply")
def test_a_session_that_starts_is_told_what_happened(alone: Client) -> None:
    start = {"session_id": "s2", "cwd": "/code/shop", "source": "startup"}
    assert alone.hook("claude-code", "context", stdin=start).out == CLAUDE, "nothing to tell yet"
    for event, payload in TOLD[0][2]:
        alone.hook("claude-code", event, stdin=payload)
    told = json.loads(alone.hook("claude-code", "context", stdin=start).out)
    assert told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "make test" in told["hookSpecificOutput"]["additionalContext"]
    assert told["continue"] is True
    cursor = json.loads(alone.hook("cursor", "context", stdin=CURSOR).out)
    assert "make test" in cursor["additional_context"]


def test_the_hook_imports_nothing_that_costs(alone: Client) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(Path(HOOK).parents[2])!r})\n"
        "from recollect.cli.hook import main\n"
        "code = main(['hook', 'cursor', 'observation'])\n"
        f"print(sorted(set({HEAVY!r}.split()) & set(sys.modules)), code, file=sys.stderr)"
    )
    with hanging() as port:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", program],
            input=json.dumps({**CURSOR, "command": "make"}).encode(),
            capture_output=True,
            env=alone.home.environment(RECOLLECT_PORT=str(port)),
            timeout=PATIENCE,
            check=True,
        )
    assert done.stderr.decode() == "[] 0\n"
