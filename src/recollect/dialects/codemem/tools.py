"""codemem's reading and writing tools: checked arguments → a verb → codemem's JSON."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json
from recollect.dialects.codemem import asked, explaining, shapes
from recollect.dialects.codemem.kinds import is_shown, kind_named, selections, type_of
from recollect.model.errors import InvalidArgument, MemoryNotFound
from recollect.model.memory import Memory, Origin
from recollect.privacy.clean import Rules, clean_text
from recollect.search.profile import CODEMEM
from recollect.service import fields, recall, remember
from recollect.service.remember import Remark

MOST_NEIGHBOURS = 50
LONGEST_TITLE = 1_000
LONGEST_TEXT = fields.MOST_CHARACTERS
"""Characters of title and body together: what is exported can be imported again."""


def memory_search(desk: Desk, arguments: Arguments) -> Json:
    query = asked.required(arguments, "query")
    question = explaining.question(
        query, asked.project(desk, arguments), asked.number(arguments, "limit")
    )
    hits = desk.finder().find(question, CODEMEM).hits
    claims = desk.store.facts.of([hit.memory.id for hit in hits])
    return {"items": [shapes.hit(hit, claims.get(hit.memory.id)) for hit in hits]}


def memory_get(desk: Desk, arguments: Arguments) -> Json:
    memory = _shown(desk, arguments["memory_id"])
    if memory is None:
        raise MemoryNotFound(id=arguments["memory_id"])
    claimed = desk.store.facts.of([memory.id]).get(memory.id)
    return shapes.row(memory, claimed, is_whole=True)


def memory_recent(desk: Desk, arguments: Arguments) -> Json:
    given = arguments.get("kind")
    kind = None if given is None else kind_named(given)
    limit = asked.number(arguments, "limit")
    project = asked.project(desk, arguments)
    found = [
        memory
        for each in selections(kind)
        for memory in desk.store.memories.newest(
            each.kinds,
            project=project,
            limit=limit,
            types=each.types,
            but_types=each.but_types,
        )
    ]
    found.sort(key=lambda memory: (memory.created_at, memory.id), reverse=True)
    return {"items": _rows(desk, found[:limit])}


def memory_timeline(desk: Desk, arguments: Arguments) -> Json:
    anchor = _anchor(desk, arguments)
    if anchor is None:
        return {"items": []}
    found = recall.around_shown(
        desk.store,
        anchor,
        before=asked.number(arguments, "depth_before", 0, MOST_NEIGHBOURS),
        after=asked.number(arguments, "depth_after", 0, MOST_NEIGHBOURS),
        is_shown=is_shown,
    )
    asked_for = {memory.prompt_id for memory in found if memory.prompt_id is not None}
    prompts = {each.id: each for each in desk.store.memories.get(sorted(asked_for))}
    items: list[Json] = []
    for memory, row in zip(found, _rows(desk, found), strict=True):
        prompt = prompts.get(memory.prompt_id or 0)
        assert isinstance(row, dict)
        items.append({**row, "linked_prompt": None if prompt is None else shapes.prompt(prompt)})
    return {"items": items}


def memory_pack(desk: Desk, arguments: Arguments) -> Json:
    context = asked.required(arguments, "context")
    project = asked.project(desk, arguments)
    limit, budget = arguments["limit"], arguments["token_budget"]
    assert isinstance(limit, int)
    assert isinstance(budget, int)
    found = explaining.pack(desk, context, project, limit=limit, budget=budget)
    claims = desk.store.facts.of(list(found.memories))
    return shapes.packed(context, project, asked.number(arguments, "limit"), found, claims)


def memory_remember(desk: Desk, arguments: Arguments) -> Json:
    project = asked.one_project(desk, arguments)
    at = arguments.get("created_at")
    moment = desk.clock() if at is None else fields.moment_of(at)
    if moment is None:
        problem = "must be an ISO 8601 date, or seconds or milliseconds since 1970"
        raise InvalidArgument("created_at", problem)
    written = _Written(arguments, desk.rules(project))
    kind = kind_named(arguments.get("kind"))
    title = " ".join(written.required("title", LONGEST_TITLE).split())
    body = written.required("body", LONGEST_TEXT - LONGEST_TITLE - 1)
    confidence = arguments["confidence"]
    assert isinstance(confidence, int | float)
    remark = Remark(
        text=title if body == title else f"{title}\n{body}",
        title=title,
        type=type_of(kind),
        project=written.name("project", project),
        session_id=written.named("session_id"),
        speaker=written.named("speaker"),
        at=moment,
        confidence=float(confidence),
        origin=Origin.ASSISTANT,
        source_event="Remember",
        is_redacted=written.is_redacted,
    )
    return {"id": remember.keep(desk.store, remark, public_id=desk.new_id()).id}


def memory_forget(desk: Desk, arguments: Arguments) -> Json:
    memory = _shown(desk, arguments["memory_id"])
    if memory is None:
        raise MemoryNotFound(id=arguments["memory_id"])
    remember.forget(desk.store, memory.id, at=desk.clock())
    return {"status": "ok"}


class _Written:
    """The texts of a request as they may be kept; whether a secret was taken out of one."""

    def __init__(self, arguments: Arguments, rules: Rules) -> None:
        self._arguments, self._rules = arguments, rules
        self.is_redacted = False

    def required(self, name: str, most: int) -> str:
        given = self._arguments.get(name)
        assert isinstance(given, str)
        kept = self._clean(given).strip()
        if not kept:
            raise InvalidArgument(name, "must not be empty")
        return _no_longer(name, kept, most)

    def named(self, name: str) -> str | None:
        given = asked.text(self._arguments, name)
        return None if given is None else self.name(name, given) or None

    def name(self, name: str, given: str) -> str:
        return _no_longer(name, self._clean(given).strip(), asked.LONGEST_NAME)

    def _clean(self, text: str) -> str:
        kept, is_redacted = clean_text(text, self._rules)
        self.is_redacted |= is_redacted
        return kept


def _no_longer(name: str, text: str, most: int) -> str:
    if len(text) > most:
        raise InvalidArgument(name, f"has {len(text)} characters; at most {most}")
    return text


def _shown(desk: Desk, memory_id: object) -> Memory | None:
    assert isinstance(memory_id, int)
    found = [memory for memory in desk.store.memories.get([memory_id]) if is_shown(memory)]
    return found[0] if found else None


def _anchor(desk: Desk, arguments: Arguments) -> Memory | None:
    """The memory that was named, or else the best answer to the query."""
    if arguments.get("memory_id") is not None:
        return _shown(desk, arguments["memory_id"])
    query = asked.text(arguments, "query")
    if query is None:
        return None
    question = explaining.question(query, asked.project(desk, arguments), 1)
    hits = desk.finder().find(question, CODEMEM).hits
    return hits[0].memory if hits else None


def _rows(desk: Desk, memories: Iterable[Memory]) -> list[Json]:
    found = list(memories)
    claims = desk.store.facts.of([memory.id for memory in found])
    return [shapes.row(memory, claims.get(memory.id), is_whole=False) for memory in found]
