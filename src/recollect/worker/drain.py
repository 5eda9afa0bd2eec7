"""Drain: what the hooks put into the spool goes into the store.

An entry leaves the spool after the commit that keeps it. A crash in between repeats the entry, and
its event key drops the copy; for the same reason any number of drains may run at once.
An entry that can never be kept is put aside with its reason, so it cannot hold up the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from recollect.capture import spool, transcript
from recollect.capture.seal import SealBroken, is_sealed, unseal
from recollect.llm.port import Reader
from recollect.model import event
from recollect.model.errors import EntryRefused, MalformedEvent
from recollect.privacy.clean import Rules
from recollect.service import observe
from recollect.service.observe import Arrival
from recollect.store.port import Store

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


@dataclass(slots=True)
class Drained:
    stored: int = 0
    repeated: int = 0
    put_aside: list[str] = field(default_factory=list)


def drain(store: Store, reader: Reader, source: Source) -> Drained:
    """Keep everything that waits. Nearly free when nothing does."""
    drained = Drained()
    if not spool.waiting(source.folder):
        return drained
    with spool.drain_lock(source.folder):
        for names in _batches(spool.waiting(source.folder)):
            _drain_batch(store, reader, source, names, drained)
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
        except (MalformedEvent, SealBroken) as error:
            _put_aside(source, name, str(error), drained)
    try:
        _keep(store, reader, source, arrivals, drained)
    except EntryRefused:
        # One entry spoils the batch. Each alone, so that only that one is put aside.
        for name, arrival in arrivals.items():
            try:
                _keep(store, reader, source, {name: arrival}, drained)
            except EntryRefused as error:
                _put_aside(source, name, str(error), drained)


def _keep(
    store: Store,
    reader: Reader,
    source: Source,
    arrivals: dict[str, Arrival],
    drained: Drained,
) -> None:
    stored = observe.keep(store, reader, list(arrivals.values()))
    drained.stored += stored
    drained.repeated += len(arrivals) - stored
    for name in arrivals:
        spool.done(source.folder, name)


def _put_aside(source: Source, name: str, reason: str, drained: Drained) -> None:
    spool.quarantine(source.folder, name, reason)
    drained.put_aside.append(name)


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
    found = transcript.thoughts(head.transcript_path, start, rules=source.rules_for(head.project))
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
