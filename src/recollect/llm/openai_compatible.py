"""A language model behind an OpenAI-compatible API, over the `openai` package.

Only for those who have given a key: what the events say leaves the machine. Imported by the
worker's enrichment and by nothing else. The key appears in no message and in no log.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recollect.llm.port import Said
from recollect.llm.prompts import Message
from recollect.model.errors import ProviderFailed

TIMEOUT = 15.0
"""Seconds for each answer, from the first byte asked to the last one read."""
PAUSES = (0.3, 0.6)
"""Seconds before the second try and the third; a server that asks for more gets up to `LONGEST`."""
LONGEST = 10.0
LARGEST = 1 << 20
"""Bytes of an answer."""
MOST_TOLD = 200
_LOGGERS = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")


class OpenAICompatible:
    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """`ProviderFailed` when the package is not installed, or the address is none."""
        try:
            import openai  # 320 ms, paid by those who have a key
        except ImportError as problem:
            raise ProviderFailed(
                'the package openai is not installed: pip install "recollect[llm]"',
                error_class="processing",
            ) from problem
        for name in _LOGGERS:  # at `debug` they would write down what is sent
            logging.getLogger(name).setLevel(logging.WARNING)
        self.name = model
        self._key, self._timeout, self._sleep = api_key, timeout, sleep
        self._openai = openai
        try:
            self._client = openai.OpenAI(
                api_key=api_key, base_url=base_url, timeout=timeout, max_retries=0
            )
        except (openai.OpenAIError, ValueError) as problem:
            raise self._failed("processing", f"the provider cannot be asked: {problem}") from None

    def ask(self, messages: Sequence[Message]) -> Said:
        for pause in (*PAUSES, None):
            try:
                return _said(self._once(messages))
            except _Passing as problem:
                if pause is None:
                    raise problem.failure from None
                self._sleep(max(pause, min(problem.wait, LONGEST)))
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        self._client.close()

    def _once(self, messages: Sequence[Message]) -> bytes:
        openai = self._openai
        try:
            return self._answer(messages)
        except ProviderFailed:
            raise
        except openai.APIStatusError as refusal:
            raise self._refused(refusal) from None
        except (openai.APITimeoutError, TimeoutError):
            raise _Passing(self._failed("timeout", "no answer in time: timeout")) from None
        except Exception as problem:  # noqa: BLE001 - while a body is read, the HTTP client's own
            name = type(problem).__name__
            if "Timeout" in name:
                raise _Passing(self._failed("timeout", "no answer in time: timeout")) from None
            raise _Passing(self._failed("network", f"no answer: network ({name})")) from None

    def _answer(self, messages: Sequence[Message]) -> bytes:
        end = time.monotonic() + self._timeout
        given: Any = list(messages)
        with self._client.chat.completions.with_streaming_response.create(
            model=self.name,
            messages=given,
            temperature=0,
            response_format={"type": "json_object"},
        ) as response:
            answer = bytearray()
            for part in response.iter_bytes():
                answer += part
                if len(answer) > LARGEST:
                    raise self._failed("processing", f"the answer is longer than {LARGEST} bytes")
                if time.monotonic() > end:  # a server may send a byte now and then for ever
                    raise TimeoutError
            return bytes(answer)

    def _refused(self, refusal: Any) -> Exception:
        status = int(refusal.status_code)
        told = " ".join(str(refusal).split())[:MOST_TOLD]
        if status == 429:
            wait = _seconds(refusal.response.headers.get("Retry-After"))
            return _Passing(self._failed("rate_limit", f"status 429: {told}"), wait)
        if status >= 500:
            wait = _seconds(refusal.response.headers.get("Retry-After"))
            return _Passing(self._failed("network", f"status {status}: {told}"), wait)
        return self._failed(
            "auth" if status in {401, 403} else "processing", f"status {status}: {told}"
        )

    def _failed(self, error_class: str, text: str) -> ProviderFailed:
        shown = text.replace(self._key, "********") if self._key else text
        return ProviderFailed(shown, error_class=error_class)


class _Passing(Exception):
    """It may go better another time."""

    def __init__(self, failure: ProviderFailed, wait: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.wait = wait


def _said(body: bytes) -> Said:
    try:
        answer = json.loads(body)
        content = answer["choices"][0]["message"].get("content")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ProviderFailed(
            "the provider's answer is not what a chat completion is: json_parse",
            error_class="json_parse",
        ) from None
    usage = answer.get("usage")
    return Said(content if isinstance(content, str) else None, _total(usage))


def _total(usage: object) -> int | None:
    total = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    return total if isinstance(total, int) and not isinstance(total, bool) and total >= 0 else None


def _seconds(text: str | None) -> float:
    """What `Retry-After` says; it may also be a date, which is not worth the reading."""
    return float(text) if text is not None and text.isascii() and text.isdecimal() else 0.0
