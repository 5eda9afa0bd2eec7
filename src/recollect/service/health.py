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
    ranked: int
    """Entries of the ranking index."""
    segments: int
    waiting: int
    """Changes that are in no segment yet; they are read from their rows."""
    problems: tuple[str, ...]


def status(store: Store) -> Status:
    size, log_size = store.upkeep.size()
    return Status(store.upkeep.counts(), size, log_size, store.sessions.newest())


def diagnose(store: Store) -> Diagnosis:
    """Reads every page of the store, so it takes a while on a large one."""
    # Loads numpy, which the session start, a user of this module, can do without.
    from recollect.service import segments

    problems = store.upkeep.problems()
    without_memory, without_words = store.upkeep.strays()
    if without_memory:
        problems.append(f"{without_memory} rows of the word index have no memory")
    if without_words:
        problems.append(f"{without_words} memories are not in the word index")
    without_frame, without_words = store.frames.strays()
    if without_frame:
        problems.append(f"{without_frame} rows of the word index of frames have no frame")
    if without_words:
        problems.append(f"{without_words} frames are not in their word index")
    without_memory, without_entry = segments.strays(store)
    if without_memory:
        problems.append(f"{without_memory} entries of the ranking index have no memory")
    if without_entry:
        problems.append(f"{without_entry} memories are not in the ranking index")
    heads = store.lexicon.heads()
    return Diagnosis(
        engine=store.upkeep.engine(),
        counts=store.upkeep.counts(),
        ranked=sum(head.size - head.dead for head in heads),
        segments=len(heads),
        waiting=store.lexicon.state().waiting,
        problems=tuple(problems),
    )


def rebuild(store: Store) -> None:
    """Make every derived index again from the rows."""
    # Loads numpy, which the session start, a user of this module, can do without.
    from recollect.service import segments

    with store.transaction():
        store.words.rebuild()
        store.frames.rebuild()
    segments.rebuild(store)


def compact(store: Store) -> bool:
    """Give free pages back and fold the write-ahead log into the store; whether that was done."""
    return store.upkeep.compact()
