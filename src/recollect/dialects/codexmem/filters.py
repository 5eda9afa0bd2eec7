"""What the operations routes are asked for: query parameters as filters, and as they are echoed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from recollect.dialect.spec import Json
from recollect.dialect.validate import LARGEST
from recollect.dialects.codexmem import sheets
from recollect.dialects.codexmem.moments import moment
from recollect.model.errors import InvalidArgument
from recollect.model.job import Task
from recollect.store.port.jobs import Timing
from recollect.store.port.operations import TraceFilter

Query = Mapping[str, Sequence[str]]

MODES = {"lexical-only": "lexical-only", "hybrid": "hybrid"}
TASKS = {task.value: task for task in Task}
BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
FORMATS = {form: form for form in sheets.MEDIA_TYPES}

T = TypeVar("T")


def chosen(name: str, text: str | None, choices: Mapping[str, T]) -> T | None:
    """What a parameter's text stands for, whatever its case; None where there is no text."""
    if text is None:
        return None
    if text.lower() not in choices:
        raise InvalidArgument(name, f"must be one of {', '.join(choices)}")
    return choices[text.lower()]


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of one request, read by name; an empty one is as good as none."""

    query: Query

    def text(self, name: str) -> str | None:
        return (self.query.get(name) or [""])[-1].strip() or None

    def integer(self, name: str) -> int | None:
        """One too large for any store is held to what JSON can say."""
        text = self.text(name)
        if text is None:
            return None
        digits = text.removeprefix("-")
        if not digits.isascii() or not digits.isdigit():
            raise InvalidArgument(name, "must be an integer")
        value = LARGEST if len(digits) > len(str(LARGEST)) else min(int(digits), LARGEST)
        return -value if text.startswith("-") else value

    def within(self, name: str, default: int, lowest: int, highest: int) -> int:
        value = self.integer(name)
        return default if value is None else max(lowest, min(value, highest))

    def choice(self, name: str, choices: Mapping[str, T]) -> T | None:
        return chosen(name, self.text(name), choices)

    def moment(self, name: str, *, is_end: bool = False) -> int | None:
        text = self.text(name)
        return None if text is None else moment(name, text, is_end=is_end)


def traces(asked: Asked) -> TraceFilter:
    return TraceFilter(
        text=asked.text("query"),
        project=asked.text("project"),
        mode=asked.choice("mode", MODES),
        since=asked.moment("from"),
        until=asked.moment("to", is_end=True),
    )


def timings(asked: Asked) -> Timing:
    return replace(_jobs(asked), is_success=asked.choice("success", BOOLEANS))


def failures(asked: Asked) -> Timing:
    return replace(_jobs(asked), error_class=asked.text("errorClass"))


def _jobs(asked: Asked) -> Timing:
    return Timing(
        session_number=asked.integer("sessionDbId"),
        task=asked.choice("messageType", TASKS),
        since=asked.moment("from"),
        until=asked.moment("to", is_end=True),
    )


def echo_of_traces(wanted: TraceFilter) -> dict[str, Json]:
    return {
        "query": wanted.text or "",
        "project": wanted.project or "",
        "mode": wanted.mode or "",
        **_between(wanted.since, wanted.until),
    }


def echo_of_timings(wanted: Timing) -> dict[str, Json]:
    success: dict[str, Json] = {} if wanted.is_success is None else {"success": wanted.is_success}
    return {**_echo_of_jobs(wanted), **success, **_between(wanted.since, wanted.until)}


def echo_of_failures(wanted: Timing) -> dict[str, Json]:
    return {
        **_echo_of_jobs(wanted),
        "errorClass": wanted.error_class or "",
        **_between(wanted.since, wanted.until),
    }


def _echo_of_jobs(wanted: Timing) -> dict[str, Json]:
    return {
        "sessionDbId": wanted.session_number,
        "messageType": "" if wanted.task is None else wanted.task.value,
    }


def _between(since: int | None, until: int | None) -> dict[str, Json]:
    """Only those that were given."""
    given: dict[str, Json] = {}
    if since is not None:
        given["fromEpoch"] = since
    if until is not None:
        given["toEpoch"] = until
    return given
