"""The operations routes over HTTP, on a store with a past: searches, finished and failed work."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import models
from contract.world import HOUR, MINUTE, NOW, SECOND, World
from listening import READY, listening
from promises import last, promise
from recollect import wiring
from recollect.dialects.codexmem.moments import moment
from recollect.model.job import Failure, Task
from recollect.model.session import Session
from recollect.store.port.operations import Trace
from recollect.web.app import Published, Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Doors
from recollect.wiring import House

COUNTS = {"observations": 3, "sessions": 2, "prompts": 1}
HITS = {
    "sqliteObservations": 4,
    "chromaObservations": 0,
    "chromaSummaries": 0,
    "chromaPrompts": 0,
}


@dataclass
class Client:
    """Asks one worker's application."""

    house: House
    http: httpx.Client

    def get(self, path: str, /, **query: object) -> dict[str, Any]:
        answered = self.http.get(f"/api/ops/{path}", params=_written(query))
        assert answered.status_code == 200, answered.text
        body: dict[str, Any] = answered.json()
        return body

    def post(self, path: str, body: object = None) -> dict[str, Any]:
        answered = self.http.post(f"/api/ops/{path}", json={} if body is None else body)
        assert answered.status_code == 200, answered.text
        told: dict[str, Any] = answered.json()
        return told


def _written(query: dict[str, object]) -> dict[str, str]:
    return {name.rstrip("_"): str(value) for name, value in query.items()}


@contextmanager
def worker(world: World) -> Iterator[Client]:
    """A worker's application over HTTP, with the world's clock."""
    house = wiring.open_house(world.settings, clock=lambda: world.now)
    house.take_over(on_accepted=lambda: None)
    app = application(
        Worker(vitals=lambda: READY, on_start=lambda: None),
        Doors({}, make=lambda _: pytest.fail("no tools are asked here")),
        Rules(bound="127.0.0.1"),
        default="codexmem",
        published=Published(wiring.published("codexmem").routes, house.serve),
    )
    with (
        listening(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http,
    ):
        yield Client(house, http)
    house.close()


def with_a_past(house: House) -> None:
    """Three searches, four jobs of two sessions that ended, and what went wrong on the way."""
    store = house.store
    with store.transaction():
        for name in ("s1", "s2"):
            store.sessions.begin(Session(id=name, project="alpha", platform="http", started_at=NOW))
        for trace in (
            _trace("auth token", "alpha", "hybrid", NOW - 3 * MINUTE, 12.345),
            _trace("Login, page", "beta", "lexical-only", NOW - 2 * MINUTE, 3.0),
            _trace("=cmd|' /C calc'!A1", None, "lexical-only", NOW - MINUTE, 1.5),
        ):
            store.operations.trace(trace, most=100)
        _job(house, "s1", Task.OBSERVATION, began=NOW - 5 * MINUTE, waited=100, took=40, model=30)
        _job(house, "s1", Task.SUMMARIZE, began=NOW - 4 * MINUTE, waited=200, took=60, model=50)
        _job(house, "s2", Task.OBSERVATION, began=NOW - 3 * MINUTE, waited=300, took=20, model=0)
        failed = _job(house, "s2", Task.OBSERVATION, began=NOW - 2 * MINUTE, waited=400, took=None)
        for at, class_, error in (
            (NOW - 2 * MINUTE, "timeout", "the model did not answer"),
            (NOW - 90 * SECOND, "processing", "first line\nsecond, line"),
            (NOW - MINUTE, "processing", "@fault"),
        ):
            store.jobs.note_failure(
                Failure(
                    at=at,
                    job_id=failed,
                    session_number=2,
                    task=Task.OBSERVATION,
                    error_class=class_,
                    error=error,
                ),
                most=100,
            )
        store.operations.count({"observation.success": 3, "observation.fallback_used": 1})
        store.operations.count({"summary.parse_fail": 2, "summary.schema_fail": 2})


def _trace(query: str, project: str | None, mode: str, at: int, took_ms: float) -> Trace:
    detail = {
        "limit": 20,
        "offset": 0,
        "orderBy": "relevance",
        "lexicalCounts": COUNTS,
        "vectorHits": HITS,
        "resultCounts": COUNTS,
    }
    return Trace(at=at, query=query, project=project, mode=mode, took_ms=took_ms, detail=detail)


def _job(
    house: House,
    session: str,
    task: Task,
    *,
    began: int,
    waited: int,
    took: int | None,
    model: int = 0,
) -> int:
    """One that took so long, or was given up; its id."""
    store = house.store
    event_id = store.events.add(
        key=f"{session}-{began}",
        session_id=session,
        project="alpha",
        kind="ToolUse",
        at=began,
        document="",
    )
    assert event_id is not None
    job_id = store.jobs.add(
        session_id=session,
        event_id=event_id,
        task=task,
        prompt_number=1,
        dedupe_key=None,
        at=began,
    )
    assert job_id is not None
    (job,) = store.jobs.claim(began + waited, 1, is_read=False, upto=job_id)
    if took is None:
        store.jobs.fail(job, at=began + waited + 10, due_at=None)
    else:
        end = began + waited + took
        store.jobs.finish(job, memory_id=None, at=end, model_ms=model, index_ms=5)
    return job_id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("past"), NOW)


