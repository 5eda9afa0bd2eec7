"""Drain: what the hooks put into the spool goes into the store.

An entry leaves the spool after the commit that keeps it. A crash in between repeats the entry, and
its event key drops the copy; for the same reason any number of drains may run at once.
An entry that can never be kept is put aside with its reason, so it cannot hold up the others.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from recollect.capture import spool, transcript
from recollect.capture.seal import SealBroken, is_sealed, unseal
from recollect.llm.port import Reader
from recollect.model import event
from recollect.model.errors import (
    EntryRefused,
    EntryTooNew,
    MalformedEvent,
    RecollectError,
    StoreError,
    StoreFull,
)
from recollect.privacy.clean import Rules
from recollect.service import observe
from recollect.service.observe import Arrival
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

BATCH = 500
"""Entries in one transaction: one wait for the disk instead of hundreds."""

RulesFor = Callable[[str], Rules]
"""The privacy rules of a project."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where entries wait and how they are read."""

    folder: str
    key: bytes | None
    rules_for: RulesFor
    patience: float = spool.LOCK_WAIT
    """Seconds to wait for another drain to end."""
    limit: float = math.inf
    """Seconds after which the rest is left to the next drain; one batch is always kept."""
    strange: set[str] = field(default_factory=set)
    """Entries of a newer version: left to it, and not read again by this process."""
    told: set[str] = field(default_factory=set)
    """Entries whose trouble was told: a drain comes by several times a second."""

    def waiting(self) -> list[str]:
        return [name for name in spool.waiting(self.folder) if name not in self.strange]


@dataclass(slots=True)
class Drained:
    stored: int = 0
    put_aside: int = 0


def drain(store: Store, reader: Reader, source: Source) -> Drained:
    """Keep everything that waits. Nearly free when nothing does."""
    drained = Drained()
    if not source.waiting():
        return drained
    until = time.monotonic() + source.limit
    try:
        with spool.drain_lock(source.folder, wait=source.patience):
            for names in _batches(source.waiting()):
                _drain_batch(store, reader, source, names, drained)
                if time.monotonic() >= until:
                    break
    except OSError as error:
        raise StoreFull(f"the spool cannot be emptied: {error.strerror}") from error
    return drained


def _drain_batch(
    store: Store, reader: Reader, source: Source, names: Sequence[str], drained: Drained
) -> None:
    arrivals: dict[str, Arrival] = {}
    positions: dict[tuple[str, str], int] = {}
    for name in names:
        try:
            arrivals[name] = _arrival(store, source, spool.read(source.folder, name), positions)
        except FileNotFoundError:
            continue  # another drain was quicker
        except OSError as error:
            # Not ours to read, or a sick disk: it may be well again later. The others go on.
            _tell_once(source, name, str(error.strerror))
        except EntryTooNew as error:
            source.strange.add(name)
            _tell_once(source, name, str(error))
        except StoreError as error:
            if not isinstance(error, SealBroken):
                raise
            _put_aside(source, name, str(error), drained)
        except Exception as error:  # noqa: BLE001 - whatever one entry does must not stop the rest
            _put_aside(source, name, _reason(error), drained)
    try:
        _keep(store, reader, source, arrivals, drained)
    except Exception as error:  # told apart below
        if _is_of_the_store(error):
            raise
        _keep_each(store, reader, source, arrivals, drained)


def _keep_each(
    store: Store, reader: Reader, source: Source, arrivals: dict[str, Arrival], drained: Drained
) -> None:
    """One entry spoils the batch: each alone, so that only that one is put aside."""
    for name, arrival in arrivals.items():
        try:
            _keep(store, reader, source, {name: arrival}, drained)
        except Exception as error:  # told apart below
            if _is_of_the_store(error):
                raise
            _put_aside(source, name, _reason(error), drained)


def _is_of_the_store(error: Exception) -> bool:
    """Whether it would happen to any entry: the store is busy, full or not to be trusted."""
    return isinstance(error, StoreError | OSError) and not isinstance(error, EntryRefused)


def _reason(error: Exception) -> str:
    """A problem of ours in its words; a fault by its kind, for its words may quote the entry."""
    return str(error) if isinstance(error, RecollectError) else f"fault: {type(error).__name__}"


def _keep(
    store: Store,
    reader: Reader,
    source: Source,
    arrivals: dict[str, Arrival],
    drained: Drained,
) -> None:
    drained.stored += observe.keep(store, reader, list(arrivals.values()))
    for name in arrivals:
        spool.done(source.folder, name)


def _tell_once(source: Source, name: str, why: str) -> None:
    if name not in source.told:
        source.told.add(name)
        log.warning("%s stays in the spool: %s", name, why)


def _put_aside(source: Source, name: str, reason: str, drained: Drained) -> None:
    spool.quarantine(source.folder, name, reason)
    drained.put_aside += 1
    log.warning("%s was put aside: %s", name, reason)


def _arrival(
    store: Store, source: Source, blob: bytes, positions: dict[tuple[str, str], int]
) -> Arrival:
    """The entry with what its transcript adds; `positions` is how far this batch has read."""
    text = _opened(blob, source.key)
    happened = event.of(_parsed(text))
    head = happened.head
    if head.transcript_path is None:
        return Arrival(happened, text)
    place = (head.session_id, head.transcript_path)
    start = positions.get(place)
    if start is None:
        start = store.cursors.position(*place)
    found = transcript.thoughts(
        head.transcript_path,
        start,
        rules=source.rules_for(head.project),
        until=head.transcript_size,
    )
    positions[place] = found.position
    return Arrival(happened, text, found.thoughts, found.position)


def _opened(blob: bytes, key: bytes | None) -> str:
    if is_sealed(blob):
        if key is None:
            raise MalformedEvent("the entry is sealed, and no key is set")
        blob = unseal(key, blob)
    try:
        return blob.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedEvent(f"the entry is not UTF-8: {error.reason}") from error


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedEvent(f"the entry is not JSON: {error}") from error


def _batches(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]
