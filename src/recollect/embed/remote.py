"""Vectors from an OpenAI-compatible endpoint, over the standard library's HTTP client.

Only for those who ask for it: texts leave the machine. What comes back is believed only when it
is complete and of one size; the key appears in no message.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from typing import Any

import numpy as np

from recollect.embed.endpoint import Endpoint, place
from recollect.embed.weights import Floats
from recollect.model.errors import EmbedderUnavailable

BATCH = 64
TIMEOUT = 30.0
"""Seconds for each answer."""
QUESTION_TIMEOUT = 5.0
"""The same for one text alone, which is asked for once: somebody waits for what it finds."""
REST = 10.0
"""Seconds for which an endpoint that gave nothing is not asked again."""
PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt; a server that asks for more is given up to `LONGEST`."""
LONGEST = 10.0
PASSING = frozenset({408, 429, 500, 502, 503, 504})
LARGEST = 64 * 1024 * 1024
"""Bytes of an answer: more than 64 vectors of any model."""
PART = 1 << 16


class Remote:
    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint, self._timeout, self._sleep, self._now = endpoint, timeout, sleep, now
        self._resting_until = 0.0
        self._why = ""
        self._place = place(endpoint)
        self._dimension = endpoint.dimensions
        self._learning = threading.Lock()

    @property
    def name(self) -> str:
        ending = f"-{self._endpoint.dimensions}" if self._endpoint.dimensions else ""
        return f"{self._endpoint.model}/remote{ending}"

    @property
    def dimension(self) -> int:
        """Asked for when nobody has said it: it is as wide as its first vector."""
        if not self._dimension:
            self.embed(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Floats:
        parts = [
            self._vectors(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)
        ]
        if not parts:
            return np.empty((0, self.dimension), np.float32)
        return np.concatenate(parts)

    def _vectors(self, texts: Sequence[str]) -> Floats:
        # Several servers refuse an empty text.
        asked: dict[str, object] = {
            "model": self._endpoint.model,
            "input": [text or " " for text in texts],
            "encoding_format": "float",
        }
        if self._endpoint.dimensions:
            asked["dimensions"] = self._endpoint.dimensions
        answer = self._answer(json.dumps(asked).encode(), is_hurried=len(texts) == 1)
        vectors = _checked(answer, len(texts))
        with self._learning:
            self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbedderUnavailable(
                f"the endpoint sent {vectors.shape[1]} numbers a text, not {self._dimension}"
            )
        return vectors

    def _answer(self, body: bytes, *, is_hurried: bool) -> bytes:
        if self._now() < self._resting_until:
            raise EmbedderUnavailable(self._why)
        timeout = min(self._timeout, QUESTION_TIMEOUT) if is_hurried else self._timeout
        problem = ""
        for pause in (None,) if is_hurried else (*PAUSES, None):
            wait = pause or 0.0
            try:
                status, answer, asked_to_wait = self._ask(body, timeout)
            except (OSError, HTTPException) as error:
                problem = f"no answer ({type(error).__name__}: {error})"
            else:
                if status == 200:
                    return answer
                problem = f"status {status}: {answer[:200].decode(errors='replace')}"
                if status not in PASSING:
                    break
                wait = max(wait, min(asked_to_wait, LONGEST))
            if pause is not None:
                self._sleep(wait)
        self._why = self._without_key(f"the endpoint gives no vectors: {problem}")
        self._resting_until = self._now() + REST
        raise EmbedderUnavailable(self._why)

    def _ask(self, body: bytes, timeout: float) -> tuple[int, bytes, float]:
        scheme, host, port, path = self._place
        kind = HTTPSConnection if scheme == "https" else HTTPConnection
        connection = kind(host, port, timeout=timeout)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        end = time.monotonic() + timeout
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            answer = bytearray()
            while part := response.read1(PART):
                answer += part
                if len(answer) > LARGEST:
                    raise HTTPException(f"more than {LARGEST} bytes")
                if time.monotonic() > end:  # a server may send a byte now and then for ever
                    raise TimeoutError(f"not complete after {timeout:g} s")
            if response.length:  # `read1` does not say so
                raise IncompleteRead(bytes(answer), response.length)
            return response.status, bytes(answer), _seconds(response.getheader("Retry-After"))
        finally:
            connection.close()

    def _without_key(self, message: str) -> str:
        key = self._endpoint.api_key
        return message.replace(key, "********") if key else message


def _checked(answer: bytes, count: int) -> Floats:
    """The vectors in the order of the texts, of length 1."""
    try:
        entries = json.loads(answer)["data"]
        places = [entry["index"] for entry in entries]
        rows = [_row(entry["embedding"]) for entry in entries]
    except (ValueError, LookupError, TypeError):
        raise EmbedderUnavailable("the endpoint's answer is not a list of vectors") from None
    if sorted(map(repr, places)) != sorted(map(repr, range(count))):
        raise EmbedderUnavailable(f"the endpoint's answer is not one vector for each of {count}")
    if len({len(row) for row in rows}) != 1:
        raise EmbedderUnavailable("the endpoint's vectors are not of one size")
    vectors = np.array([row for _, row in sorted(zip(places, rows, strict=True))], np.float64)
    with np.errstate(over="ignore"):  # what overflows is not finite, which is told below
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise EmbedderUnavailable("the endpoint's vectors hold no number, or nothing but zeros")
    return np.asarray(vectors / lengths, np.float32)


def _row(embedding: Any) -> list[float]:
    if not isinstance(embedding, list) or not embedding:
        raise TypeError
    if not all(isinstance(number, int | float) for number in embedding):
        raise TypeError
    return embedding


def _seconds(text: str | None) -> float:
    """What `Retry-After` says; it may also be a date, which is not worth the reading."""
    return float(text) if text is not None and text.isdecimal() else 0.0
