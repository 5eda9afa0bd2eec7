"""A model's answer → a portrait or a recap, or what is wrong with it.

What is missing or of a wrong type is refused; what is too long or too much is cut, and keys that
nobody asked for are dropped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from recollect.llm import bounds
from recollect.llm.prompts import TYPES
from recollect.model.portrait import Portrait, Recap

MOST_READ = 200_000
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(?P<inner>.*?)```", re.DOTALL | re.IGNORECASE)


class NotJson(ValueError):
    """No JSON object can be found in it."""


class WrongSchema(ValueError):
    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def document(answer: str) -> Mapping[str, object]:
    """The object in an answer: the whole text, else a fenced block, else from { to }."""
    for piece in _pieces(answer[:MOST_READ]):
        try:
            found = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise NotJson("the answer is not a JSON object")


def _pieces(answer: str) -> Iterator[str]:
    yield answer
    if fenced := _FENCED.search(answer):
        yield fenced["inner"]
    first, last = answer.find("{"), answer.rfind("}")
    if 0 <= first < last:
        yield answer[first : last + 1]


def portrait(given: Mapping[str, object]) -> Portrait:
    checked = _Checked(given)
    drawn = Portrait(
        type=checked.text("type", among=TYPES),
        title=checked.text("title"),
        subtitle=checked.text_or_null("subtitle"),
        facts=checked.list("facts"),
        narrative=checked.text("narrative"),
        concepts=checked.list("concepts"),
        files_read=checked.list("files_read"),
        files_modified=checked.list("files_modified"),
    )
    checked.end()
    return bounds.portrait(drawn)


def recap(given: Mapping[str, object]) -> Recap:
    """Without files, of which a model is not asked."""
    checked = _Checked(given)
    told = Recap(
        request=checked.text("request"),
        investigated=checked.text("investigated"),
        learned=checked.text("learned"),
        completed=checked.text("completed"),
        next_steps=checked.text("next_steps"),
        notes=checked.text_or_null("notes"),
        files_read=(),
        files_edited=(),
    )
    checked.end()
    return bounds.recap(told)


class _Checked:
    """Reads fields and gathers what is wrong, so that a repair can mend all of it at once."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given
        self._problems: list[str] = []

    def text(self, name: str, *, among: tuple[str, ...] = ()) -> str:
        value = self._field(name)
        if not isinstance(value, str) or not bounds.line(value, bounds.NARRATIVE):
            return self._refuse(name, "must be a string that is not empty")
        if among and value not in among:
            return self._refuse(name, f"must be one of {', '.join(among)}")
        return value

    def text_or_null(self, name: str) -> str | None:
        value = self._field(name)
        if value is None or isinstance(value, str):
            return value
        return self._refuse(name, "must be a string or null")

    def list(self, name: str) -> tuple[str, ...]:
        value = self._field(name)
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        self._refuse(name, "must be an array of strings")
        return ()

    def end(self) -> None:
        if self._problems:
            raise WrongSchema(self._problems)

    def _field(self, name: str) -> object:
        if name not in self._given:
            self._refuse(name, "is required")
            return None
        return self._given[name]

    def _refuse(self, name: str, problem: str) -> str:
        if not any(known.startswith(f"{name} ") for known in self._problems):
            self._problems.append(f"{name} {problem}")
        return ""


Read = Callable[[Mapping[str, object]], Portrait | Recap]
