"""A dialect's routes over HTTP: what a handler is given, and what becomes of what it says."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from listening import listening, parrot_application
from parrot import PARROT
from recollect.dialect.spec import Route
from recollect.web.routes import dialect_routes


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with (
        listening(parrot_application()) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client,
    ):
        yield client


def test_a_handler_is_given_path_query_and_body(client: httpx.Client) -> None:
    answered = client.post("/api/words/h%C3%A9?a=1&b=&a=2%203", json={"said": ["ü"]})

    assert (answered.status_code, answered.json()) == (
        201,
        {
            "path": {"word": "hé"},
            "query": {"a": ["1", "2 3"], "b": [""]},
            "body": {"said": ["ü"]},
            "project": "worker",
        },
    )


def test_text_goes_out_as_what_it_is(client: httpx.Client) -> None:
    answered = client.get("/api/print")

    assert answered.headers["content-type"] == "text/csv; charset=utf-8"
    assert answered.text == "polly,cracker"


def test_our_own_problems_are_in_the_words_of_the_dialect(client: httpx.Client) -> None:
    answered = client.get("/api/refuse")

    assert answered.status_code == 400
    assert answered.json() == {"error": "the parrot says: word must not be said"}


def test_a_crash_is_a_500_without_a_traceback(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    answered = client.get("/api/crash")

    assert answered.status_code == 500
    assert answered.json() == {
        "error": "the parrot says: internal error; the worker's log has the details"
    }
    assert "GET /api/crash" in caplog.text
    assert "/home/secret/path is broken" in caplog.text, "in the log, and nowhere else"
    assert client.get("/api/print").status_code == 200, "the connection goes on"


def test_a_405_tells_every_method_of_the_path(client: httpx.Client) -> None:
    answered = client.delete("/api/words/a")

    assert answered.status_code == 405
    assert set(answered.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert answered.json() == {"error": "this route does not take this method"}


def test_head_is_get_without_a_body(client: httpx.Client) -> None:
    answered = client.head("/api/words/a")

    assert (answered.status_code, answered.content) == (200, b"")


NOT_JSON = "the parrot says: the body is not JSON in UTF-8"
NO_OBJECT = "the parrot says: the body must be a JSON object"
ENCODED = "the parrot says: the body must be JSON in UTF-8"
BODIES: list[tuple[bytes, dict[str, str], int, str | None, str]] = [
    (b"", {}, 200, None, "no body is an empty one"),
    (b"  \n", {}, 200, None, "and so is white space"),
    (b"{}", {}, 200, None, "an empty object"),
    (b'{"a":1}', {"Content-Type": "text/plain"}, 201, None, "curl does not say what it sends"),
    (b'{"a":1}', {"Content-Type": "application/json; charset=UTF-8"}, 201, None, "as browsers do"),
    (b'{"a":', {}, 400, NOT_JSON, "cut off"),
    (b"{'a': 1}", {}, 400, NOT_JSON, "not JSON's quotes"),
    (b'{"a":NaN}', {}, 400, NOT_JSON, "no number of JSON"),
    (b"a=1&b=2", {}, 400, NOT_JSON, "a form"),
    (b'{"a":"\xff"}', {}, 400, NOT_JSON, "not UTF-8"),
    (b'{"a":"\\uD83D"}', {}, 201, None, "half of a surrogate pair, which becomes a ?"),
    (b'{"a":"\\ud83d\\ude00"}', {}, 201, None, "a whole one"),
    (b"\xef\xbb\xbf{}", {}, 200, None, "Windows says that it is UTF-8"),
    (b'{"a":1' + b"0" * 5000 + b"}", {}, 400, NOT_JSON, "a number of 5,000 digits"),
    ('{"a":1}'.encode("utf-16"), {}, 400, NOT_JSON, "UTF-16 that does not say so"),
    (b"[" * 100_000, {}, 400, NOT_JSON, "nested without end"),
    (b"[1]", {}, 400, NO_OBJECT, "a list"),
    (b'"a"', {}, 400, NO_OBJECT, "a string"),
    (b"null", {}, 400, NO_OBJECT, "nothing"),
    (
        '{"a":1}'.encode("utf-16"),
        {"Content-Type": "application/json; charset=utf-16"},
        400,
        ENCODED,
        "UTF-16 that does",
    ),
    (
        gzip.compress(b'{"a":1}'),
        {"Content-Encoding": "gzip"},
        400,
        "the parrot says: the body must not be compressed",
        "a small body can be a large one inside",
    ),
]


@pytest.mark.parametrize(
    ("body", "headers", "status", "error", "because"), BODIES, ids=[row[-1] for row in BODIES]
)
def test_a_handler_gets_an_object_or_is_not_asked(
    client: httpx.Client,
    body: bytes,
    headers: dict[str, str],
    status: int,
    error: str | None,
    because: str,
) -> None:
    answered = client.post("/api/words/a", content=body, headers=headers)

    assert (answered.status_code, answered.json().get("error")) == (status, error)


def test_half_of_a_surrogate_pair_is_no_reason_to_lose_the_rest(client: httpx.Client) -> None:
    answered = client.post("/api/words/a", content=b'{"a":"\\ud83dx","b":"\\ud83d\\ude00"}')

    assert answered.json()["body"] == {"a": "?x", "b": "😀"}


def test_a_body_above_the_limit_is_refused_as_json(client: httpx.Client) -> None:
    answered = client.post("/api/words/a", content=b'{"a":"' + b"x" * 3_000_000 + b'"}')

    assert answered.status_code == 413
    assert answered.json() == {"error": "the request body is too large"}


def test_two_dialects_cannot_answer_the_same(client: httpx.Client) -> None:
    route: Route = PARROT.routes[0]

    with pytest.raises(ValueError, match="two dialects answer GET /api/words"):
        dialect_routes([route, replace(route, summary="Another.")], serve=lambda *_: None)  # type: ignore[arg-type]


def test_bytes_and_headers_go_out_as_they_are(client: httpx.Client) -> None:
    answered = client.get("/api/feather")

    assert (answered.headers["content-type"], answered.content) == ("image/png", b"\x89PNG")
    assert answered.headers["x-parrot"] == "green"
    assert answered.headers["x-content-type-options"] == "nosniff"


KEYS: list[tuple[list[str], bool, str]] = [
    (["Bearer n0t the token"], True, "the key"),
    (["bEARER   n0t the token"], True, "schemes have no case, blanks no meaning"),
    ([], False, "none given"),
    (["n0t the token"], False, "a raw key"),
    (["Bearer"], False, "a scheme alone"),
    (["Bearer n0t the toke"], False, "a part of it"),
    (["Bearer n0t the token0"], False, "more than it"),
    (["Basic n0t the token"], False, "another scheme"),
    (["Bearer n0t the tok\u00e9n"], False, "not ASCII"),
    (["Bearer n0t the token", "Bearer n0t the token"], False, "given twice"),
]


@pytest.mark.parametrize(("given", "is_let_in", "because"), KEYS, ids=[row[-1] for row in KEYS])
def test_a_gate_is_asked_before_the_body_is_read(
    client: httpx.Client, given: list[str], is_let_in: bool, because: str
) -> None:
    headers = [(b"Authorization", each.encode("latin-1")) for each in given]
    answered = client.post("/api/cage/a", content=b"{not JSON", headers=headers)

    assert answered.status_code == 400
    assert answered.headers.get("x-left") == ("7" if is_let_in else None)
    assert answered.json()["error"] == (
        NOT_JSON if is_let_in else "the parrot says: key does not fit"
    )


def test_whoever_is_let_in_is_answered_with_the_headers_of_the_gate(client: httpx.Client) -> None:
    key = {"Authorization": "Bearer n0t the token"}
    answered = client.post("/api/cage/a", json={"a": 1}, headers=key)

    assert (answered.status_code, answered.headers["x-left"]) == (201, "7")
    assert answered.json()["body"] == {"a": 1}


def test_a_large_body_without_the_key_is_refused_and_the_next_request_answered(
    client: httpx.Client,
) -> None:
    body = b'{"a":"' + b"x" * 8_000_000 + b'"}'
    assert client.post("/api/cage/a", content=body).json()["error"].endswith("key does not fit")
    assert client.get("/api/print").status_code == 200


def test_a_gate_that_nobody_asks_is_no_gate() -> None:
    gated = [route for route in PARROT.routes if route.gate is not None]

    with pytest.raises(ValueError, match="nobody asks the gate of POST /api/cage"):
        dialect_routes(gated, serve=lambda *_: None)  # type: ignore[arg-type]
