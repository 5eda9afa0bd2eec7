"""Who may come in, as tables: hosts, origins, sites, tokens, sizes."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from listening import listening, parrot_application
from recollect.web.guard import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

PATHS = [("GET", "/api/health"), ("POST", "/mcp/parrot"), ("DELETE", "/mcp"), ("GET", "/none")]

HOSTS: list[tuple[str, bool, str]] = [
    ("127.0.0.1:{port}", True, "the usual name"),
    ("localhost:{port}", True, "loopback by name"),
    ("LOCALHOST:{port}", True, "host names have no case"),
    ("[::1]:{port}", True, "loopback in version 6"),
    ("127.8.9.1:{port}", True, "all of 127.0.0.0/8 is loopback"),
    ("memory.lan:{port}", True, "the bound host"),
    ("localhost", True, "no port said"),
    ("localhost:1", False, "not our port"),
    ("localhost.evil.com:{port}", False, "a look-alike"),
    ("127.0.0.1.nip.io:{port}", False, "a name that resolves to loopback"),
    ("evil.com:{port}", False, "a foreign name"),
    ("localhost.:{port}", False, "not a name that we print"),
    ("user@localhost:{port}", False, "not a host"),
    ("localhost:{port}/x", False, "not a host"),
    ("0.0.0.0:{port}", False, "browsers reach loopback by it"),
    ("2130706433:{port}", False, "127.0.0.1 as a number"),
    ("0177.0.0.1:{port}", False, "127.0.0.1 in octal"),
    ("[::1:{port}", False, "not a host"),
    ("localhost:x", False, "not a port"),
    ("", False, "an empty Host"),
]
ORIGINS: list[tuple[str, bool, str]] = [
    ("http://127.0.0.1:{port}", True, "our own page"),
    ("http://localhost:{port}", True, "our own page by name"),
    ("https://[::1]:{port}", True, "behind TLS"),
    ("http://memory.lan:{port}", True, "the bound host"),
    ("null", False, "a sandboxed page or a file"),
    ("http://127.0.0.1:1", False, "another program on this machine"),
    ("http://127.0.0.1", False, "port 80 is not ours"),
    ("http://evil.com:{port}", False, "a foreign page"),
    ("http://localhost.evil.com:{port}", False, "a look-alike"),
    ("file://localhost:{port}", False, "no web page"),
    ("chrome-extension://abc", False, "an extension"),
    ("http://127.0.0.1:{port}/x", False, "an origin has no path"),
    ("", False, "an empty Origin"),
]
SITES: list[tuple[str, bool, str]] = [
    ("same-origin", True, "our own page"),
    ("none", True, "typed by the user"),
    ("same-site", False, "another port of this machine"),
    ("cross-site", False, "a foreign page"),
    ("whatever", False, "a value from the future"),
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with listening(parrot_application(Rules(bound="memory.lan"))) as port:
        yield port


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path[0]} {path[1]}")
@pytest.mark.parametrize(("host", "is_let_in", "because"), HOSTS, ids=[row[2] for row in HOSTS])
def test_only_our_own_names_are_served(
    port: int, host: str, is_let_in: bool, because: str, path: tuple[str, str]
) -> None:
    status, _ = _ask(port, *path, Host=host.format(port=port))
    assert (status != 403) == is_let_in


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path[0]} {path[1]}")
@pytest.mark.parametrize(
    ("origin", "is_let_in", "because"), ORIGINS, ids=[row[2] for row in ORIGINS]
)
def test_only_our_own_pages_may_ask(
    port: int, origin: str, is_let_in: bool, because: str, path: tuple[str, str]
) -> None:
    status, _ = _ask(port, *path, Host=f"localhost:{port}", Origin=origin.format(port=port))
    assert (status != 403) == is_let_in


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path[0]} {path[1]}")
@pytest.mark.parametrize(("site", "is_let_in", "because"), SITES, ids=[row[2] for row in SITES])
def test_other_sites_may_not_ask(
    port: int, site: str, is_let_in: bool, because: str, path: tuple[str, str]
) -> None:
    status, _ = _ask(port, *path, Host=f"localhost:{port}", **{"Sec-Fetch-Site": site})
    assert (status != 403) == is_let_in


@pytest.mark.parametrize("hosts", [[], ["localhost:{port}", "evil.com"]], ids=["none", "two"])
def test_a_request_has_exactly_one_host(port: int, hosts: list[str]) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest("GET", "/api/health", skip_host=True)
    for host in hosts:
        connection.putheader("Host", host.format(port=port))
    connection.endheaders()

    response = connection.getresponse()

    assert (response.status, response.read()) == (403, b'{"error":"this Host is not served here"}')
    connection.close()


TOKENS: list[tuple[str, str | None, int, str]] = [
    ("/api/version", "Bearer s3cret", 200, "the token"),
    ("/api/version", "bearer s3cret", 200, "schemes have no case"),
    ("/api/version", None, 401, "none given"),
    ("/api/version", "Bearer s3cre", 401, "a part of it"),
    ("/api/version", "Bearer s3cret2", 401, "more than it"),
    ("/api/version", "Basic s3cret", 401, "another scheme"),
    ("/api/version", "Bearer s\u00e9cret", 401, "not ASCII"),
    ("/api/health", None, 200, "health is open"),
    ("/api/readiness", None, 401, "nothing else is"),
    ("/none", None, 401, "whether a route exists is not told either"),
    ("/health", None, 200, "under both its names"),
    ("/health/x", None, 401, "and nothing below it"),
    ("/api/cage/a", None, 405, "a route may ask for a key of its own"),
    ("/api/cage/a/b", None, 401, "and nothing below it"),
]


@pytest.fixture(scope="module")
def locked_port() -> Iterator[int]:
    with listening(parrot_application(Rules(bound="127.0.0.1", token="s3cret"))) as port:
        yield port


@pytest.mark.parametrize(
    ("path", "given", "status", "because"), TOKENS, ids=[f"{row[0]} {row[3]}" for row in TOKENS]
)
def test_a_token_is_asked_for_everywhere_but_for_health(
    locked_port: int, path: str, given: str | None, status: int, because: str
) -> None:
    headers = {} if given is None else {"Authorization": given}
    assert _ask(locked_port, "GET", path, **headers)[0] == status


SMALL = Rules(bound="127.0.0.1", body_limit=1000, mcp_body_limit=2000)
SIZES: list[tuple[str, int, bool, int, str]] = [
    ("/api/version", 1000, False, 405, "as much as is allowed"),
    ("/api/version", 1001, False, 413, "more than is allowed"),
    ("/mcp/parrot", 1500, False, 400, "MCP takes more"),
    ("/mcp/parrot", 2001, False, 413, "but not any amount"),
    ("/mcp", 2001, False, 413, "nor at the default door"),
    ("/mcp/parrot/line", 2001, False, 413, "nor from a bridge"),
    ("/mcp/parrot", 1500, True, 400, "a streamed body"),
    ("/mcp/parrot", 2001, True, 413, "is counted as it comes"),
    ("/mcp/parrot/line", 2001, True, 413, "everywhere"),
    ("/mcpx", 1001, False, 413, "only below /mcp"),
    ("/api/cage/a", 1500, False, 400, "a route may take more"),
    ("/api/cage/a", 2001, False, 413, "but not any amount"),
    ("/api/cage/a", 2001, True, 413, "however it comes"),
    ("/api/cage/a/b", 1001, False, 413, "and nothing below it does"),
]


@pytest.mark.parametrize(
    ("path", "size", "is_streamed", "status", "because"),
    SIZES,
    ids=[f"{row[0]} {row[1]} {row[4]}" for row in SIZES],
)
def test_bodies_have_a_limit(
    path: str, size: int, is_streamed: bool, status: int, because: str
) -> None:
    body: object = iter([b"x" * 500] * (size // 500) + [b"x" * (size % 500)])
    with listening(parrot_application(SMALL)) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": "Bearer n0t the token",
        }
        connection.request(
            "POST",
            path,
            body if is_streamed else b"x" * size,  # type: ignore[arg-type]
            headers,
            encode_chunked=False,
        )
        response = connection.getresponse()
        kind = response.getheader("Content-Type", "")
        assert (response.status, kind.partition(";")[0]) == (status, "application/json")
        response.read()
        connection.close()


def test_every_answer_is_hardened(port: int) -> None:
    for method, path in PATHS:
        for host in (f"localhost:{port}", "evil.com"):
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request(method, path, headers={"Host": host})
            response = connection.getresponse()
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["Content-Type"] == "application/json; charset=utf-8"
            response.read()
            connection.close()


def _ask(port: int, method: str, path: str, **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value.encode("latin-1"))
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body
