"""The worker's own routes, and that whatever goes wrong is JSON."""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

from listening import READY, listening, parrot_application
from recollect import __version__
from recollect.worker.loop import Vitals

STARTING = Vitals(is_open=False, is_initialized=False, waiting=3, last_error="the disk is full")


@pytest.mark.parametrize("vitals", [READY, STARTING], ids=["ready", "starting"])
def test_health_is_always_200_and_says_how_it_is(vitals: Vitals) -> None:
    with listening(parrot_application(vitals=vitals)) as port:
        status, _, body = _ask(port, "GET", "/api/health")

    uptime = body.pop("uptime")
    assert isinstance(uptime, int)
    assert (status, body) == (
        200,
        {
            "status": "ok",
            "version": __version__,
            "initialized": vitals.is_initialized,
            "mcpReady": vitals.is_open,
            "pid": os.getpid(),
            "waiting": vitals.waiting,
            "last_error": vitals.last_error,
        },
    )


@pytest.mark.parametrize(
    ("vitals", "status", "said"), [(STARTING, 503, "initializing"), (READY, 200, "ready")]
)
def test_readiness_waits_for_the_backlog(vitals: Vitals, status: int, said: str) -> None:
    with listening(parrot_application(vitals=vitals)) as port:
        assert _ask(port, "GET", "/api/readiness")[::2] == (status, {"status": said})


def test_the_version_is_told() -> None:
    with listening(parrot_application()) as port:
        assert _ask(port, "GET", "/api/version")[::2] == (200, {"version": __version__})


NO_ROUTE = {"error": "there is no such route"}
NO_METHOD = {"error": "this route does not take this method"}
PROBLEMS: list[tuple[str, str, dict[str, str], int, str | None, dict[str, str], str]] = [
    ("GET", "/", {}, 404, None, NO_ROUTE, "there is no viewer yet"),
    ("GET", "/api/health/", {}, 404, None, NO_ROUTE, "no redirect, which would have no JSON"),
    ("GET", "/api/%00", {}, 404, None, NO_ROUTE, "NUL in the path"),
    ("GET", "/mcp/nobody", {}, 404, None, NO_ROUTE, "no such dialect"),
    ("POST", "/api/health", {}, 405, "GET, HEAD", NO_METHOD, "health is read"),
    ("GET", "/mcp/parrot", {}, 405, "POST", NO_METHOD, "there is no stream to listen to"),
    ("DELETE", "/mcp", {}, 405, "POST", NO_METHOD, "there is no session to end"),
    ("GET", "/mcp/parrot/line", {}, 405, "POST", NO_METHOD, "a line is posted"),
    (
        "POST",
        "/mcp/parrot",
        {"Content-Type": "text/plain"},
        400,
        None,
        {"error": "the request is malformed"},
        "what the SDK refuses in plain text",
    ),
    (
        "POST",
        "/mcp/parrot",
        {"MCP-Protocol-Version": "2026-07-28", "Content-Type": "application/json", "Accept": "x/y"},
        406,
        None,
        {"error": "not acceptable"},
        "what the SDK refuses without a word",
    ),
]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "allow", "body", "because"),
    PROBLEMS,
    ids=[row[-1] for row in PROBLEMS],
)
def test_whatever_is_refused_is_json(
    method: str,
    path: str,
    headers: dict[str, str],
    status: int,
    allow: str | None,
    body: dict[str, str],
    because: str,
) -> None:
    with listening(parrot_application()) as port:
        answered, allowed, told = _ask(port, method, path, **headers)

    methods = None if allowed is None else ", ".join(sorted(allowed.split(", ")))
    assert (answered, methods, told) == (status, allow, body)


def test_a_crash_is_a_500_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("/home/secret is broken")

    with listening(parrot_application(vitals=Broken())) as port:  # type: ignore[arg-type]
        status, _, body = _ask(port, "GET", "/api/health")

    assert (status, body) == (500, {"error": "internal error; the worker's log has the details"})
    assert "secret is broken" in caplog.text


def _ask(
    port: int, method: str, path: str, **headers: str
) -> tuple[int, str | None, dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = json.loads(response.read())
    connection.close()
    return response.status, response.getheader("Allow"), body


@pytest.mark.parametrize(
    ("path", "status", "because"),
    [
        ("/mcp/parrot,parrot", 200, "a list of dialects is a door"),
        ("/mcp/parrot,parrot", 200, "and stays one"),
        ("/mcp/parrot,klingon", 404, "each dialect of a list must exist"),
        ("/mcp/klingon", 404, "as a dialect alone must"),
    ],
)
def test_several_dialects_have_a_door_together(path: str, status: int, because: str) -> None:
    with listening(parrot_application()) as port:
        for _ in range(2):
            answer = httpx.post(
                f"http://127.0.0.1:{port}{path}",
                json={"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
                headers={
                    "Accept": "application/json, text/event-stream",
                    "MCP-Protocol-Version": "2025-06-18",
                },
            )
            assert answer.status_code == status, because
            assert answer.headers["content-type"].startswith("application/json")
