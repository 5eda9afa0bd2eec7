"""The provider, asked over a real socket: what passes is asked again, and no key is ever told."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

import chats
from endpoints import Server, serving
from recollect.llm.openai_compatible import OpenAICompatible
from recollect.llm.port import Said
from recollect.model.errors import ProviderFailed

KEY = "sk-very-secret-0123456789"
ASKED = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as known:
        yield known


def provider(
    server: Server, pauses: list[float] | None = None, *, timeout: float = 2
) -> OpenAICompatible:
    slept = [] if pauses is None else pauses
    return OpenAICompatible(
        model="small",
        base_url=f"http://127.0.0.1:{server.port}/v1",
        api_key=KEY,
        timeout=timeout,
        sleep=slept.append,
    )


def test_it_is_asked_as_the_protocol_has_it(server: Server) -> None:
    server.script = [chats.said("{}", tokens=7)]
    assert provider(server).ask(ASKED) == Said("{}", 7)
    assert server.paths == ["/v1/chat/completions"]
    headers = {name.lower(): text for name, text in server.headers[0].items()}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert server.asked == [
        {
            "model": "small",
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": ASKED,
        }
    ]


def test_an_answer_without_a_text_or_a_price_is_one_all_the_same(server: Server) -> None:
    server.script = [chats.said(None, tokens=None)]
    assert provider(server).ask(ASKED) == Said(None, None)


PASSING: list[tuple[list[chats.Chat], list[float]]] = [
    # answers before the good one                            pauses
    ([chats.status(429)], [0.3]),
    ([chats.status(500), chats.status(503)], [0.3, 0.6]),
    ([chats.status(429, Retry_After="3")], [3.0]),
    ([chats.status(429, Retry_After="86400")], [10.0]),
    ([chats.status(503, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")], [0.3]),
    ([chats.hung_up], [0.3]),
    ([chats.truncated], [0.3]),
]


@pytest.mark.parametrize(("answers", "pauses"), PASSING)
def test_what_passes_is_asked_again(
    server: Server, answers: list[chats.Chat], pauses: list[float]
) -> None:
    server.script = [*answers, chats.said("{}")]
    slept: list[float] = []
    assert provider(server, slept).ask(ASKED).text == "{}"
    assert slept == pauses


FAILURES: list[tuple[chats.Chat, int, str]] = [
    # answer                                                 asked  class
    (chats.status(429), 3, "rate_limit"),
    (chats.status(500), 3, "network"),
    (chats.hung_up, 3, "network"),
    (chats.truncated, 3, "network"),
    (chats.status(401), 1, "auth"),
    (chats.status(403), 1, "auth"),
    (chats.status(400), 1, "processing"),
    (chats.status(404, b"<html>"), 1, "processing"),
    (lambda _: (200, b"<html>", {}), 1, "json_parse"),
    (lambda _: (200, b'{"choices": []}', {}), 1, "json_parse"),
    (lambda _: (200, b'{"choices": [{"message": 3}]}', {}), 1, "json_parse"),
]


@pytest.mark.parametrize(("answer", "asked", "class_"), FAILURES)
def test_there_is_an_end_to_asking(
    server: Server, answer: chats.Chat, asked: int, class_: str
) -> None:
    server.script = [answer]
    with pytest.raises(ProviderFailed) as failure:
        provider(server).ask(ASKED)
    assert (len(server.asked), failure.value.context["error_class"]) == (asked, class_)


def test_a_slow_answer_is_not_waited_for(server: Server) -> None:
    server.script = [lambda _: (server.released.wait(20), None)[1]]
    with pytest.raises(ProviderFailed, match="timeout") as failure:
        provider(server, timeout=0.1).ask(ASKED)
    assert failure.value.context["error_class"] == "timeout"


def test_an_answer_that_comes_a_byte_at_a_time_is_not_waited_for(server: Server) -> None:
    server.trickle = 0.02
    server.script = [lambda _: (200, b" " * 1_000, {})]
    with pytest.raises(ProviderFailed, match="timeout"):
        provider(server, timeout=0.2).ask(ASKED)


def test_an_answer_without_an_end_is_not_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.llm.openai_compatible.LARGEST", 1_000)
    server.script = [lambda _: (200, b" " * 100_000, {})]
    with pytest.raises(ProviderFailed, match="longer than 1000 bytes"):
        provider(server).ask(ASKED)


def test_the_key_is_in_no_error_and_in_no_log(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    told = f'{{"error": {{"message": "Incorrect API key provided: {KEY}."}}}}'
    server.script = [chats.status(401, told.encode())]
    with caplog.at_level(logging.DEBUG), pytest.raises(ProviderFailed) as failure:
        provider(server).ask(ASKED)
    assert "Incorrect API key provided: ********." in failure.value.message
    assert KEY not in repr(failure.value)
    assert failure.value.__cause__ is None
    assert KEY not in caplog.text


def test_without_the_package_it_is_said_which_one_is_missing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(ProviderFailed, match=r'pip install "recollect\[llm\]"'):
        provider(server)
