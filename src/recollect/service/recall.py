"""Recall: search, read, look around, follow a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.model.errors import AnchorNotFound
from recollect.model.memory import Kind, Memory
from recollect.model.session import Session
from recollect.search import grammar
from recollect.store.port.memories import Touch
from recollect.store.port.store import Store
from recollect.store.port.words import Preview

SOME_HIDDEN = 10
"""Neighbours that are read besides, as some of them may not be shown."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    anchor: Memory
    before: tuple[Memory, ...]
    after: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class FileInSession:
    """What one session did to a file."""

    session: Session
    touches: tuple[Touch, ...]


def search(
    store: Store,
    query: str,
    *,
    project: str | None,
    type_: str | None,
    limit: int,
    offset: int = 0,
    preview: int,
) -> list[Preview]:
    """Memories that match the published query language, best match first."""
    tree = grammar.parse(query)
    if tree is None:
        return []
    return store.words.search(
        tree, project=project, type_=type_, limit=limit, offset=offset, preview=preview
    )


def read(store: Store, ids: Sequence[int]) -> list[Memory]:
    """Those that exist, in the order asked for. Thoughts are read in traces only."""
    return [memory for memory in store.memories.get(ids) if memory.kind is not Kind.THOUGHT]


def around(store: Store, anchor_id: int, *, before: int, after: int) -> Surroundings:
    found = read(store, [anchor_id])
    if not found:
        raise AnchorNotFound(id=anchor_id)
    earlier, later = store.memories.around(found[0], before=before, after=after)
    return Surroundings(found[0], tuple(earlier), tuple(later))


def around_shown(
    store: Store, anchor: Memory, *, before: int, after: int, is_shown: Callable[[Memory], bool]
) -> list[Memory]:
    """The neighbours in the anchor's session that are shown, and the anchor, in order."""
    wanted = 2 * max(before, after) + SOME_HIDDEN
    while True:
        earlier, later = store.memories.around(anchor, before=wanted, after=wanted)
        is_all = len(earlier) < wanted and len(later) < wanted
        earlier, later = list(filter(is_shown, earlier)), list(filter(is_shown, later))
        if is_all or (len(earlier) >= before and len(later) >= after):
            return [*earlier[len(earlier) - min(before, len(earlier)) :], anchor, *later[:after]]
        wanted *= 4


def file_history(
    store: Store, path: str, *, before: int | None, after: int | None, limit: int
) -> list[FileInSession]:
    """The newest touches of a file, by session, in the order in which the sessions come up."""
    by_session: dict[str, list[Touch]] = {}
    for touch in store.memories.of_file(path, before=before, after=after, limit=limit):
        if touch.memory.session_id is not None:
            by_session.setdefault(touch.memory.session_id, []).append(touch)
    histories = []
    for session_id, touches in by_session.items():
        session = store.sessions.find(session_id)
        assert session is not None, "a memory's session is kept as long as the memory"
        histories.append(FileInSession(session, tuple(touches)))
    return histories
