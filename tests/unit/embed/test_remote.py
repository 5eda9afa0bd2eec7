"""The remote embedder against a real server on this machine, which misbehaves in every way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endpoints import Answer, Server, entries, ok, serving, vector, well
from recollect.embed.endpoint import Endpoint
from recollect.embed.remote import BATCH, REST, Remote
from recollect.model.errors import EmbedderUnavailable

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as known:
        yield known


def remote(server: Server, pauses: list[float] | None = None, **values: Any) -> Remote:
    slept = [] if pauses is None else pauses
    return Remote(server.endpoint(**values), timeout=2, sleep=slept.append)


def test_vectors_come_back_in_the_order_of_the_texts(server: Server) -> None:
    texts = ["a", "bbb", "", "cc"]
    rows = remote(server, api_key=KEY).embed(texts)
    expected = np.array([vector(text or " ") for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert rows.dtype == np.float32
    assert rows == pytest.approx(expected, abs=1e-6)
    assert server.paths == ["/v1/embeddings"]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.asked[0] == {"model": "small", "input": ["a", "bbb", " ", "cc"]} | {
        "encoding_format": "float"
    }


def test_without_a_key_none_is_sent(server: Server) -> None:
    remote(server).embed(["a"])
    assert "Authorization" not in server.headers[0]


def test_many_texts_are_asked_for_in_batches(server: Server) -> None:
    rows = remote(server).embed(["x" * n for n in range(1, BATCH * 2 + 6)])
    assert [len(asked["input"]) for asked in server.asked] == [BATCH, BATCH, 5]
    assert rows.shape == (BATCH * 2 + 5, 4)


def test_the_dimension_is_asked_for_or_learned(server: Server) -> None:
    learned = remote(server)
    assert (learned.dimension, learned.name) == (4, "small/remote")
    assert learned.embed([]).shape == (0, 4)
    fixed = remote(server, dimensions=7)
    assert (fixed.dimension, fixed.name) == (7, "small/remote-7")
    assert fixed.embed(["a"]).shape == (1, 7)
    assert server.asked[-1]["dimensions"] == 7


def status(code: int, body: bytes = b"busy", **headers: str) -> Callable[[object], Answer]:
    return lambda _: (code, body, {name.replace("_", "-"): text for name, text in headers.items()})


PASSING: list[tuple[list[Callable[..., Answer | None]], list[float]]] = [
    # answers before the good one                      pauses
    ([status(429)], [0.5]),
    ([status(500), status(503)], [0.5, 1.0]),
    ([status(502), status(504), status(408)], [0.5, 1.0, 2.0]),
    ([status(429, Retry_After="3")], [3.0]),
    ([status(429, Retry_After="86400")], [10.0]),
    ([status(503, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")], [0.5]),
    ([lambda _: None], [0.5]),
]


@pytest.mark.parametrize(("answers", "pauses"), PASSING)
def test_what_passes_is_asked_again(
    server: Server, answers: list[Callable[..., Answer | None]], pauses: list[float]
) -> None:
    server.script = [*answers, well]
    slept: list[float] = []
    assert remote(server, slept).embed(["a", "b"]).shape == (2, 4)
    assert slept == pauses


def test_there_is_an_end_to_asking(server: Server) -> None:
    server.script = [status(503)]
    slept: list[float] = []
    with pytest.raises(EmbedderUnavailable, match="status 503: busy"):
        remote(server, slept).embed(["a", "b"])
    assert (len(server.asked), slept) == (4, [0.5, 1.0, 2.0])


def test_a_question_is_asked_once_because_somebody_waits(server: Server) -> None:
    server.script = [status(503)]
    slept: list[float] = []
    with pytest.raises(EmbedderUnavailable, match="status 503: busy"):
        remote(server, slept).embed(["a question"])
    assert (len(server.asked), slept) == (1, [])


def test_an_endpoint_that_gave_nothing_has_a_rest(server: Server) -> None:
    server.script = [status(503)]
    clock = [100.0]
    asked = Remote(server.endpoint(), sleep=lambda _: None, now=lambda: clock[0])
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="status 503: busy"):
            asked.embed(["a"])
    assert len(server.asked) == 1

    server.script = [well]
    clock[0] += REST
    assert asked.embed(["a"]).shape == (1, 4)
    assert asked.embed(["b"]).shape == (1, 4), "and then it is asked as ever"


def test_an_endpoint_that_sends_a_byte_now_and_then_is_not_waited_for(server: Server) -> None:
    server.trickle = 0.02
    server.script = [lambda _: (200, b" " * 1_000, {})]
    asked = Remote(server.endpoint(), timeout=0.3, sleep=lambda _: None)
    with pytest.raises(EmbedderUnavailable, match=r"not complete after 0\.3 s"):
        asked.embed(["a"])


def test_an_answer_without_an_end_is_not_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.embed.remote.LARGEST", 1_000)
    server.script = [lambda _: (200, b" " * 100_000, {})]
    with pytest.raises(EmbedderUnavailable, match="more than 1000 bytes"):
        remote(server).embed(["a"])


def test_nobody_there_is_told() -> None:
    nobody = Remote(Endpoint("http://127.0.0.1:9", "m"), timeout=1, sleep=lambda _: None)
    with pytest.raises(EmbedderUnavailable, match="no answer"):
        nobody.embed(["a"])


def test_an_endpoint_that_is_too_slow_is_not_waited_for(server: Server) -> None:
    def slow(_: object) -> None:
        server.released.wait(20)

    server.script = [slow]
    asked = Remote(server.endpoint(), timeout=0.05, sleep=lambda _: None)
    with pytest.raises(EmbedderUnavailable, match="no answer"):
        asked.embed(["a"])


@pytest.mark.parametrize("code", [301, 400, 401, 403, 404, 413, 422])
def test_a_refusal_is_told_at_once_and_without_the_key(server: Server, code: int) -> None:
    server.script = [status(code, f"Incorrect API key provided: {KEY}.".encode())]
    with pytest.raises(EmbedderUnavailable) as refusal:
        remote(server, api_key=KEY).embed(["a"])
    assert len(server.asked) == 1
    assert f"status {code}: Incorrect API key provided: ********." in refusal.value.message
    assert KEY not in repr(refusal.value)
    assert refusal.value.__cause__ is None


def with_first(embedding: object) -> object:
    return {"data": [{"index": 0, "embedding": embedding}, *entries(["a", "b"])[1:]]}


UNBELIEVABLE = [
    # answer                                                       because
    (b"", "is not a list"),
    (b"<html>", "is not a list"),
    (b'{"data": 3}', "is not a list"),
    ({"error": "no"}, "is not a list"),
    ({"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]}, "is not a list"),
    ({"data": []}, "is not one vector for each of 2"),
    ({"data": entries(["a"])}, "is not one vector for each of 2"),
    ({"data": entries(["a", "b", "c"])}, "is not one vector for each of 2"),
    ({"data": entries(["a", "b"])[:1] * 2}, "is not one vector for each of 2"),
    ({"data": [{**entry, "index": 7} for entry in entries(["a", "b"])]}, "is not one vector"),
    ({"data": [{**entry, "index": "x"} for entry in entries(["a", "b"])]}, "is not one vector"),
    (with_first([1.0, 2.0]), "are not of one size"),
    (with_first([]), "is not a list"),
    (with_first("AACAPwAA"), "is not a list"),
    (with_first([1.0, None, 1.0, 1.0]), "is not a list"),
    (with_first([1.0, "1", 1.0, 1.0]), "is not a list"),
    (with_first([float("nan"), 1.0, 1.0, 1.0]), "hold no number"),
    (with_first([float("inf"), 1.0, 1.0, 1.0]), "hold no number"),
    (with_first([0.0, 0.0, 0.0, 0.0]), "nothing but zeros"),
    (with_first([1e308, 1e308, 1e308, 1e308]), "hold no number"),
]


@pytest.mark.parametrize(("answer", "words"), UNBELIEVABLE)
def test_an_answer_that_cannot_be_right_is_refused(
    server: Server, answer: object, words: str
) -> None:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    server.script = [lambda _: (200, body, {})]
    with pytest.raises(EmbedderUnavailable, match=words):
        remote(server).embed(["a", "b"])


def test_an_answer_cut_short_is_asked_for_again(server: Server) -> None:
    server.script = [lambda _: (200, b"{", {"Content-Length": "100", "Connection": "close"}), well]
    assert remote(server).embed(["a", "b"]).shape == (2, 4)


def test_another_size_than_before_is_refused(server: Server) -> None:
    asked = remote(server)
    asked.embed(["a"])
    server.script = [lambda asked: ok({"data": entries(asked["input"], 5)})]
    with pytest.raises(EmbedderUnavailable, match="sent 5 numbers a text, not 4"):
        asked.embed(["a"])
    with pytest.raises(EmbedderUnavailable, match="sent 5 numbers a text, not 8"):
        remote(server, dimensions=8).embed(["a"])


WRONG = [
    # endpoint                                           says
    (Endpoint("http://x", ""), "embedding.model is not set"),
    (Endpoint("", "m"), "embedding.base_url is not an http"),
    (Endpoint("x/y", "m"), "embedding.base_url is not an http"),
    (Endpoint("http://", "m"), "embedding.base_url is not an http"),
    (Endpoint("http://x:port", "m"), "embedding.base_url is not a URL"),
    (Endpoint("http://me:secret@x", "m"), "may hold a host, a port and a path only"),
    (Endpoint("http://x/?key=secret", "m"), "may hold a host, a port and a path only"),
    (Endpoint("http://x", "m", "secret\n"), "embedding.api_key holds what cannot be in a key"),
    (Endpoint("http://x", "m", "secret 2"), "embedding.api_key holds what cannot be in a key"),
]


@pytest.mark.parametrize(("endpoint", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_cannot_be_asked_is_told_beforehand(endpoint: Endpoint, words: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=words) as refusal:
        Remote(endpoint)
    assert "secret" not in refusal.value.message


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(Endpoint("http://x", "m", KEY))
