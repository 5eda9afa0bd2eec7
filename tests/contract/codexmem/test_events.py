"""The stream of events of a real worker: what it tells of work, to whom, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from commands import Home
from contract.stumbling import stumbling
from contract.world import MINUTE, NOW, World
from promises import last, promise
from recollect import wiring
from recollect.service.notices import Notice, Topic
from streams import PATIENCE, Client, Frame

DEPTH = {"ts", "type", "pending", "processing", "failed", "queueDepth"}
STATUS = {"ts", "type", "sessionDbId", "status"}
RESULT = {"ts", "type", "sessionDbId", "messageType", "status", "model"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A worker that is not changed by what the tests of this module ask of it."""
    made = Home(tmp_path_factory.mktemp("events"))
    with made.worker():
        made.wait_until_ready()
        yield made


def stream(home: Home, **headers: str) -> Client:
    return Client(home.here().port, {name.replace("_", "-"): v for name, v in headers.items()})


def post(home: Home, path: str, **body: object) -> Any:
    connection = HTTPConnection("127.0.0.1", home.here().port, timeout=PATIENCE)
    connection.request(
        "POST", f"/api/sessions/{path}", json.dumps(body), {"Content-Type": "application/json"}
    )
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status == 200, answer
    return answer


def use_tool(home: Home, session: str, command: str) -> None:
    answer = post(
        home,
        "observations",
        contentSessionId=session,
        tool_name="Bash",
        tool_input={"command": command},
        tool_response="done",
        cwd="/code/alpha",
    )
    assert answer == {"status": "queued"}


def until_idle(client: Client) -> list[Frame]:
    """The frames up to the depth after a session became idle."""
    told = [client.frame()]
    while told[-1].data.get("status") != "idle":
        told.append(client.frame())
    return [*told, client.frame()]


@promise("codexmem:events:types")
def test_one_observation_is_told_from_the_queue_to_the_result(home: Home) -> None:
    session = post(home, "init", contentSessionId="order", project="alpha", prompt="build it")
    client = stream(home)
    greeting = client.frame()
    assert (greeting.event, set(greeting.data)) == ("queue.depth", DEPTH)

    use_tool(home, "order", "make")
    told = until_idle(client)
    client.close()

    assert [frame.event for frame in told] == [
        "queue.depth",
        "session.status",
        "queue.depth",
        "model.result",
        "queue.depth",
        "session.status",
        "queue.depth",
    ]
    number = session["sessionDbId"]
    waiting, active, _, result, after, idle, at_last = (frame.data for frame in told)
    assert (waiting["pending"], waiting["queueDepth"]) == (1, 1)
    assert (active["sessionDbId"], active["status"]) == (number, "active")
    assert {name: result[name] for name in RESULT - {"ts"}} == {
        "type": "model.result",
        "sessionDbId": number,
        "messageType": "observation",
        "status": "success",
        "model": "openai",
    }
    assert (idle["sessionDbId"], idle["status"]) == (number, "idle")
    for depth in (after, at_last):
        assert (depth["pending"], depth["processing"], depth["queueDepth"]) == (0, 0, 0)
    keys = {"queue.depth": DEPTH, "session.status": STATUS, "model.result": RESULT}
    for frame in told:
        assert set(frame.data) == keys[frame.event]
        assert frame.data["type"] == frame.event
        assert abs(frame.data["ts"] - time.time() * 1000) < MINUTE
    ids = [frame.id for frame in told]
    assert ids == list(range(ids[0], ids[0] + len(ids))), "one counter, and nothing was left out"


@promise("codexmem:events:types")
def test_the_end_of_a_session_is_told(home: Home) -> None:
    session = post(home, "init", contentSessionId="ending", project="alpha", prompt="and now")
    client = stream(home)
    client.frame()
    assert post(home, "complete", contentSessionId="ending")["status"] == "completed"
    told = client.frame()
    while told.event != "session.status":
        told = client.frame()
    client.close()
    assert (told.data["sessionDbId"], told.data["status"]) == (session["sessionDbId"], "completed")


