"""Server-sent events over a real connection: what a client is told, and what it costs nobody."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from listening import listening
from promises import promise
from recollect.model.errors import StoreBusy
from recollect.service.notices import MOST, Notices, Topic
from recollect.web.guard import Guard, Rules
from recollect.web.sse import Streams, Told
from streams import PATIENCE, Client, Frame

NOW = 1_790_000_000_000
DEPTH = {"pending": 2, "processing": 0, "failed": 1, "queueDepth": 2}


@dataclass
class Worker:
    """Streams behind the guard, and the notices that they tell."""

    heartbeat: float = 60.0
    most: int = 64
    first: int = 1
    notices: Notices = field(init=False)
    streams: Streams = field(init=False)

    def __post_init__(self) -> None:
        self.notices = Notices(lambda: NOW)
        self.notices.number_from(self.first)
        told = Told(self.notices, lambda: DEPTH, lambda: NOW)
        self.streams = Streams(lambda: told, heartbeat=self.heartbeat, most=self.most)

    def tell(self, *numbers: int) -> None:
        for number in numbers:
            self.notices.tell(Topic.SESSION_STATUS, sessionDbId=number, status="idle")

    @contextlib.contextmanager
    def listening(self) -> Iterator[int]:
        with serving(self.streams) as port:
            try:
                yield port
            finally:
                self.streams.end()


def serving(streams: Streams) -> contextlib.AbstractContextManager[int]:
    app = Starlette(routes=[Route("/api/events", streams, methods=["GET"])])
    return listening(Guard(app, Rules(bound="127.0.0.1")))


def test_whoever_connects_is_told_the_depth_at_once_and_then_what_happens() -> None:
    worker = Worker()
    worker.tell(1)
    with worker.listening() as port:
        client = Client(port)
        assert client.response.status == 200
        assert client.response.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        assert client.response.getheader("Cache-Control") == "no-store"
        greeting = Frame(1, "queue.depth", {"ts": NOW, "type": "queue.depth", **DEPTH})
        assert client.frame() == greeting
        worker.tell(7)
        status = {"ts": NOW, "type": "session.status", "sessionDbId": 7, "status": "idle"}
        assert client.frame() == Frame(2, "session.status", status)
        client.close()


REPLAY = [
    # last id   first   told before the greeting   because
    (None, 1, [], "who comes for the first time is told the present"),
    ("3", 1, [4, 5], "what was missed comes first, then how deep the queue is now"),
    ("5", 1, [], "nothing was missed"),
    ("0", 1, [1, 2, 3, 4, 5], "connected before the first notice"),
    ("99", 1, [1, 2, 3, 4, 5], "an id that is yet to come is of another process"),
    ("40", 1001, [1001, 1002, 1003, 1004, 1005], "and so is one from before this process began"),
    ("abc", 1, [], "nonsense is as good as nothing"),
    ("-1", 1, [], "and so is a negative number"),
    ("9" * 5000, 1, [], "and one that is no id of anybody"),
]


@pytest.mark.parametrize(
    ("last_id", "first", "missed", "because"), REPLAY, ids=[row[-1] for row in REPLAY]
)
def test_a_client_that_comes_back_is_told_what_it_missed(
    last_id: str | None, first: int, missed: list[int], because: str
) -> None:
    worker = Worker(first=first)
    worker.tell(1, 2, 3, 4, 5)
    with worker.listening() as port:
        client = Client(port, {} if last_id is None else {"Last-Event-ID": last_id})
        told = [client.frame() for _ in range(len(missed) + 1)]
        assert [frame.id for frame in told] == [*missed, first + 4], because
        assert [frame.event for frame in told] == ["session.status"] * len(missed) + ["queue.depth"]
        client.close()


@promise("codexmem:events:replay")
def test_what_is_not_kept_any_more_is_counted() -> None:
    worker = Worker()
    worker.tell(*range(MOST + 7))
    with worker.listening() as port:
        client = Client(port, {"Last-Event-ID": "2"})
        assert client.block() == [": 5 events are not kept any more"]
        assert [client.frame().id for _ in range(3)] == [8, 9, 10]
        client.close()


@promise("codexmem:events:heartbeat")
def test_a_quiet_stream_beats() -> None:
    worker = Worker(heartbeat=0.01)
    with worker.listening() as port:
        client = Client(port)
        client.frame()
        assert [client.block() for _ in range(3)] == [[": heartbeat"]] * 3
        client.close()


@promise("codexmem:events:heartbeat")
def test_a_busy_stream_beats_as_well() -> None:
    worker = Worker(heartbeat=0.05)
    with worker.listening() as port:
        client = Client(port)
        client.frame()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            worker.tell(1)
            if client.block() == [": heartbeat"]:
                break
        else:
            pytest.fail("it never beat between notices")
        client.close()


@promise("codexmem:events:costs-nothing")
def test_a_client_that_reads_nothing_holds_nobody_up() -> None:
    worker = Worker()
    with worker.listening() as port, socket.socket() as sleeper:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(("127.0.0.1", port))
        sleeper.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        reader = Client(port)
        reader.frame()
        for _ in range(20):  # together, far more than socket buffers hold
            for _ in range(500):
                worker.notices.tell(Topic.QUEUE_FAILED, error="x" * 2_000)
            while reader.frame().id < worker.notices.newest():
                pass
        began = time.monotonic()
        worker.tell(1)
        assert reader.frame().id == worker.notices.newest()
        worker.streams.end()
        assert reader.block() == []
        assert time.monotonic() - began < PATIENCE
        reader.close()


@promise("codexmem:events:costs-nothing")
def test_a_client_that_leaves_is_forgotten() -> None:
    worker = Worker(most=1)
    with worker.listening() as port:
        first = Client(port)
        first.frame()
        second = Client(port)
        assert second.response.status == 503
        assert json.loads(second.response.read()) == {"error": "too many streams are open"}
        second.close()
        first.close()
        third = until(lambda: Client(port), lambda client: client.response.status == 200)
        assert third.frame().event == "queue.depth"
        third.close()


def test_streams_end_by_themselves_when_the_worker_stops() -> None:
    worker = Worker()
    with worker.listening() as port:
        clients = [Client(port) for _ in range(3)]
        for client in clients:
            client.frame()
        worker.streams.end()
        assert [client.block() for client in clients] == [[], [], []]
        late = Client(port)
        assert late.response.status == 503
        assert json.loads(late.response.read()) == {"error": "the worker is stopping"}
        for client in [*clients, late]:
            client.close()


def test_a_store_that_is_not_open_yet_is_told_as_json() -> None:
    def told() -> Told:
        raise StoreBusy("the store is still being opened; ask again soon")

    with serving(Streams(told)) as port:
        client = Client(port)
        assert client.response.status == 503
        assert json.loads(client.response.read()) == {
            "error": "the store is still being opened; ask again soon"
        }
        client.close()


REFUSED = [
    ("GET", {"Origin": "http://evil.example"}, 403, "a foreign page"),
    ("GET", {"Sec-Fetch-Site": "cross-site"}, 403, "a request that a foreign page made"),
    ("GET", {"Host": "evil.example"}, 403, "a name that was pointed at this machine"),
    ("POST", {}, 405, "events are read"),
]


@pytest.mark.parametrize(
    ("method", "headers", "status", "because"), REFUSED, ids=[row[-1] for row in REFUSED]
)
def test_the_guard_stands_before_the_stream(
    method: str, headers: dict[str, str], status: int, because: str
) -> None:
    worker = Worker()
    with worker.listening() as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request(method, "/api/events", headers=headers)
        assert connection.getresponse().status == status, because
        connection.close()


def test_a_head_request_ends() -> None:
    worker = Worker()
    with worker.listening() as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("HEAD", "/api/events")
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
        connection.close()


def until(make: Callable[[], Client], is_right: Callable[[Client], bool]) -> Client:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        made = make()
        if is_right(made):
            return made
        made.close()
    raise AssertionError("it did not come to that in time")