@pytest.fixture(scope="module")
def ops(world: World) -> Iterator[Client]:
    """A worker with a past, to be asked and not to be changed."""
    with worker(world) as client:
        with_a_past(client.house)
        yield client


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Client]:
    """The same for one test alone."""
    with worker(World(tmp_path, NOW)) as client:
        with_a_past(client.house)
        yield client


@promise("codexmem:ops:traces")
def test_a_trace_tells_what_was_asked_and_what_came_of_it(ops: Client) -> None:
    told = ops.get("search-traces", project="alpha")
    assert told == {
        "traces": [
            {
                "ts": "2026-09-21T14:10:20.000Z",
                "query": "auth token",
                "project": "alpha",
                "limit": 20,
                "offset": 0,
                "orderBy": "relevance",
                "mode": "hybrid",
                "lexicalCounts": COUNTS,
                "vectorHits": HITS,
                "resultCounts": COUNTS,
                "durationMs": 12.35,
            }
        ],
        "total": 1,
        "filters": {"query": "", "project": "alpha", "mode": ""},
    }


AUTH, LOGIN, FORMULA = "auth token", "Login, page", "=cmd|' /C calc'!A1"
SEARCHES = [
    # filters                         found, newest first      because
    ({}, [FORMULA, LOGIN, AUTH], "all, the newest first"),
    ({"query": "LOGIN"}, [LOGIN], "text is found whatever the case"),
    ({"query": "alph"}, [AUTH], "in the project as well"),
    ({"query": "%"}, [], "and as what it is: no wildcard"),
    ({"project": "alph"}, [], "a project is the whole name"),
    ({"mode": "lexical-only"}, [FORMULA, LOGIN], "by mode"),
    ({"mode": ""}, [FORMULA, LOGIN, AUTH], "an empty parameter is as good as none"),
    ({"from_": NOW - 2 * MINUTE}, [FORMULA, LOGIN], "from is inclusive; milliseconds"),
    ({"to": (NOW - 2 * MINUTE) // 1000}, [LOGIN, AUTH], "to is inclusive; seconds"),
    ({"from_": "2026-09-21T14:12:00Z"}, [FORMULA], "ISO"),
    ({"to": "2026-09-21"}, [FORMULA, LOGIN, AUTH], "a day is meant whole"),
    ({"from_": NOW, "to": NOW - HOUR}, [], "nothing is between the wrong ends"),
    ({"mode": "lexical-only", "query": "login", "project": "beta"}, [LOGIN], "all together"),
]


@promise("codexmem:ops:traces")
@pytest.mark.parametrize(("filters", "found", "because"), SEARCHES, ids=last)
def test_traces_are_found_by_every_filter(
    ops: Client, filters: dict[str, object], found: list[str], because: str
) -> None:
    told = ops.get("search-traces", **filters)
    assert [trace["query"] for trace in told["traces"]] == found, because
    assert told["total"] == len(found)


@promise("codexmem:ops:traces")
def test_the_total_is_of_all_that_match_and_moments_are_echoed_in_milliseconds(ops: Client) -> None:
    told = ops.get("search-traces", limit=1, from_=NOW // 1000 - 3600, to="2026-09-21T14:13:20Z")
    assert (len(told["traces"]), told["total"]) == (1, 3)
    assert told["filters"] == {
        "query": "",
        "project": "",
        "mode": "",
        "fromEpoch": NOW - HOUR,
        "toEpoch": NOW,
    }


@promise("codexmem:ops:timings")
def test_timings_tell_what_each_message_waited_and_took(ops: Client) -> None:
    told = ops.get("session-timings", sessionDbId=2)
    ended = [
        (NOW - 2 * MINUTE + 410, 4, 400, 0, 0, 10, False),
        (NOW - 3 * MINUTE + 320, 3, 300, 0, 5, 20, True),
    ]
    assert [
        (
            _at(timing["ts"]),
            timing["messageId"],
            timing["queueWaitMs"],
            timing["modelMs"],
            timing["indexMs"],
            timing["totalMs"],
            timing["success"],
        )
        for timing in told["timings"]
    ] == ended
    assert told["aggregate"] == {
        "count": 2,
        "successCount": 1,
        "avgQueueWaitMs": 350,
        "avgModelMs": 0,
        "avgIndexMs": 2.5,
        "avgTotalMs": 15,
    }
    assert told["filters"] == {"sessionDbId": 2, "messageType": ""}


TIMINGS = [
    # filters                                   messages      because
    ({}, [4, 3, 2, 1], "all, the newest end first"),
    ({"messageType": "summarize"}, [2], "by type"),
    ({"success": "true"}, [3, 2, 1], "those that succeeded"),
    ({"success": "NO"}, [4], "those that did not, whatever the case"),
    ({"success": "1", "sessionDbId": 1}, [2, 1], "all together"),
    ({"sessionDbId": 99}, [], "a session that is not there has none"),
    ({"sessionDbId": "9" * 30}, [], "and so has one that cannot be"),
    ({"from_": NOW - 3 * MINUTE}, [4, 3], "by the end, inclusive"),
    ({"limit": 2}, [4, 3], "no more than asked for"),
]


@promise("codexmem:ops:timings")
@pytest.mark.parametrize(("filters", "found", "because"), TIMINGS, ids=last)
def test_timings_are_found_by_every_filter(
    ops: Client, filters: dict[str, object], found: list[int], because: str
) -> None:
    told = ops.get("session-timings", **filters)
    assert [timing["messageId"] for timing in told["timings"]] == found, because
    assert told["aggregate"]["count"] == (4 if "limit" in filters else len(found))


@promise("codexmem:ops:timings")
def test_nothing_is_averaged_to_zero(ops: Client) -> None:
    told = ops.get("session-timings", sessionDbId=99, success="yes")
    assert set(told["aggregate"].values()) == {0}
    assert told["filters"] == {"sessionDbId": 99, "messageType": "", "success": True}


@promise("codexmem:ops:failures")
def test_failures_are_counted_by_class_and_the_newest_are_told(ops: Client) -> None:
    told = ops.get("failure-summary", limit=2)
    assert told == {
        "summary": {
            "total": 3,
            "classes": [
                {"errorClass": "processing", "count": 2},
                {"errorClass": "timeout", "count": 1},
            ],
        },
        "recent": [
            {
                "ts": "2026-09-21T14:12:20.000Z",
                "sessionDbId": 2,
                "messageId": 4,
                "messageType": "observation",
                "errorClass": "processing",
                "error": "@fault",
            },
            {
                "ts": "2026-09-21T14:11:50.000Z",
                "sessionDbId": 2,
                "messageId": 4,
                "messageType": "observation",
                "errorClass": "processing",
                "error": "first line\nsecond, line",
            },
        ],
        "filters": {"sessionDbId": None, "messageType": "", "errorClass": ""},
    }


FAILURES = [
    ({"errorClass": "timeout"}, 1, "by class"),
    ({"errorClass": "Timeout"}, 0, "a class is what it is"),
    ({"messageType": "summarize"}, 0, "by type"),
    ({"sessionDbId": 2}, 3, "by session"),
    ({"sessionDbId": 1}, 0, "another session had none"),
    ({"to": NOW - 90 * SECOND}, 2, "by time, inclusive"),
]


@promise("codexmem:ops:failures")
@pytest.mark.parametrize(("filters", "count", "because"), FAILURES, ids=last)
def test_failures_are_found_by_every_filter(
    ops: Client, filters: dict[str, object], count: int, because: str
) -> None:
    told = ops.get("failure-summary", **filters)
    assert (told["summary"]["total"], len(told["recent"])) == (count, count), because


LISTS = ["search-traces", "session-timings", "failure-summary"]


@promise("codexmem:ops:filters")
@pytest.mark.parametrize("limit", ["0", "-5", "1000", "9" * 400])
@pytest.mark.parametrize("path", LISTS)
def test_a_limit_is_held_to_its_range(ops: Client, path: str, limit: str) -> None:
    told = ops.get(path, limit=limit)
    listed = next(value for value in told.values() if isinstance(value, list))
    assert len(listed) == (1 if limit in ("0", "-5") else {"session-timings": 4}.get(path, 3))


REFUSED = [
    # path               parameters                  said                              because
    (LISTS, {"limit": "abc"}, "limit must be an integer", "a word is no limit"),
    (LISTS, {"limit": "1.5"}, "limit must be an integer", "and neither is half of one"),
    (LISTS, {"limit": "٣"}, "limit must be an integer", "nor a digit of another script"),
    (LISTS, {"from_": "yesterday"}, "from must be seconds or", "a word is no moment"),
    (LISTS, {"to": "2026-13-01"}, "to must be seconds or", "nor is a thirteenth month"),
    (LISTS, {"to": "'; drop table jobs --"}, "to must be seconds or", "nor is SQL"),
    (LISTS[:1], {"mode": "fuzzy"}, "mode must be one of lexical-only, hybrid", "no such mode"),
    (LISTS[1:], {"sessionDbId": "x"}, "sessionDbId must be an integer", "a word is no session"),
    (
        LISTS[1:],
        {"messageType": "prompt"},
        "messageType must be one of observation, summarize",
        "no such type",
    ),
    (
        LISTS[1:2],
        {"success": "maybe"},
        "success must be one of true, 1, yes, false, 0, no",
        "neither yes nor no",
    ),
    (
        [f"{path}/export" for path in LISTS],
        {"format": "xlsx"},
        "format must be one of csv, ndjson",
        "no such form",
    ),
    (["trends"], {"windowSec": "hour"}, "windowSec must be an integer", "a word is no window"),
    (
        ["trends"],
        {"to": "then"},
        "to must be seconds or milliseconds since 1970, or an ISO date",
        "nor is a word a moment",
    ),
    (["trends"], {"bucketSec": "[]"}, "bucketSec must be an integer", "nor is JSON a bucket"),
]


@promise("codexmem:ops:filters")
@pytest.mark.parametrize(("paths", "query", "said", "because"), REFUSED, ids=last)
def test_a_parameter_of_a_wrong_form_is_refused_by_name(
    ops: Client, paths: list[str], query: dict[str, object], said: str, because: str
) -> None:
    for path in paths:
        answered = ops.http.get(f"/api/ops/{path}", params=_written(query))
        assert answered.status_code == 400, (path, because)
        assert answered.json()["error"].startswith(said), (path, because)


COLUMNS = {
    "search-traces": "ts,query,project,mode,durationMs,lexicalObservations,lexicalSessions,"
    "lexicalPrompts,sqliteObservations,chromaObservations,chromaSummaries,chromaPrompts,"
    "resultObservations,resultSessions,resultPrompts",
    "session-timings": "ts,sessionDbId,messageId,messageType,success,queueWaitMs,modelMs,"
    "indexMs,totalMs",
    "failure-summary": "ts,sessionDbId,messageId,messageType,errorClass,error",
}


@promise("codexmem:ops:export")
@pytest.mark.parametrize("path", LISTS)
def test_a_sheet_has_the_published_columns_and_every_row(ops: Client, path: str) -> None:
    answered = ops.http.get(f"/api/ops/{path}/export", params={"limit": "1"})
    assert answered.headers["content-type"] == "text/csv; charset=utf-8"
    assert answered.text.partition("\n")[0] == COLUMNS[path]
    assert not answered.text.endswith("\n")
    rows = list(csv.reader(io.StringIO(answered.text, newline="")))
    assert len(rows) == (5 if path == "session-timings" else 4), "no limit, and a line of columns"
    assert {len(row) for row in rows} == {len(COLUMNS[path].split(","))}


@promise("codexmem:ops:export")
@pytest.mark.parametrize("path", LISTS)
def test_lines_of_json_are_what_the_list_tells(ops: Client, path: str) -> None:
    answered = ops.http.get(f"/api/ops/{path}/export", params={"format": "ndjson"})
    assert answered.headers["content-type"] == "application/x-ndjson; charset=utf-8"
    told = ops.get(path)
    listed = next(value for value in told.values() if isinstance(value, list))
    assert [json.loads(line) for line in answered.text.split("\n")] == listed


@promise("codexmem:ops:export")
def test_an_export_has_the_filters_of_its_list(ops: Client) -> None:
    found = ops.http.get(
        "/api/ops/session-timings/export", params={"sessionDbId": "1", "success": "true"}
    )
    assert found.text == (
        f"{COLUMNS['session-timings']}\n"
        "2026-09-21T14:09:20.260Z,1,2,summarize,true,200,50,5,60\n"
        "2026-09-21T14:08:20.140Z,1,1,observation,true,100,30,5,40"
    )
    none = ops.http.get("/api/ops/search-traces/export", params={"query": "nobody asked this"})
    assert none.text == COLUMNS["search-traces"]


@promise("codexmem:ops:export-harmless")
def test_what_was_asked_and_what_failed_begins_no_formula(ops: Client) -> None:
    searches = ops.http.get("/api/ops/search-traces/export").text.split("\n")
    assert searches[1:3] == [
        "2026-09-21T14:12:20.000Z,'=cmd|' /C calc'!A1,,lexical-only,1.5,3,2,1,4,0,0,0,3,2,1",
        '2026-09-21T14:11:20.000Z,"Login, page",beta,lexical-only,3,3,2,1,4,0,0,0,3,2,1',
    ]
    failures = ops.http.get("/api/ops/failure-summary/export").text
    assert "processing,'@fault\n" in failures
    assert 'processing,"first line\nsecond, line"\n' in failures


@promise("codexmem:ops:trends")
def test_trends_count_what_happened_bucket_by_bucket(ops: Client) -> None:
    told = ops.get("trends", windowSec=360, bucketSec=60)
    assert (told["windowSec"], told["bucketSec"]) == (360, 60)
    buckets = told["buckets"]
    assert [(bucket["from"], bucket["to"]) for bucket in buckets] == [
        (NOW - (6 - place) * MINUTE, NOW - (5 - place) * MINUTE) for place in range(6)
    ]
    assert buckets[0]["ts"] == "2026-09-21T14:07:20.000Z"
    assert [
        (
            bucket["searchCount"],
            bucket["avgSearchMs"],
            bucket["queueCount"],
            bucket["avgQueueTotalMs"],
            bucket["failureCount"],
        )
        for bucket in buckets
    ] == [
        (0, 0, 0, 0, 0),
        (0, 0, 1, 40, 0),
        (0, 0, 1, 60, 0),
        (1, 12.35, 1, 20, 0),
        (1, 3, 1, 10, 2),
        (1, 1.5, 0, 0, 1),
    ]


@promise("codexmem:ops:trends")
def test_what_happened_this_moment_is_in_the_last_bucket(own: Client) -> None:
    with own.house.store.transaction():
        own.house.store.operations.trace(_trace("now", None, "hybrid", NOW, 8.0), most=100)
    told = own.get("trends", windowSec=100, bucketSec=60)
    assert [(bucket["to"] - bucket["from"]) for bucket in told["buckets"]] == [60_000, 40_000]
    assert [bucket["searchCount"] for bucket in told["buckets"]] == [1, 1]


WINDOWS = [
    ({}, 3600, 60, 60, "an hour, minute by minute"),
    ({"windowSec": 1, "bucketSec": 1}, 60, 10, 6, "held to the smallest"),
    ({"windowSec": 10**12, "bucketSec": 10**12}, 86_400, 3600, 24, "held to the largest"),
    ({"windowSec": 61, "bucketSec": 60}, 61, 60, 2, "a begun bucket counts"),
]


@promise("codexmem:ops:trends")
@pytest.mark.parametrize(("query", "window", "bucket", "count", "because"), WINDOWS, ids=last)
def test_windows_and_buckets_are_held_to_their_ranges(
    ops: Client, query: dict[str, object], window: int, bucket: int, count: int, because: str
) -> None:
    told = ops.get("trends", **query)
    found = (told["windowSec"], told["bucketSec"], len(told["buckets"]))
    assert found == (window, bucket, count), because


ENDS = [
    # to                           ends at          because
    (NOW - HOUR, NOW - HOUR, "milliseconds"),
    ((NOW - HOUR) // SECOND, NOW - HOUR, "seconds"),
    ("2026-09-21T13:13:20Z", NOW - HOUR, "an ISO date"),
    (NOW + MINUTE, NOW + MINUTE, "a little ahead, for round buckets"),
    (10**16, NOW + 24 * HOUR, "held to a day ahead"),
    (-(10**16), 360 * SECOND, "held to what is not before 1970"),
]


@promise("codexmem:ops:trends:end")
@pytest.mark.parametrize(("to", "end", "because"), ENDS, ids=last)
def test_a_window_ends_where_it_is_asked_to(
    ops: Client, to: object, end: int, because: str
) -> None:
    buckets = ops.get("trends", windowSec=360, bucketSec=60, to=to)["buckets"]
    assert (buckets[0]["from"], buckets[-1]["to"]) == (end - 6 * MINUTE, end), because


@promise("codexmem:ops:trends:end")
def test_a_window_in_the_past_tells_what_was_then(ops: Client) -> None:
    told = ops.get("trends", windowSec=120, bucketSec=60, to=NOW - 2 * MINUTE)["buckets"]
    whole = ops.get("trends", windowSec=360, bucketSec=60)["buckets"]
    assert told[0] == whole[2]
    # The very moment at its end is within it, as now is when it ends now.
    assert [bucket["searchCount"] for bucket in told] == [0, whole[3]["searchCount"] + 1]


@promise("codexmem:ops:metrics")
def test_five_counters_are_told_for_both_and_can_be_reset(own: Client) -> None:
    none = {
        "success": 0,
        "parse_fail": 0,
        "schema_fail": 0,
        "repair_fail": 0,
        "fallback_used": 0,
    }
    assert own.get("agent-metrics") == {
        "metrics": {
            "observation": {**none, "success": 3, "fallback_used": 1},
            "summary": {**none, "parse_fail": 2, "schema_fail": 2},
        }
    }
    assert own.post("agent-metrics/reset") == {"success": True}
    assert own.get("agent-metrics") == {"metrics": {"observation": none, "summary": none}}


RETRIES = [
    ({}, 1, "of all sessions"),
    ({"sessionDbId": None}, 1, "null is as good as nothing"),
    ({"sessionDbId": 2}, 1, "of the session that has some"),
    ({"sessionDbId": 1}, 0, "another one has none"),
    ({"sessionDbId": 2**60}, 0, "and neither has one that cannot be"),
]


@promise("codexmem:ops:retry")
@pytest.mark.parametrize(("body", "retried", "because"), RETRIES, ids=last)
def test_failed_work_is_given_another_try(
    own: Client, body: dict[str, object], retried: int, because: str
) -> None:
    assert own.post("retry-failed", body) == {"success": True, "retried": retried}, because
    own.house.catch_up()
    assert own.get("session-timings", success="false")["aggregate"]["count"] == 1 - retried
    assert own.get("session-timings")["aggregate"]["count"] == 4


@promise("codexmem:ops:retry")
@pytest.mark.parametrize("number", ["2", 2.5, True, [2], {"id": 2}])
def test_a_session_that_is_no_integer_is_refused(ops: Client, number: object) -> None:
    answered = ops.http.post("/api/ops/retry-failed", json={"sessionDbId": number})
    assert answered.status_code == 400
    assert answered.json() == {"error": "sessionDbId must be an integer"}


@promise("codexmem:ops:index")
@pytest.mark.parametrize(
    ("backend", "here", "afar"),
    [
        ("sqlite", True, {"enabled": False, "configured": True}),
        ("hybrid", True, {"enabled": True, "configured": True, "reachable": False}),
        ("chroma", False, {"enabled": True, "configured": True, "reachable": False}),
    ],
)
def test_the_index_tells_its_backend_and_its_counts(
    tmp_path: Path, backend: str, here: bool, afar: dict[str, bool]
) -> None:
    environ = {
        "RECOLLECT_MODEL_DIR": str(models.FOLDER),
        "CODEXMEM_VECTOR_BACKEND": backend,
        "CODEXMEM_CHROMA_URL": "http://127.0.0.1:1",
    }
    world = World(tmp_path, NOW, environ)
    world.prompt("Why does the login fail?")
    world.bash("make test")
    world.read("/code/alpha/a.py")
    with worker(world) as client:
        client.house.catch_up()
        while client.house.embed_some():
            pass
        assert client.get("index-status") == {
            "backend": backend,
            "sqlite": {"enabled": here, "observationEmbeddings": 2},
            "chroma": afar,
            "sourceTotals": {"observations": 2, "summaries": 0, "prompts": 1},
        }


@promise("codexmem:ops:index")
def test_without_a_model_nothing_is_embedded(ops: Client) -> None:
    assert ops.get("index-status") == {
        "backend": "sqlite",
        "sqlite": {"enabled": True, "observationEmbeddings": 0},
        "chroma": {"enabled": False, "configured": False},
        "sourceTotals": {"observations": 0, "summaries": 0, "prompts": 0},
    }


@promise("codexmem:ops:lasting")
def test_everything_is_told_after_a_restart_as_before(tmp_path: Path) -> None:
    paths = [*LISTS, "agent-metrics", "trends"]
    world = World(tmp_path, NOW)
    with worker(world) as client:
        with_a_past(client.house)
        before = [client.get(path) for path in paths]
    with worker(world) as client:
        assert [client.get(path) for path in paths] == before


def _at(stamp: str) -> int:
    return moment("ts", stamp)