@promise("codexmem:events:types")
def test_work_that_is_given_up_is_told(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)
    house = stumbling(world, "make")
    for _ in range(3):
        assert failures_told(house) == []
        house.catch_up()
        world.now += 2 * MINUTE
    (told,) = failures_told(house)
    house.close()
    assert told.facts == {
        "sessionDbId": 1,
        "messageId": 1,
        "error": "fault: ZeroDivisionError",
    }


def failures_told(house: wiring.House) -> list[Notice]:
    told = house.notices.after(0)
    return [notice for notice in told if notice.topic is Topic.QUEUE_FAILED]


@promise("codexmem:events:replay")
def test_who_comes_back_is_told_what_it_missed(home: Home) -> None:
    client = stream(home)
    seen = client.frame().id
    client.close()

    use_tool(home, "away", "make test")
    watcher = stream(home)
    while watcher.frame().data.get("queueDepth") != 0:
        pass
    watcher.close()

    client = stream(home, Last_Event_ID=str(seen))
    missed = until_idle(client)
    client.close()
    assert missed[0].id == seen + 1
    assert "model.result" in [frame.event for frame in missed]


@promise("codexmem:events:replay")
def test_who_comes_back_to_another_worker_is_told_all_that_it_has_kept(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.worker() as worker:
        home.wait_until_ready()
        client = stream(home)
        use_tool(home, "before", "make")
        seen = until_idle(client)[-1].id
        worker.kill()
        assert client.block() == [], "the stream is cut off"
        client.close()
    with home.worker():
        home.wait_until_ready()
        watcher = stream(home)
        use_tool(home, "after", "make test")
        told = until_idle(watcher)
        watcher.close()
        client = stream(home, Last_Event_ID=str(seen))
        again = until_idle(client)
        client.close()
    assert [frame.id for frame in again[-6:]] == [frame.id for frame in told[-6:]]
    assert "model.result" in [frame.event for frame in again]
    assert min(frame.id for frame in again) > seen, "ids only grow"


REFUSED = [
    ({"Origin": "http://evil.example"}, 403, "a page of somebody else"),
    ({"Sec-Fetch-Site": "cross-site"}, 403, "a request that such a page made"),
    ({"Host": "evil.example"}, 403, "a name that was pointed at this machine"),
]


@promise("codexmem:events:guarded")
@pytest.mark.parametrize(("headers", "status", "because"), REFUSED, ids=last)
def test_a_stranger_hears_nothing(
    home: Home, headers: dict[str, str], status: int, because: str
) -> None:
    client = Client(home.here().port, headers)
    assert client.response.status == status, because
    assert set(json.loads(client.response.read())) == {"error"}
    client.close()


@promise("codexmem:events:guarded")
def test_with_a_token_only_who_has_it_listens(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.worker(RECOLLECT_TOKEN="open sesame"):
        without = Client(home.here().port)
        assert without.response.status == 401
        without.close()
        client = Client(home.here().port, {"Authorization": "Bearer open sesame"})
        assert client.frame().event == "queue.depth"
        client.close()


@promise("codexmem:events:stop")
def test_open_streams_do_not_keep_a_worker_from_stopping(tmp_path: Path) -> None:
    home = Home(tmp_path)
    took = [_stopped(home) for _ in range(3)]
    assert min(took) < 2, "a busy machine may be slow once, and streams would hold it up each time"


def _stopped(home: Home) -> float:
    """How long a worker with streams took, one of which nobody reads."""
    with home.worker() as worker:
        port = home.here().port
        listeners = [Client(port) for _ in range(3)]
        for client in listeners:
            assert client.frame().event == "queue.depth"
        with socket.create_connection(("127.0.0.1", port)) as sleeper:
            sleeper.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            began = time.monotonic()
            worker.send_signal(signal.SIGTERM)
            stdout, stderr = worker.communicate(timeout=PATIENCE)
            took = time.monotonic() - began
        for client in listeners:
            while client.block():
                pass
            client.close()
    assert (worker.returncode, stderr) == (0, b"")
    assert stdout.endswith(b"stopped; nothing was lost\n")
    return took
