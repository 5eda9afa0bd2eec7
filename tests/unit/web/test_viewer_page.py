"""The viewer's page and its entrance: what is served, with which headers, and who comes in."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette

from listening import listening, parrot_application
from promises import promise
from recollect.web.guard import Guard, Rules
from recollect.web.problems import on_http_exception
from recollect.web.viewer.entrance import cookie_of, pass_of
from recollect.web.viewer.page import page_routes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

TOKEN = "correct horse"
COOKIE = cookie_of(TOKEN)
RULES = Rules(bound="127.0.0.1", token=TOKEN)
LARGE = b"export const many = 1;\n" * 100
MODULE = b"export const x = 1;\n"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The page alone, made of a few files, behind the guard."""
    home = tmp_path_factory.mktemp("page")
    (home / "secret.js").write_bytes(b"not served")
    assets = home / "assets"
    (assets / "panels").mkdir(parents=True)
    (assets / "index.html").write_bytes(b"<!doctype html><title>Recollect</title>")
    (assets / "panels" / "memory.js").write_bytes(MODULE)
    (assets / "large.js").write_bytes(LARGE)
    (assets / "notes.py").write_bytes(b"no part of a page")
    with listening(_app(assets)) as port:
        yield port


@pytest.fixture(scope="module")
def worker() -> Iterator[int]:
    with listening(parrot_application(RULES)) as port:
        yield port


def _app(assets: Path) -> Guard:
    app = Starlette(routes=page_routes(assets), exception_handlers={404: on_http_exception})
    return Guard(app, RULES)


