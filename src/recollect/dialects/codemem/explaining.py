"""`memory_explain`: why memories are found where they are found, as its contract has it.

It asks the same question as `memory_search`, with the same ranking, and changes nothing by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json
from recollect.dialects.codemem import asked, shapes
from recollect.dialects.codemem.asked import Ids
from recollect.dialects.codemem.kinds import SHOWN, is_shown, kind_of
from recollect.model.memory import Memory
from recollect.model.question import Found, Question
from recollect.search import explain
from recollect.search.profile import CODEMEM
from recollect.service import pack as packing
from recollect.service.pack import Packed, Wanted


@dataclass(frozen=True, slots=True)
class Request:
    query: str | None
    ids: Ids
    project: str | None
    limit: int
    wants_pack: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """A memory with the numbers that are known of it; those of the query only where it was hit."""

    memory: Memory
    source: str
    rank: int | None
    total: float | None
    components: Mapping[str, float | None]
    terms: tuple[str, ...]


def memory_explain(desk: Desk, arguments: Arguments) -> Json:
    request = Request(
        query=asked.text(arguments, "query"),
        ids=asked.ids_in(arguments.get("ids")),
        project=asked.project(desk, arguments),
        limit=asked.number(arguments, "limit"),
        wants_pack=arguments["include_pack_context"] is True,
    )
    found = None
    if request.query is not None:
        found = desk.finder().find(question(request.query, request.project, request.limit), CODEMEM)
    live = {each.id: each for each in desk.store.memories.get(request.ids.valid) if is_shown(each)}
    is_elsewhere = {id_ for id_, memory in live.items() if not _is_in(memory, request.project)}
    items = [*_of_query(found, request), *_by_id(desk, request, found, live, is_elsewhere)]
    in_pack = _pack_context(desk, request) if request.wants_pack else _no_context
    missing = [id_ for id_ in request.ids.valid if id_ not in live or id_ in is_elsewhere]
    return {
        "items": [_item(each, request.project, in_pack(each.memory)) for each in items],
        "missing_ids": list(missing),
        "errors": list(_errors(request, [id_ for id_ in missing if id_ not in live], missing)),
        "metadata": {
            "query": request.query,
            "project": request.project,
            "requested_ids_count": len(request.ids.valid),
            "returned_items_count": len(items),
            "include_pack_context": request.wants_pack,
            "query_id": None if found is None else found.query_id,
        },
    }


def question(query: str, project: str | None, limit: int) -> Question:
    """What is asked of the ranking, by `memory_search` and by whoever explains it."""
    text = query[: asked.LONGEST_QUERY]
    return Question(text=text, project=project, kinds=SHOWN, limit=limit)


def pack(
    desk: Desk,
    context: str,
    project: str | None,
    *,
    limit: int = packing.LIMIT,
    budget: int = packing.BUDGET,
    is_kept: bool = True,
) -> Packed:
    """The pack that `memory_pack` gives. The ledger is told of it only when it is given."""
    limit, budget = packing.held(limit, budget)
    text = context[: asked.LONGEST_QUERY]
    wanted = Wanted(text=text, project=project, limit=limit, budget=budget)
    return packing.pack(
        desk.store,
        desk.finder(),
        wanted,
        profile=CODEMEM,
        named=kind_of,
        now=desk.clock(),
        is_kept=is_kept,
    )


def _of_query(found: Found | None, request: Request) -> Iterable[Explained]:
    for hit in () if found is None else found.hits:
        yield Explained(
            memory=hit.memory,
            source="query+id_lookup" if hit.memory.id in request.ids.valid else "query",
            rank=hit.rank,
            total=hit.total,
            components=hit.components,
            terms=hit.terms,
        )


def _by_id(
    desk: Desk,
    request: Request,
    found: Found | None,
    live: Mapping[int, Memory],
    is_elsewhere: set[int],
) -> Iterable[Explained]:
    """Those that were asked for by id and that the query did not bring."""
    hit = set() if found is None else {each.memory.id for each in found.hits}
    wanted = [id_ for id_ in request.ids.valid if id_ in live and id_ not in is_elsewhere | hit]
    components = desk.finder().by_id(wanted, CODEMEM) if wanted else {}
    words = explain.asked_words((request.query or "")[: asked.LONGEST_QUERY])
    for id_ in wanted:
        yield Explained(
            memory=live[id_],
            source="id_lookup",
            rank=None,
            total=None,
            components=components[id_],
            terms=explain.matched(words, live[id_]),
        )


def _item(each: Explained, project: str | None, pack_context: Json) -> Json:
    memory = each.memory
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "title": shapes.title(memory),
        "created_at": shapes.moment(memory.created_at),
        "project": memory.project,
        "retrieval": {"source": each.source, "rank": each.rank},
        "score": {"total": each.total, "components": dict(each.components)},
        "matches": {
            "query_terms": list(each.terms),
            "project_match": _is_in(memory, project),
        },
        "pack_context": pack_context,
    }


def _errors(
    request: Request, unknown: Sequence[int], missing: Sequence[int]
) -> Iterable[dict[str, Json]]:
    """One for each code, with the ids that it is about."""
    if request.ids.problem is not None:
        wrong = list(request.ids.wrong)
        yield _error("INVALID_ARGUMENT", request.ids.problem, "ids") | {"ids": wrong}
    elif request.query is None and not request.ids.valid:
        problem = "at least one of query or ids is required"
        yield _error("INVALID_ARGUMENT", problem, "query")
    if unknown:
        problem = "some requested ids were not found"
        yield _error("NOT_FOUND", problem, "ids") | {"ids": list(unknown)}
    elsewhere: list[Json] = [id_ for id_ in missing if id_ not in unknown]
    if elsewhere:
        problem = "some requested ids are outside the requested project scope"
        yield _error("PROJECT_MISMATCH", problem, "project") | {"ids": elsewhere}


def _error(code: str, message: str, field: str) -> dict[str, Json]:
    return {"code": code, "message": message, "field": field}


def _is_in(memory: Memory, project: str | None) -> bool:
    return project is None or memory.project == project


def _pack_context(desk: Desk, request: Request) -> Callable[[Memory], Json]:
    """What a pack with the defaults would do for the query, or else for a memory's own title."""
    built: dict[str, Packed] = {}

    def of(memory: Memory) -> Json:
        context = request.query or shapes.title(memory)
        if context not in built:
            built[context] = pack(desk, context, request.project, is_kept=False)
        return shapes.pack_context(built[context].pack.line_of(memory.id))

    return of


def _no_context(_: Memory) -> Json:
    return None
