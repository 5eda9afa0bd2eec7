"""Health: what the store holds, whether it is sound, and how it is put right."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.model.session import Session
from recollect.store.port.store import Store
from recollect.store.port.upkeep import Counts


@dataclass(frozen=True, slots=True)
class Status:
    counts: Counts
    bytes: int
    log_bytes: int
    last_session: Session | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`problems` is empty when all is well; each entry is a sentence for people."""

    engine: str
    counts: Counts
    problems: tuple[str, ...]


def status(store: Store) -> Status:
    size, log_size = store.upkeep.size()
    return Status(store.upkeep.counts(), size, log_size, store.sessions.newest())


def diagnose(store: Store) -> Diagnosis:
    """Reads every page of the store, so it takes a while on a large one."""
    problems = store.upkeep.problems()
    without_memory, without_words = store.upkeep.strays()
    if without_memory:
        problems.append(f"{without_memory} rows of the word index have no memory")
    if without_words:
        problems.append(f"{without_words} memories are not in the word index")
    return Diagnosis(store.upkeep.engine(), store.upkeep.counts(), tuple(problems))


def rebuild(store: Store) -> None:
    """Make every derived index again from the rows, in one transaction."""
    with store.transaction():
        store.words.rebuild()


def compact(store: Store) -> None:
    """Give free pages back and fold the write-ahead log into the store."""
    store.upkeep.compact()
