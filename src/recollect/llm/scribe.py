"""A model writes: asked, its answer parsed, checked, mended if need be, and counted.

Nothing here waits for a store or knows where the model is; who asks is `service.enrichment`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from recollect.llm import parse, prompts
from recollect.llm.port import Provider, Said
from recollect.llm.prompts import Message
from recollect.model.errors import ProviderFailed
from recollect.model.event import ToolUse, TurnEnd
from recollect.model.portrait import Portrait, Recap
from recollect.search.tokens import tokens

T = TypeVar("T")

SUCCESS, PARSE_FAIL, SCHEMA_FAIL = "success", "parse_fail", "schema_fail"
REPAIR_FAIL, FALLBACK = "repair_fail", "fallback_used"
COUNTS = (SUCCESS, PARSE_FAIL, SCHEMA_FAIL, REPAIR_FAIL, FALLBACK)


@dataclass(slots=True)
class Written(Generic[T]):
    """What came of it; `made` is None when rules must do, and `failure` says why."""

    made: T | None = None
    counts: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    failure: ProviderFailed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scribe:
    """`may_go_on` is told what was spent on this answer so far, and says whether there is more."""

    provider: Provider
    repairs: int
    may_go_on: Callable[[int], bool]

    def portrait(self, use: ToolUse, prompt_number: int) -> Written[Portrait]:
        return self._write(
            prompts.observation(use, prompt_number), prompts.OBSERVATION, parse.portrait
        )

    def recap(self, end: TurnEnd, request: str, done: Sequence[str]) -> Written[Recap]:
        return self._write(prompts.summary(end, request, done), prompts.SUMMARY, parse.recap)

    def _write(
        self,
        asked: list[Message],
        schema: Mapping[str, object],
        read: Callable[[Mapping[str, object]], T],
    ) -> Written[T]:
        written: Written[T] = Written()
        failure: ProviderFailed | None = None
        for repairs_left in range(self.repairs, -1, -1):
            is_repair = repairs_left < self.repairs
            try:
                answer = self._ask(asked, written, is_repair=is_repair)
            except ProviderFailed as failed:
                if is_repair:
                    written.counts[REPAIR_FAIL] += 1
                return _fallen_back(written, failed)
            try:
                written.made = read(parse.document(answer))
            except parse.NotJson as problem:
                written.counts.update((PARSE_FAIL, SCHEMA_FAIL))
                failure = ProviderFailed(str(problem), error_class="json_parse")
                asked = prompts.repair(schema, [str(problem)], answer)
            except parse.WrongSchema as problem:
                written.counts[SCHEMA_FAIL] += 1
                failure = ProviderFailed(
                    f"the answer does not fit its schema: {problem}", error_class="schema"
                )
                asked = prompts.repair(schema, problem.problems, answer)
            else:
                written.counts[SUCCESS] += 1
                return written
        written.counts[REPAIR_FAIL] += 1
        return _fallen_back(written, failure)

    def _ask(self, asked: list[Message], written: Written[T], *, is_repair: bool) -> str:
        if is_repair and not self.may_go_on(written.tokens):
            raise ProviderFailed("today's tokens are spent", error_class="budget")
        said = self.provider.ask(asked)
        written.tokens += said.tokens if said.tokens is not None else _estimated(asked, said)
        if said.text is None:
            raise ProviderFailed("the model gave no text", error_class="processing")
        return said.text


def _fallen_back(written: Written[T], failure: ProviderFailed | None) -> Written[T]:
    written.counts[FALLBACK] += 1
    written.failure = failure
    return written


def _estimated(asked: Sequence[Message], said: Said) -> int:
    """For those that do not say what they have cost."""
    return sum(tokens(message["content"]) for message in asked) + tokens(said.text or "")
