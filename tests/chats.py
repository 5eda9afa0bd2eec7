"""What an endpoint answers that speaks the chat protocol of OpenAI, well and badly.

The server itself is `endpoints.serving`, which asks one of these for each request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from endpoints import Answer, ok

Chat = Callable[[dict[str, Any]], Answer | None]

OBSERVATION: dict[str, Any] = {
    "type": "bugfix",
    "title": "The clock of tokens allows a minute of skew",
    "subtitle": None,
    "facts": ["LEEWAY is 60 seconds"],
    "narrative": "Tokens of a server whose clock ran ahead were refused; now a minute is allowed.",
    "concepts": ["problem-solution", "Python"],
    "files_read": [],
    "files_modified": ["src/tökens.py"],
}
SUMMARY: dict[str, Any] = {
    "request": "Fix the login",
    "investigated": "the clock of the server",
    "learned": "It ran a minute ahead.",
    "completed": "A leeway of a minute.",
    "next_steps": "Release it.",
    "notes": None,
}


def said(content: object, *, tokens: int | None = 100) -> Chat:
    """A completion with this content; what is not a text is written as JSON."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    body: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        ],
    }
    if tokens is not None:
        body["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": tokens}
    return lambda _: ok(body)


def well(asked: dict[str, Any]) -> Answer:
    """What was asked for: an observation, or a summary."""
    record = json.loads(asked["messages"][1]["content"])
    answer = said(SUMMARY if record.get("message_type") == "summarize" else OBSERVATION)(asked)
    assert answer is not None
    return answer


def status(code: int, body: bytes = b'{"error": {"message": "busy"}}', **headers: str) -> Chat:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda _: (code, body, named)


def truncated(_: dict[str, Any]) -> Answer:
    return 200, b'{"choices": [', {"Content-Length": "5000", "Connection": "close"}


def hung_up(_: dict[str, Any]) -> None:
    """Nothing at all, and the connection is closed."""
