"""What there is, all in all, and whether it is sound, as far as a glance can tell.

Every page of the store is read by `recollect doctor` only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Json, Request, Response
from recollect.service import health
from recollect.service.notices import depth_facts
from recollect.store.port.browsing import Sort
from recollect.store.port.store import Store


def overview(desk: Desk, _: Request) -> Response:
    from recollect.service import coverage  # numpy, which a worker that nobody asks does without

    here, around = desk.here(), desk.premises()
    store = desk.store
    with store.reading():
        sorts, sessions = store.browsing.sorts(), store.browsing.sessions_of_projects()
        state, depth = store.lexicon.state(), store.jobs.depth()
        standing, engine = health.status(store), store.upkeep.engine()
        problems = [*around.problems, *_strays(store)]
        heads = store.lexicon.heads()
        meaning = [] if around.embedder is None else coverage.of(store, around.embedder)
    index = desk.index()
    counts = standing.counts
    return Response(
        body={
            "version": here.version,
            "uptime_ms": here.uptime_ms,
            "port": here.port,
            "store": {
                "path": here.store,
                "engine": engine,
                "bytes": standing.bytes,
                "log_bytes": standing.log_bytes,
                "is_encrypted": around.is_encrypted,
            },
            "projects": _projects(sorts, sessions),
            "kinds": dict(_counted((each.kind.value, each.memories) for each in sorts)),
            "types": _named((each.type, each.memories) for each in sorts),
            "origins": _named((each.origin, each.memories) for each in sorts),
            "pinned": counts.pinned,
            "sessions": counts.sessions,
            "events": counts.events,
            "health": {"is_sound": not problems, "problems": list(problems)},
            "spool": {
                "waiting": around.waiting,
                "oldest_at": around.oldest_at,
                "put_aside": len(around.put_aside),
                "aside": [{"name": name, "reason": reason} for name, reason in around.put_aside],
            },
            "index": {
                "words": counts.words,
                "memories": counts.memories,
                "ranked": sum(head.size - head.dead for head in heads),
                "segments": len(heads),
                "waiting": state.waiting,
                "meaning": [
                    {"view": each.view, "covered": each.covered, "wanted": each.wanted}
                    for each in meaning
                ],
                "backend": index.backend,
                "server": {
                    "is_configured": index.is_configured,
                    "is_reachable": index.is_reachable,
                },
            },
            "embedder": None
            if around.embedder is None
            else {"name": around.embedder, "reason": around.because},
            "embedder_reason": around.because,
            "queue": {name: int(str(n)) for name, n in depth_facts(depth).items()},
        }
    )


def _projects(sorts: Iterable[Sort], sessions: dict[str, int]) -> list[Json]:
    """Largest first; those that have sessions and no memories as well."""
    memories, sizes, latest = Counter[str](), Counter[str](), dict[str, int]()
    for each in sorts:
        memories[each.project] += each.memories
        sizes[each.project] += each.bytes
        latest[each.project] = max(each.latest, latest.get(each.project, each.latest))
    names = sorted(memories.keys() | sessions.keys(), key=lambda name: (-memories[name], name))
    return [
        {
            "name": name,
            "memories": memories[name],
            "sessions": sessions.get(name, 0),
            "bytes": sizes[name],
            "latest": latest.get(name),
        }
        for name in names
    ]


def _counted(pairs: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Most first."""
    counter = Counter[str]()
    for name, n in pairs:
        counter[name] += n
    return sorted(counter.items(), key=lambda each: (-each[1], each[0]))


def _named(pairs: Iterable[tuple[str, int]]) -> list[Json]:
    return [{"name": name, "memories": n} for name, n in _counted(pairs)]


def _strays(store: Store) -> list[str]:
    without_memory, without_words = store.upkeep.strays()
    problems = []
    if without_memory:
        problems.append(f"{without_memory} rows of the word index have no memory")
    if without_words:
        problems.append(f"{without_words} memories are not in the word index")
    return problems