def test_what_is_large_is_packed_for_whoever_unpacks(page: int) -> None:
    path = "/viewer/assets/large.js"
    plain, content = _ask(page, "GET", path)
    packed, smaller = _ask(page, "GET", path, headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(smaller) < len(content) == len(LARGE)
    assert gzip.decompress(smaller) == content
    assert plain.headers["ETag"] != packed.headers["ETag"]
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    small, _ = _ask(page, "GET", "/viewer", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in small.headers


FILES = [
    # path                             status  type               because
    ("/viewer", 200, "text/html", "the page, without a token"),
    ("/viewer?view=memory&q=x", 200, "text/html", "any view of it"),
    ("/viewer/", 200, "text/html", "as some type it"),
    ("/viewer/assets/panels/memory.js", 200, "text/javascript", "what it is made of"),
    ("/viewer/assets/none.js", 404, "application/json", "not there"),
    ("/viewer/assets/panels", 404, "application/json", "a folder"),
    ("/viewer/assets/", 404, "application/json", "the folder"),
    ("/viewer/assets/notes.py", 404, "application/json", "no part of a page"),
    ("/viewer/assets/../secret.js", 404, "application/json", "upwards"),
    ("/viewer/assets/%2e%2e/secret.js", 404, "application/json", "upwards, written otherwise"),
    ("/viewer/assets/..%2fsecret.js", 404, "application/json", "upwards, in one name"),
    ("/viewer/assets//panels/memory.js", 404, "application/json", "an empty name"),
    ("/viewer/assets/panels%5cmemory.js", 404, "application/json", "a separator elsewhere"),
    ("/viewer/assets/index.html%00.js", 404, "application/json", "a name cut short"),
]


@promise("viewer:page")
@pytest.mark.parametrize(
    ("path", "status", "kind", "because"), FILES, ids=[row[3] for row in FILES]
)
def test_the_page_is_served_and_nothing_beside_it(
    page: int, path: str, status: int, kind: str, because: str
) -> None:
    response, _ = _ask(page, "GET", path)
    assert response.status == status
    assert response.headers["Content-Type"].startswith(kind)
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@promise("viewer:page")
def test_the_page_runs_only_what_is_its_own(page: int) -> None:
    response, _ = _ask(page, "GET", "/viewer")
    policy = dict(
        rule.split(" ", 1) for rule in response.headers["Content-Security-Policy"].split("; ")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


@promise("viewer:page")
def test_a_file_is_sent_once_and_then_only_when_it_changed(page: int) -> None:
    path = "/viewer/assets/panels/memory.js"
    first, body = _ask(page, "GET", path)
    assert (body, first.headers["Cache-Control"]) == (MODULE, "no-cache")
    again, body = _ask(page, "GET", path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status, body) == (304, b"")
    other, body = _ask(page, "GET", path, headers={"If-None-Match": '"another"'})
    assert (other.status, body) == (200, MODULE)


@promise("viewer:entrance")
def test_who_shows_the_token_once_comes_in_by_a_cookie(worker: int) -> None:
    entered, body = _enter(worker, f" {TOKEN}\n")
    assert (entered.status, json.loads(body)) == (200, {"status": "ok"})
    cookie, *attributes = entered.headers["Set-Cookie"].split("; ")
    assert {each.lower() for each in attributes} == {
        "httponly",
        "samesite=strict",
        "path=/",
        "max-age=2592000",
    }
    assert TOKEN not in cookie
    assert _status(worker, Cookie=cookie) == 200
    assert _status(worker) == 401
    left, _ = _ask(worker, "POST", "/viewer/leave", headers={"Cookie": cookie})
    assert left.headers["Set-Cookie"].startswith(f'{COOKIE}=""; ')
    assert "Max-Age=0" in left.headers["Set-Cookie"]


WRONG_COOKIES = [
    ("", "none"),
    (f"{COOKIE}=", "an empty one"),
    (f"{COOKIE}={TOKEN}", "the token itself"),
    (f"{COOKIE}={pass_of('another')}", "one of another token"),
    (f"other={pass_of(TOKEN)}", "of another name"),
    (f"{cookie_of('another')}={pass_of('another')}", "of another worker"),
    (f"{COOKIE}=\xff", "no text"),
]


@pytest.mark.parametrize(
    ("cookie", "because"), WRONG_COOKIES, ids=[row[1] for row in WRONG_COOKIES]
)
def test_no_other_cookie_lets_anybody_in(worker: int, cookie: str, because: str) -> None:
    assert _status(worker, Cookie=cookie) == 401


@promise("viewer:entrance")
def test_a_cookie_does_not_help_a_page_from_elsewhere(worker: int) -> None:
    cookie = f"{COOKIE}={pass_of(TOKEN)}"
    assert _status(worker, Cookie=cookie, Origin="http://evil.com") == 403
    assert _status(worker, Cookie=cookie, **{"Sec-Fetch-Site": "same-site"}) == 403


BODIES = [
    (b"", 400, "no body"),
    (b"{", 400, "no JSON"),
    (b"[" * 4000, 400, "nested without end"),
    (b'"x"', 400, "no object"),
    (b'{"token": 7}', 400, "no text"),
    (b'{"token": "' + b"x" * 5000 + b'"}', 400, "longer than any token"),
    (b'{"token": ""}', 401, "an empty token"),
    (b'{"token": "wrong"}', 401, "another token"),
    (b'{"token": "\\ud800"}', 401, "half a character"),
]


@promise("viewer:entrance")
@pytest.mark.parametrize(("body", "status", "because"), BODIES, ids=[row[2] for row in BODIES])
def test_what_is_not_the_token_is_refused(
    worker: int, body: bytes, status: int, because: str
) -> None:
    response, told = _ask(worker, "POST", "/viewer/enter", body=body)
    assert response.status == status
    assert "Set-Cookie" not in response.headers
    assert set(json.loads(told)) == {"error"}


@promise("viewer:entrance")
def test_without_a_token_there_is_nothing_to_show() -> None:
    with listening(parrot_application()) as port:
        response, _ = _enter(port, "anything")
        assert (response.status, "Set-Cookie" in response.headers) == (200, False)


def _enter(port: int, token: str) -> tuple[HTTPResponse, bytes]:
    return _ask(port, "POST", "/viewer/enter", body=json.dumps({"token": token}).encode())


def _status(port: int, **headers: str) -> int:
    return _ask(port, "GET", "/api/version", headers=headers)[0].status


def _ask(
    port: int,
    method: str,
    path: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request(method, path, body, dict(headers or {}))
    response = connection.getresponse()
    told = response.read()
    connection.close()
    return response, told


def test_a_worker_that_nobody_looks_at_loads_nothing_heavy_for_the_page() -> None:
    heavy = {"numpy", "rapidfuzz", "tree_sitter", "pathspec"}
    said = f"import sys, recollect.web.viewer.data; print({heavy!r} & sys.modules.keys())"
    loaded = subprocess.run(
        [sys.executable, "-c", said], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "set()"
